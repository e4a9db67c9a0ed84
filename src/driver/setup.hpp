#pragma once

#include <functional>
#include <memory>

#include "driver/completed_options.hpp"
#include "driver/domain/domain.hpp"
#include "driver/merit/constraint_rules.hpp"
#include "surefoot/executor.hpp"
#include "surefoot/normal_source.hpp"
#include "surefoot/options.hpp"

namespace surefoot {

/// What a search is set up with. It stays the same during the search, so that another one can be made of it.
struct Setup {
  std::shared_ptr<const Domain> domain;
  LeftOpen left_open = {};
  Options options = {};                        // with every default filled in
  ConstraintRules rules = {};                  // of its constraints
  std::shared_ptr<Executor> executor = {};     // of the strategies; null: one thread
  std::shared_ptr<NormalSource> normals = {};  // null: counters of seed and run
  Matrix injected = {};                        // points to be evaluated before the first population, the user's
  std::function<void(Index)> on_outcome = {};  // called for each outcome of any generation

  /// The known points are x0, if it is to be evaluated, and the injected ones. x0 is the domain's: at very many
  /// variables another copy would count.
  [[nodiscard]] Index known_count() const { return (options.evaluate_x0 ? 1 : 0) + injected.cols(); }
  [[nodiscard]] Vector known_point(Index i) const;
};

/// \throws std::invalid_argument naming the option, its value and what is allowed.
Setup set_up(const Vector& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals);
Setup set_up(const Start& start, Options options);
Setup set_up(const Space& space, const NamedStart* warm_start, Options options);

/// What a checkpoint's search must share with this one. What the user left open is as the checkpoint has it.
/// \throws std::invalid_argument naming what differs.
void visit_identity(StateVisitor& visitor, Setup& setup);

}  // namespace surefoot
