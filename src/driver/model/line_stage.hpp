#pragma once

#include <optional>

#include "driver/model/separable_search.hpp"
#include "driver/setup.hpp"
#include "driver/tally.hpp"

namespace surefoot {

/// The search along coordinates that a search with restarts and a model makes once, in its first run, from the best
/// point so far.
class LineStage {
 public:
  /// Whether it is time for it, after a generation that the model could rank or not.
  [[nodiscard]] bool is_due(const Setup& setup, const Tally& tally, bool is_accepted) const;

  void begin(const Setup& setup, const Tally& tally);
  [[nodiscard]] bool is_active() const { return search_.has_value(); }
  /// Of an active one.
  [[nodiscard]] SeparableSearch& search() { return *search_; }
  [[nodiscard]] const SeparableSearch& search() const { return *search_; }
  void end() { search_.reset(); }

  void visit(StateVisitor& visitor, const Setup& setup);

 private:
  void make(const Setup& setup);

  std::int64_t has_begun_ = 0;
  Vector x_;  // where it began, search coordinates
  double f_ = 0;
  std::optional<SeparableSearch> search_;
};

}  // namespace surefoot
