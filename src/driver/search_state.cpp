// What a checkpoint holds of a search: everything that it needs to go on bit for bit.

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/completed_options.hpp"
#include "driver/search.hpp"
#include "driver/state_bytes.hpp"
#include "surefoot/method.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {
namespace {

std::string listed_numbers(const Vector& numbers) {
  std::string list;
  for (const double number : numbers) list.append(list.empty() ? "" : ",").append(text(number));
  return list;
}

/// A field of a checkpoint that must be what this search has.
void require_same(StateVisitor& visitor, const char* name, const std::string& ours) {
  std::string found = ours;
  visitor.text(name, found);
  if (found != ours) {
    reject(std::string("checkpoint: ") + name, "'" + found + "'", "this search has '" + ours + "'");
  }
}

}  // namespace

void Search::visit_identity(StateVisitor& visitor) {
  // What the user left open is as the checkpoint has it.
  const auto adopt = [&visitor](const char* name, bool is_open, std::string& ours) {
    if (is_open) {
      visitor.text(name, ours);
    } else {
      require_same(visitor, name, ours);
    }
  };
  adopt("method", left_open_.method, options_.method);
  std::string learning_rate = options_.learning_rate.text();
  adopt("learning_rate", left_open_.learning_rate, learning_rate);
  if (learning_rate != options_.learning_rate.text()) options_.learning_rate = learning_rate;
  require_same(visitor, "popsize", text(*options_.popsize));
  std::string restarts = options_.restarts.text();
  adopt("restarts", left_open_.restarts, restarts);
  if (left_open_.restarts && restarts != options_.restarts.text()) {
    options_.restarts = restarts;
    schedule_ = RestartSchedule(options_.restarts, *options_.popsize);
  }
  require_same(visitor, "x0", listed_numbers(domain_.user_start()));
  require_same(
      visitor, "sigma0",
      listed_numbers(domain_.user_deviations(Vector::Constant(domain_.search_dimension(), domain_.start_sigma()))));
  require_same(visitor, "lower bounds", listed_numbers(domain_.user_lower()));
  require_same(visitor, "upper bounds", listed_numbers(domain_.user_upper()));
  require_same(visitor, "number of points from evaluate_x0 and inject", text(known_.cols()));
  for (Index i = 0; i < known_.cols(); ++i) require_same(visitor, "known point", listed_numbers(known_.col(i)));
  Vector units = domain_.units();
  visitor.vector("units", units);
  std::string seed = text(*options_.seed);
  adopt("seed", left_open_.seed, seed);
  try {
    options_.seed = std::stoull(seed);
  } catch (const std::exception&) {
    reject("checkpoint: seed", "'" + seed + "'", "it must be a number");
  }
}

void Search::visit_runs(StateVisitor& visitor, bool is_restoring) {
  schedule_.visit(visitor);
  auto count = static_cast<std::int64_t>(finished_runs_.size());
  visitor.integer("finished runs", count);
  if (is_restoring) {
    if (count < 0 || count > 1000000) reject("checkpoint: finished runs", count, "no search has so many");
    finished_runs_.assign(static_cast<std::size_t>(count), RunSummary{});
  }
  for (RunSummary& run : finished_runs_) {
    auto stop = static_cast<std::int64_t>(run.stop);
    visitor.integer("popsize", run.popsize);
    visitor.scalar("sigma factor", run.sigma_factor);
    visitor.integer("nfev", run.nfev);
    visitor.integer("nit", run.nit);
    visitor.scalar("fun", run.fun);
    visitor.integer("stop", stop);
    run.stop = static_cast<StopReason>(stop);
  }
  std::int64_t maxfevals = plan_.maxfevals.value_or(-1);
  visitor.integer("run", run_);
  visitor.integer("run popsize", plan_.popsize);
  visitor.scalar("run sigma factor", plan_.sigma_factor);
  visitor.integer("run maxfevals", maxfevals);
  visitor.vector("run mean", run_mean_);
  if (is_restoring) {
    if (plan_.popsize < 2 || plan_.popsize > largest_size || run_ < 0 || !run_mean_.allFinite()) {
      throw std::invalid_argument("checkpoint: the present run makes no sense");
    }
    plan_.maxfevals = maxfevals < 0 ? std::nullopt : std::optional(maxfevals);
    begin_run(plan_, Vector(run_mean_));
  }
  visitor.integer("run nit", run_nit_);
  visitor.integer("run nfev", run_nfev_);
  visitor.integer("closed at", closed_at_);
  visitor.scalar("run best", run_best_);
  strategy_->visit(visitor);
  criteria_->visit(visitor);
}

