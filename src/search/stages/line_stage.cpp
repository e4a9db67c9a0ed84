#include "search/stages/line_stage.hpp"

#include "core/invalid_option.hpp"
#include "search/run.hpp"

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

bool LineStage::may_begin(const Tally& tally, bool is_model_accepted) const {
  if (has_begun_ != 0 || setup_.options.restarts.kind == Restarts::Kind::none || !is_finite(tally.best_f)) return false;
  if (!tally.best_constraints.empty()) return false;  // a sum of f is no sum of what is ranked
  return tally.nfev - tally.run_repeats >= (is_model_accepted ? 60 : 20) * setup_.domain->search_dimension();
}

void LineStage::look(const Run& run, const Tally& tally) {
  if (run.number() != 0 || !may_begin(tally, run.stage().is_model_accepted())) return;
  has_begun_ = 1;
  x_ = setup_.domain->to_search(tally.best_x);
  f_ = tally.best_f;
  make();
}

/// An improvement is worth the search along lines if it is worth a run: a thousand times tolfun.
void LineStage::make() {
  const double tolfun = setup_.options.tolfun > 0 ? setup_.options.tolfun : Options{}.tolfun;
  search_.emplace(x_, f_, setup_.domain->start().deviations, box_of(*setup_.domain), *setup_.options.seed,
                  1e3 * tolfun);
}

const Matrix& LineStage::ask(Index count, const Tally& /*tally*/, Matrix& room) {
  points_ = search_->ask().leftCols(count);
  return setup_.domain->to_user(points_, room);
}

/// A search along lines that finds out that the objective is no sum leaves the run as it was.
Consequence LineStage::learn(const GenerationValues& told, const Tally& /*tally*/) {
  if (told.changed.empty()) search_->tell(told.values);
  const bool is_solved = search_->is_over() && !search_->has_given_up();
  if (search_->is_over() || !told.changed.empty()) search_.reset();
  if (!is_solved) return {};
  return {Stop{StopReason::separable, "converged: the minima along the coordinates were found one by one"}};
}

void LineStage::visit(StateVisitor& visitor) {
  std::int64_t is_active = search_ ? 1 : 0;
  visitor.integer("has begun lines", has_begun_);
  visitor.integer("is on lines", is_active);
  if (is_active == 0) return;
  visitor.vector("start of lines", x_);
  visitor.scalar("value at the start of lines", f_);
  if (x_.size() != setup_.domain->search_dimension()) {
    reject("checkpoint: start of lines", "a list of " + text(x_.size()) + " numbers", "it is of another dimension");
  }
  if (!search_) make();
  search_->visit(visitor);
}

}  // namespace surefoot
