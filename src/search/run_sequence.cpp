#include "search/run_sequence.hpp"

#include <cmath>

#include "core/invalid_option.hpp"
#include "core/visit_count.hpp"
#include "driver/draws.hpp"

namespace surefoot {
namespace {

void visit_summary(StateVisitor& visitor, RunSummary& run) {
  auto stop = static_cast<std::int64_t>(run.stop);
  visitor.integer("popsize", run.popsize);
  visitor.scalar("sigma factor", run.sigma_factor);
  visit_count(visitor, "nfev", run.nfev);
  visit_count(visitor, "nit", run.nit);
  visitor.scalar("fun", run.fun);
  visitor.integer("stop", stop);
  if (stop < 0 || stop >= static_cast<std::int64_t>(stop_table().size())) {
    reject("checkpoint: stop of a run", stop, "there is none of this number");
  }
  run.stop = static_cast<StopReason>(stop);
}

}  // namespace

RunSequence::RunSequence(const Options& options) : schedule_(options.restarts, *options.popsize) {}

void RunSequence::close(const Run& run, const Tally& tally, StopReason reason) {
  finished_.push_back(run.summary(tally, reason));
}

void RunSequence::note_convergence(const Run& run, const Tally& tally, StopReason reason) {
  if (stop_info(reason).kind != StopKind::converged || run.has_missed_best(reason, tally)) return;
  if (converged_f_ <= tally.run_best || tally.run_violation > 0) return;
  converged_f_ = tally.run_best;
  converged_to_within_ = run.clear_difference();
}

void RunSequence::reopen_converged() {
  if (converged_f_ == finished_.back().fun) {
    converged_f_ = Tally::nan;
    converged_to_within_ = 0;
  }
  reopen();
}

std::optional<RunSequence::Next> RunSequence::next(const Run& run, const Tally& tally, StopReason reason,
                                                   const Options& options) {
  note_convergence(run, tally, reason);
  if (reason == StopReason::separable) {  // a short run around the end of the lines, which the schedule does not count
    visit_nfev_ += tally.run_nfev;
    return Next{{*options.popsize, 0.01, {}}, true};
  }
  const bool is_best_missed = run.has_missed_best(reason, tally) && tally.is_best_of_run() && !is_best_converged(tally);
  if (is_best_missed && options.restarts.kind != Restarts::Kind::none && !(visited_ <= tally.best_f)) {
    visited_ = tally.best_f;
    visit_nfev_ += tally.run_nfev;
    // The valley of a lucky sample is narrower than the distribution that hit it.
    return Next{{*options.popsize, 0.1 * tally.best_sigma, {}}, true};
  }
  Matrix draws(1, 2);
  CounterNormals(*options.seed, static_cast<std::uint32_t>(run.number())).fill(schedule_draw, draws);
  const auto plan = schedule_.next(visit_nfev_ + tally.run_nfev, uniform_of(draws(0, 0)), uniform_of(draws(0, 1)));
  visit_nfev_ = 0;
  if (!plan) return std::nullopt;
  return Next{*plan};
}

void RunSequence::visit(StateVisitor& visitor) {
  schedule_.visit(visitor);
  visitor.scalar("visited", visited_);
  visitor.scalar("converged f", converged_f_);
  visitor.scalar("converged to within", converged_to_within_);
  visit_count(visitor, "visit nfev", visit_nfev_);
  auto count = static_cast<std::int64_t>(finished_.size());
  visitor.integer("finished runs", count);
  if (count < 0 || count > most_runs) reject("checkpoint: finished runs", count, "no search has that many");
  finished_.resize(static_cast<std::size_t>(count));
  for (RunSummary& run : finished_) visit_summary(visitor, run);
}

}  // namespace surefoot
