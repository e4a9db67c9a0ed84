#include "driver/merit/merit.hpp"

#include <utility>

#include "driver/merit/bound_penalty.hpp"
#include "driver/merit/constrained_merit.hpp"

namespace surefoot {
namespace {

/// f itself.
class PlainMerit final : public Merit {
 public:
  const Vector& of(const Vector& f, const Generation& /*outcomes*/, const Matrix& /*points*/,
                   const Distribution& /*distribution*/) override {
    return f;
  }
};

/// The one place that knows what `auto` is, as docs/evidence/constraints.md has measured it. With two coordinates the
/// lexicographic order is as fast as the Lagrangian and less often misled. Every second run is ordered the other way: a
/// valley that one misses, the other may find.
ConstraintOrder order_of(const Options& options, Index dimension, std::int64_t run) {
  if (options.constraints_mode == "augmented-lagrangian") return ConstraintOrder::augmented_lagrangian;
  if (options.constraints_mode == "lexicographic") return ConstraintOrder::lexicographic;
  const bool is_small = dimension <= 2 && options.equalities == 0;
  if ((run % 2 == 1) != is_small) return ConstraintOrder::lexicographic;
  return is_small ? ConstraintOrder::augmented_lagrangian : ConstraintOrder::automatic;
}

}  // namespace

std::unique_ptr<Merit> make_merit(const Domain& domain, const Options& options, std::int64_t run) {
  std::unique_ptr<Merit> merit;
  if (domain.has_bounds()) {
    merit = std::make_unique<BoundPenalty>(domain);
  } else {
    merit = std::make_unique<PlainMerit>();
  }
  const ConstraintRules rules = constraint_rules(options);
  if (rules.empty()) return merit;
  return std::make_unique<ConstrainedMerit>(rules, order_of(options, domain.search_dimension(), run),
                                            domain.search_dimension(), std::move(merit));
}

}  // namespace surefoot
