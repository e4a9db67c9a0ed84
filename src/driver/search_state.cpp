// What a checkpoint holds of a search: everything that it needs to go on bit for bit.

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/failure_state.hpp"
#include "driver/checkpoint/state_bytes.hpp"
#include "driver/checkpoint/stop_state.hpp"
#include "driver/search.hpp"
#include "surefoot/method.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {
namespace {

void visit_outcome(StateVisitor& visitor, Outcome& outcome) {
  auto state = static_cast<std::int64_t>(outcome.state);
  std::int64_t attempts = outcome.attempts;
  Vector constraints =
      Eigen::Map<const Vector>(outcome.constraints.data(), static_cast<Index>(outcome.constraints.size()));
  visitor.integer("state", state);
  visitor.integer("attempts", attempts);
  visitor.scalar("value", outcome.f);
  visitor.vector("constraints", constraints);
  if (state < 0 || state > static_cast<std::int64_t>(Outcome::State::failed)) {
    reject("checkpoint: state of a candidate", state, "there is none of this number");
  }
  if (attempts < 0 || attempts > most_attempts) reject("checkpoint: attempts", attempts, "no candidate has so many");
  outcome.state = static_cast<Outcome::State>(state);
  outcome.attempts = static_cast<int>(attempts);
  outcome.constraints.assign(constraints.begin(), constraints.end());
}

void visit_plan(StateVisitor& visitor, std::int64_t& number, RunPlan& plan) {
  std::int64_t maxfevals = plan.maxfevals.value_or(-1);
  visitor.integer("run", number);
  visitor.integer("run popsize", plan.popsize);
  visitor.scalar("run sigma factor", plan.sigma_factor);
  visitor.integer("run maxfevals", maxfevals);
  if (plan.popsize < 2 || plan.popsize > largest_size || number < 0 || number > most_runs || !(plan.sigma_factor > 0)) {
    throw std::invalid_argument("checkpoint: the present run makes no sense");
  }
  plan.maxfevals = maxfevals < 0 ? std::nullopt : std::optional(maxfevals);
}

/// A point that messages will show, or none.
void require_failed_point(const Domain& domain, const Vector& x) {
  if (x.size() == 0 || (x.size() == domain.user_dimension() && x.allFinite() && domain.contains(x))) return;
  throw std::invalid_argument("checkpoint: a point whose evaluation failed is none of this search");
}

/// What may end a run sooner or later in another session.
Vector tolerances_of(const Options& o) {
  return Vector{{o.tolconditioncov.value_or(-1), static_cast<double>(o.tolflatfitness), o.tolfun, o.tolfunhist,
                 static_cast<double>(o.tolstagnation.value_or(-1)), o.tolupsigma, o.tolx, o.noeffectaxis ? 1.0 : 0.0,
                 o.noeffectcoord ? 1.0 : 0.0}};
}

bool is_by_tolerance(StopReason reason) {
  switch (reason) {
    case StopReason::tolx:
    case StopReason::tolfun:
    case StopReason::tolfunhist:
    case StopReason::tolupsigma:
    case StopReason::tolconditioncov:
    case StopReason::tolflatfitness:
    case StopReason::tolstagnation:
    case StopReason::noeffectaxis:
    case StopReason::noeffectcoord:
    case StopReason::model: return true;
    default: return false;
  }
}

}  // namespace

void Search::save(StateVisitor& writer) const {
  Setup setup = setup_;
  Succession now{runs_, is_unapplied_ ? tally_.without_last(stage_) : tally_, nullptr, is_over_ ? stop_ : Stop{}};
  // The end by a budget is not part of the state: with another one the search goes on.
  if (stop_ && !is_over_ && is_run_closed()) now.runs.reopen();
  if (run_stop_) now = succession(std::move(now.runs));
  Run& run = now.run ? *now.run : *run_;
  std::int64_t number = run.number();
  RunPlan plan = run.plan();
  double seconds = elapsed();
  double condition = condition_;
  visit_identity(writer, setup);
  writer.scalar("elapsed", seconds);
  writer.scalar("condition", condition);
  now.tally.visit(writer, !setup_.rules.empty());
  now.runs.visit(writer);
  visit_plan(writer, number, plan);
  save_run(writer, run);
  LineStage lines = lines_;
  if (run.rounds() != nullptr) lines.visit(writer, setup_);
  visit_stop(writer, "end", now.end);
  auto is_broken = static_cast<std::int64_t>((now.end ? now.end : stop_).reason == StopReason::failing);
  Vector tolerances = tolerances_of(setup_.options);
  writer.integer("objective failed", is_broken);
  writer.vector("tolerances", tolerances);
  save_generation(writer);
}