/// The outcomes of an unfinished generation. Its population is not stored: sampling again gives the same.
void Search::visit_generation(StateVisitor& visitor, bool is_restoring) {
  std::int64_t size = asked_ == nullptr ? 0 : generation_.size();
  auto stage = static_cast<std::int64_t>(stage_);
  visitor.integer("generation size", size);
  visitor.integer("stage", stage);
  if (size == 0) return;
  if (is_restoring) restore_generation(stage, size);
  for (Index i = 0; i < static_cast<Index>(size); ++i) {
    std::int64_t attempts = generation_.attempts(i);
    std::int64_t is_open = generation_.is_open(i) ? 1 : 0;
    double value = generation_.value(i);
    visitor.integer("open", is_open);
    visitor.integer("attempts", attempts);
    visitor.scalar("value", value);
    if (is_restoring && is_open == 0) generation_.restore(i, value, static_cast<int>(attempts));
  }
  auto count = static_cast<std::int64_t>(generation_.failures().size());
  visitor.integer("failures", count);
  for (std::int64_t k = 0; k < count; ++k) {
    Failure failure = is_restoring ? Failure{} : generation_.failures()[static_cast<std::size_t>(k)];
    std::int64_t candidate = failure.candidate;
    std::int64_t attempt = failure.attempt;
    auto kind = static_cast<std::int64_t>(failure.kind);
    visitor.integer("candidate", candidate);
    visitor.integer("attempt", attempt);
    visitor.integer("kind", kind);
    visitor.text("reason", failure.reason);
    if (!is_restoring) continue;
    if (candidate < 0 || candidate >= generation_.size()) reject("checkpoint: candidate", candidate, "there is none");
    failure.candidate = static_cast<long>(candidate);
    failure.attempt = static_cast<int>(attempt);
    failure.kind = static_cast<FailureKind>(kind);
    generation_.restore_failure(failure);
  }
}

void Search::restore_generation(std::int64_t stage, std::int64_t size) {
  if (stage < 0 || stage > static_cast<std::int64_t>(Stage::closing)) {
    reject("checkpoint: stage", stage, "there is none of this number");
  }
  const bool is_known = static_cast<Stage>(stage) == Stage::known;
  const bool is_whole = static_cast<Stage>(stage) == Stage::population;
  const Index most = is_known ? known_.cols() : strategy_->popsize();
  if (size < 1 || size > most || (is_whole && size != most)) {
    reject("checkpoint: generation size", size, "the run's popsize is another one");
  }
  const std::int64_t room = is_known ? std::clamp<std::int64_t>(evaluations_left(), size, most) : size;
  ask(static_cast<Stage>(stage), static_cast<Index>(room));
}

void Search::visit_end(StateVisitor& visitor, bool is_restoring) {
  auto reason = static_cast<std::int64_t>(is_over_ ? stop_.reason : StopReason::none);
  std::string sentence = is_over_ ? stop_.sentence : "";
  visitor.integer("end", reason);
  visitor.text("sentence", sentence);
  if (!is_restoring) return;
  is_over_ = reason != 0;
  if (is_over_) stop_ = {static_cast<StopReason>(reason), sentence};
}

void Search::visit(StateVisitor& visitor, bool is_restoring) {
  visit_identity(visitor);
  double seconds = elapsed();
  visitor.scalar("elapsed", seconds);
  if (is_restoring) {
    elapsed_before_ = seconds;
    begin_ = Clock::now();
    asked_ = population_ = nullptr;
    is_unapplied_ = false;
    stop_ = {};
  }
  if (is_unapplied_) recount_unapplied(-1);
  visitor.integer("nfev", nfev_);
  visitor.integer("nfailed", nfailed_);
  visitor.integer("nit", nit_);
  visitor.integer("barren generations", barren_generations_);
  visitor.scalar("best f", best_f_);
  visitor.scalar("generation best", generation_best_);
  visitor.scalar("condition", condition_);
  visitor.vector("best x", best_x_);
  visitor.scalar("best sigma", best_sigma_);
  visitor.scalar("visited", visited_);
  visitor.scalar("converged f", converged_f_);
  visitor.scalar("converged to within", converged_to_within_);
  visitor.integer("visit nfev", visit_nfev_);
  auto is_begun = static_cast<std::int64_t>(is_begun_);
  visitor.integer("begun", is_begun);
  is_begun_ = is_begun != 0;
  // The end by a budget is not part of the state: with another one the search goes on.
  const bool has_open_end = !is_restoring && stop_ && !is_over_;
  std::optional<RunSummary> last;
  if (has_open_end) {
    last = finished_runs_.back();
    finished_runs_.pop_back();
  }
  visit_runs(visitor, is_restoring);
  if (last) finished_runs_.push_back(*last);
  visit_end(visitor, is_restoring);
  visit_generation(visitor, is_restoring);
  if (is_unapplied_) recount_unapplied(1);
  if (is_restoring) settle_restored();
}

/// A generation without outcomes is asked for again, since the budget may be another one; and there is none where the
/// budget is used.
void Search::settle_restored() {
  const bool is_untouched = asked_ != nullptr && generation_.count_set() == 0 && generation_.failures().empty();
  if (is_untouched) asked_ = population_ = nullptr;
  if (!stop_ && asked_ == nullptr && evaluations_left() <= 0) {
    stop_ = met_end();
    close_run(stop_.reason);
  } else if (is_untouched) {
    ask();
  }
}

Start distribution_of_state(const std::string& state) {
  StateReader reader(state);
  std::string method;
  std::string x0;
  Vector units;
  reader.skip_to("method");
  reader.text("method", method);
  reader.skip_to("x0");
  reader.text("x0", x0);
  reader.skip_to("units");
  reader.vector("units", units);
  if (std::count(x0.begin(), x0.end(), ',') + 1 != units.size()) {
    throw std::invalid_argument("checkpoint: a search with fixed coordinates cannot be the start of another one");
  }
  reader.skip_to("m");
  Start start = find_method(method).read_start(reader);
  if (start.mean.size() != units.size() || start.deviations.size() != units.size() ||
      (start.factor && start.factor->cols() != units.size()) ||
      (start.direction && start.direction->size() != units.size())) {
    throw std::invalid_argument("checkpoint: units of another dimension");
  }
  start.rescale(units);
  return start;
}

}  // namespace surefoot
