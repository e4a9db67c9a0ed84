#include "driver/model/line_stage.hpp"

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

SearchBox box_of(const Domain& domain) {
  Vector lower(domain.user_dimension());
  Vector upper(domain.user_dimension());
  for (Index j = 0; j < lower.size(); ++j) {
    lower[j] = domain.lower(j);
    upper[j] = domain.upper(j);
  }
  return {domain.to_search(lower), domain.to_search(upper)};
}

}  // namespace

bool LineStage::is_due(const Setup& setup, const Tally& tally, bool is_accepted) const {
  if (has_begun_ != 0 || setup.options.restarts.kind == Restarts::Kind::none || !is_finite(tally.best_f)) return false;
  if (!tally.best_constraints.empty()) return false;  // a sum of f is no sum of what is ranked
  return tally.nfev >= (is_accepted ? 60 : 20) * setup.domain->search_dimension();
}

void LineStage::begin(const Setup& setup, const Tally& tally) {
  has_begun_ = 1;
  x_ = setup.domain->to_search(tally.best_x);
  f_ = tally.best_f;
  make(setup);
}

/// An improvement is worth the search along lines if it is worth a run: a thousand times tolfun.
void LineStage::make(const Setup& setup) {
  const double tolfun = setup.options.tolfun > 0 ? setup.options.tolfun : Options{}.tolfun;
  search_.emplace(x_, f_, setup.domain->start().deviations, box_of(*setup.domain), *setup.options.seed, 1e3 * tolfun);
}

void LineStage::visit(StateVisitor& visitor, const Setup& setup) {
  std::int64_t is_going_on = is_active() ? 1 : 0;
  visitor.integer("has begun lines", has_begun_);
  visitor.integer("is on lines", is_going_on);
  if (is_going_on == 0) return;
  visitor.vector("start of lines", x_);
  visitor.scalar("value at the start of lines", f_);
  if (x_.size() != setup.domain->search_dimension()) {
    reject("checkpoint: start of lines", "a list of " + text(x_.size()) + " numbers", "it is of another dimension");
  }
  if (!search_) make(setup);
  search_->visit(visitor);
}

}  // namespace surefoot