/// In a callback the last round has not been taken back yet.
void Search::save_run(StateVisitor& writer, Run& run) const {
  if (!before_round_) return run.visit(writer);
  Rounds present = std::exchange(*run.rounds(), *before_round_);
  run.visit(writer);
  *run.rounds() = std::move(present);
}

void Search::restore(StateVisitor& reader) {
  visit_identity(reader, setup_);
  runs_ = RunSequence(setup_.options);  // with restarts that the checkpoint may have decided
  reader.scalar("elapsed", elapsed_before_);
  reader.scalar("condition", condition_);
  tally_.visit(reader, !setup_.rules.empty());
  require_failed_point(*setup_.domain, tally_.last_failure_x);
  for (const FailureCount& kind : tally_.kinds) require_failed_point(*setup_.domain, kind.x);
  runs_.visit(reader);
  std::int64_t number = 0;
  RunPlan plan = runs_.first();
  visit_plan(reader, number, plan);
  run_ = std::make_unique<Run>(setup_, number, plan, setup_.domain->start().mean, run_budget(plan),
                               run_model_budget(tally_));
  run_->visit(reader);
  if (run_->is_within_generation()) run_->sample(static_cast<std::uint64_t>(tally_.run_nit));
  if (run_->rounds() != nullptr) lines_.visit(reader, setup_);
  visit_stop(reader, "end", stop_);
  is_over_ = static_cast<bool>(stop_);
  std::int64_t is_broken = 0;
  Vector tolerances;
  reader.integer("objective failed", is_broken);
  reader.vector("tolerances", tolerances);
  const Vector tolerances_now = tolerances_of(setup_.options);
  if (tolerances.size() != tolerances_now.size()) {
    reject("checkpoint: number of tolerances", tolerances.size(), "it must be " + text(tolerances_now.size()));
  }
  const bool has_other_tolerances = tolerances != tolerances_now;
  if (is_over_ && runs_.finished().empty()) throw std::invalid_argument("checkpoint: a search that is over has no run");
  if (is_over_ && (is_broken != 0 || (has_other_tolerances && is_by_tolerance(last_reason())))) go_on();
  restore_generation(reader, is_broken != 0);
}

/// Takes back the end of the last run, which was not for good.
void Search::go_on() {
  runs_.reopen_converged();
  stop_ = {};
  is_over_ = false;
}

/// The outcomes of an unfinished generation. Its population is not stored: sampling again gives the same.
void Search::save_generation(StateVisitor& writer) const {
  std::int64_t size = is_asked_ ? generation_.size() : 0;
  auto stage = static_cast<std::int64_t>(stage_);
  writer.integer("generation size", size);
  writer.integer("stage", stage);
  if (size == 0) return;
  for (Index i = 0; i < static_cast<Index>(size); ++i) {
    Outcome outcome = generation_.outcome(i);
    visit_outcome(writer, outcome);
  }
  auto count = static_cast<std::int64_t>(generation_.failures().size());
  writer.integer("failures", count);
  for (Failure failure : generation_.failures()) visit_failure(writer, failure, generation_.size());
}

/// With room for as many outcomes. Points for which a smaller budget had no room come back with the others.
void Search::ask_again(std::int64_t stage, std::int64_t size) {
  if (stage < 0 || stage > static_cast<std::int64_t>(Stage::closing)) {
    reject("checkpoint: stage", stage, "there is none of this number");
  }
  const bool is_whole = static_cast<Stage>(stage) == Stage::population && run_->rounds() == nullptr;
  const Index most = most_points(static_cast<Stage>(stage));
  if (size < 1 || size > most || (is_whole && size != most)) {
    reject("checkpoint: generation size", size, "the run's popsize is another one");
  }
  const bool is_closing = static_cast<Stage>(stage) == Stage::closing;
  const std::int64_t room = is_closing ? size : std::clamp<std::int64_t>(evaluations_left(), size, most);
  ask(static_cast<Stage>(stage), static_cast<Index>(room));
}

/// `forgives`: the objective failed for good and was perhaps repaired, so what failed is evaluated again.
void Search::restore_generation(StateVisitor& reader, bool forgives) {
  std::int64_t size = 0;
  std::int64_t stage = 0;
  reader.integer("generation size", size);
  reader.integer("stage", stage);
  if (size != 0) {
    ask_again(stage, size);
    for (Index i = 0; i < static_cast<Index>(size); ++i) {
      Outcome outcome;
      visit_outcome(reader, outcome);
      generation_.restore(i, outcome);
    }
    std::int64_t count = 0;
    reader.integer("failures", count);
    for (std::int64_t k = 0; k < count; ++k) {
      Failure failure;
      visit_failure(reader, failure, generation_.size());
      generation_.restore_failure(failure);
    }
  }
  if (forgives && is_asked_) generation_.forget_failures();
  if (forgives) tally_.forgive();
  settle_restored();
}

/// A generation without outcomes is asked for again, since the budget may be another one; and there is none where the
/// budget is used.
void Search::settle_restored() {
  const bool is_untouched = is_asked_ && generation_.count_set() == 0 && generation_.failures().empty();
  if (is_untouched) is_asked_ = false;
  if (!stop_ && !is_asked_ && evaluations_left() <= 0) {
    stop_ = met_end();
    close_run(stop_.reason);
  } else if (is_untouched) {
    generation();
  }
}

/// What has attempts left is evaluated again, and a value without its constraints is refused when it is told.
bool Search::may_end_again() const {
  if (!generation_.is_complete()) return false;
  for (Index i = 0; i < generation_.size(); ++i) {
    const Outcome& outcome = generation_.outcome(i);
    if (outcome.state == Outcome::State::failed && outcome.attempts <= setup_.options.failures.retry) return false;
    const auto wanted = static_cast<std::size_t>(setup_.rules.size());
    if (outcome.state == Outcome::State::evaluated && outcome.constraints.size() != wanted) return false;
  }
  return true;
}

/// The generation that had ended it is known, and so observers were told of it. What it would teach stays untaught, as
/// it was. An interruption is for its own process only.
void Search::end_again() {
  if (stop_ || !is_asked_ || !may_end_again()) return;
  const Tally before = tally_;
  std::optional<Rounds> rounds;
  if (is_round()) rounds = *run_->rounds();
  static_cast<void>(count(generation_.population()));
  if (rounds) *run_->rounds() = *std::move(rounds);
  before_round_.reset();
  if (stop_.reason == StopReason::interrupted) stop_ = {};
  if (stop_) {
    is_unapplied_ = true;
    close_run(stop_.reason);
  } else {
    tally_ = before;
  }
}

namespace {

/// The distribution in the coordinates of the box; the reader stands after it.
Start read_distribution(StateReader& reader, const std::string& method) {
  Vector x0;
  Vector units;
  reader.skip_to("x0");
  reader.vector("x0", x0);
  reader.skip_to("units");
  reader.vector("units", units);
  if (units.size() > 0 && units.size() != x0.size()) {
    throw std::invalid_argument("checkpoint: a search with fixed coordinates cannot be the start of another one");
  }
  reader.skip_to("m");
  Start start = find_method(method).read_start(reader);
  if (start.mean.size() != x0.size() || start.deviations.size() != x0.size() ||
      (start.factor && start.factor->cols() != x0.size()) ||
      (start.direction && start.direction->size() != x0.size())) {
    throw std::invalid_argument("checkpoint: its distribution is of another dimension");
  }
  if (units.size() > 0) start.rescale(units);
  return start;
}

bool has_names(const std::string& state) {
  StateReader reader(state);
  reader.skip_to("seed");
  std::string seed;
  reader.text("seed", seed);
  return reader.has_next("space");
}

Space unnamed_space(const Start& start) {
  Space space;
  for (Index j = 0; j < start.dimension(); ++j) {
    space.real(std::string("x").append(text(j)), {.start = start.mean[j], .sigma = start.deviations[j]});
  }
  return space;
}

std::vector<Vector> read_probabilities(StateReader& reader, const Space& space) {
  std::vector<Vector> probabilities;
  for (const Parameter& p : space.parameters()) {
    if (p.kind != Parameter::Kind::choice || p.is_fixed()) continue;
    reader.skip_to("q");
    reader.vector("q", probabilities.emplace_back());
  }
  return probabilities;
}

}  // namespace

Start distribution_of_state(const std::string& state) {
  if (has_names(state)) {
    throw std::invalid_argument(
        "checkpoint: its parameters have names, so it is the start of searches with names only");
  }
  StateReader reader(state);
  std::string method;
  reader.text("method", method);
  return read_distribution(reader, method);
}

NamedStart named_start_of_state(const std::string& state) {
  StateReader reader(state);
  std::string method;
  reader.text("method", method);
  NamedStart named;
  if (has_names(state)) {
    std::string space;
    reader.skip_to("space");
    reader.text("space", space);
    named.space = Space::from_text(space);
  }
  named.start = read_distribution(reader, method);
  if (named.space.empty()) named.space = unnamed_space(named.start);
  named.probabilities = read_probabilities(reader, named.space);
  return named;
}

}  // namespace surefoot
