#include "driver/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/draws.hpp"
#include "driver/stop/end_criteria.hpp"

namespace surefoot {

Search::Search(Setup setup) : setup_(std::move(setup)), runs_(setup_.options) {
  tally_.best_x = setup_.domain->user_start();
  tally_.is_begun = setup_.known_count() == 0;
  generation_.on_cancel([this] { return cancel_reason() != StopReason::none; });
  generation_.on_done(setup_.on_outcome);
}

void Search::begin() { begin_run(0, runs_.first(), setup_.domain->start().mean); }

void Search::on_outcome(std::function<void(Index)> done) {
  setup_.on_outcome = std::move(done);
  generation_.on_done(setup_.on_outcome);
}

std::int64_t Search::told() const {
  return tally_.nit + tally_.rounds + (tally_.is_begun && setup_.known_count() > 0 ? 1 : 0);
}

// Ask.

Stage Search::next_stage() const {
  if (!tally_.is_begun) return Stage::known;
  if (lines_.is_active()) return Stage::lines;
  if (run_->is_within_generation()) return Stage::population;
  // One evaluation is kept for the mean, which is often better than any sample. A model needs no whole population.
  const Index least = run_->rounds() != nullptr ? 1 : run_->strategy().popsize();
  return evaluations_left() > least ? Stage::population : Stage::closing;
}

std::int64_t Search::evaluations_left() const {
  const auto& maxfevals = setup_.options.maxfevals;
  return maxfevals ? *maxfevals - tally_.nfev : std::numeric_limits<std::int64_t>::max();
}

Index Search::generation_size() const {
  if (is_asked_) return generation_.size();
  return static_cast<Index>(std::clamp<std::int64_t>(evaluations_left(), 1, most_points(next_stage())));
}

Index Search::most_points(Stage stage) const {
  if (stage == Stage::known) return setup_.known_count();
  if (stage == Stage::lines && lines_.is_active()) return lines_.search().ask().cols();
  if (stage == Stage::population && run_->rounds() != nullptr) return run_->rounds()->size();
  return run_->strategy().popsize();
}

Generation& Search::generation() {
  if (!is_asked_) ask(next_stage(), generation_size());
  return generation_;
}

void Search::ask(Stage stage, Index count) {
  stage_ = stage;
  changed_.clear();
  if (stage == Stage::known) {
    generation_.start_with([&](Matrix& points) -> const Matrix& {
      points.resize(setup_.domain->user_dimension(), count);
      for (Index i = 0; i < count; ++i) points.col(i) = setup_.known_point(i);
      return points;
    });
  } else if (stage == Stage::lines) {
    round_ = lines_.search().ask().leftCols(count);
    generation_.start_with([&](Matrix& room) -> const Matrix& { return setup_.domain->to_user(round_, room); });
  } else if (is_round()) {
    ask_round(count);
  } else if (stage == Stage::population) {
    population_ = &run_->sample(static_cast<std::uint64_t>(tally_.run_nit));
    generation_.start_with([&](Matrix& room) -> const Matrix& {
      const Matrix& points = setup_.domain->to_user(*population_, room);
      setup_.domain->put_choices(run_->choices(), room);
      return points;
    });
  } else {
    const Matrix& samples = run_->sample(closing_draw + static_cast<std::uint64_t>(tally_.nit));
    generation_.start_with([&](Matrix& points) -> const Matrix& {
      write_closing(samples, count, points);
      return points;
    });
  }
  is_asked_ = true;
}

/// Only a generation that begins is sampled: its later rounds are other candidates of the same population.
void Search::ask_round(Index count) {
  if (!run_->is_within_generation()) run_->begin_rounds(static_cast<std::uint64_t>(tally_.run_nit));
  round_ = run_->rounds()->points(count);
  generation_.start_with([&](Matrix& room) -> const Matrix& { return setup_.domain->to_user(round_, room); });
}

/// What is left of the budget: the mean, unless it has a value already, and samples that nothing is learned from.
void Search::write_closing(const Matrix& samples, Index count, Matrix& points) const {
  const Index means = tally_.run_nit > tally_.closed_at ? 1 : 0;
  Matrix room;
  Matrix all = setup_.domain->to_user(samples, room);
  setup_.domain->put_choices(run_->choices(), all);
  points.resize(setup_.domain->user_dimension(), count);
  if (means > 0) points.col(0) = favourite();
  points.rightCols(count - means) = all.leftCols(count - means);
}

/// The mean, with the most probable choices.
Vector Search::favourite() const {
  Matrix point = setup_.domain->to_user(run_->distribution().mean());
  setup_.domain->put_choices(run_->categorical().favourites(), point);
  return point.col(0);
}

// Tell.

void Search::tell(const Vector& values) {
  if (!is_asked_) throw std::invalid_argument("tell: there is no population to have values; call ask first");
  check(generation_.population(), values.size());
  generation_.put_values(values);
  finish(generation_.population());
}

void Search::tell(const Matrix& points, const Vector& values) {
  check(points, values.size());
  find_changes(points);
  generation_.put_values(values);
  finish(points);
}

void Search::tell(const std::vector<Evaluation>& evaluations) {
  if (!is_asked_) throw std::invalid_argument("tell: there is no population to have values; call ask first");
  check(generation_.population(), static_cast<Index>(evaluations.size()));
  put_values(evaluations);
  finish(generation_.population());
}

void Search::tell(const Matrix& points, const std::vector<Evaluation>& evaluations) {
  check(points, static_cast<Index>(evaluations.size()));
  find_changes(points);
  put_values(evaluations);
  finish(points);
}

void Search::tell() {
  if (!is_asked_) throw std::invalid_argument("tell: call ask first");
  if (generation_.is_complete()) return finish(generation_.population());
  const StopReason reason = cancel_reason();
  if (reason == StopReason::none) {
    throw std::invalid_argument("tell: candidate " + text(generation_.open_candidates().front()) + " of " +
                                text(generation_.size()) + " has no outcome; an evaluator must set or fail all");
  }
  abandon(reason);
}

void Search::check(const Matrix& points, Index count) const {
  if (stop_) throw std::invalid_argument("tell: the search has stopped (" + std::string(name(stop_.reason)) + ")");
  if (!is_asked_) throw std::invalid_argument("tell: call ask first");
  const Matrix& asked = generation_.population();
  if (points.rows() != asked.rows() || points.cols() != asked.cols()) {
    reject("tell: candidates", "a " + text(points.rows()) + " x " + text(points.cols()) + " matrix",
           "it must be as ask gave it, " + text(asked.rows()) + " x " + text(asked.cols()));
  }
  if (count != asked.cols()) {
    reject("tell: values", "a list of " + text(count) + " numbers",
           "one per candidate is needed, " + text(asked.cols()));
  }
}

/// Which of the points are others than those asked for. The others keep their search coordinates exactly.
void Search::find_changes(const Matrix& points) {
  if (!points.allFinite()) throw std::invalid_argument("tell: candidates hold NaN or infinity; they must be finite");
  if (!setup_.domain->contains(points)) throw std::invalid_argument("tell: candidates must be within the bounds");
  for (Index i = 0; i < points.cols(); ++i) {
    if (points.col(i) != generation_.population().col(i)) changed_.push_back(i);
  }
  if (changed_.empty() || stage_ != Stage::population) return;
  if (is_round()) {
    for (const Index k : changed_) run_->rounds()->replace(k, setup_.domain->to_search(points.col(k)));
    return;
  }
  replaced_ = *population_;
  for (const Index i : changed_) replace(i, points.col(i));
}

/// A discrete value that is not the mean's lies in the middle of its cell. Otherwise the sample stays, whose place
/// within the cell means nothing.
void Search::replace(Index i, const Vector& user) {
  Vector x = setup_.domain->to_search(user);
  const Vector& mean = run_->distribution().mean();
  for (const auto& [j, unit, grid] : setup_.domain->discrete()) {
    const std::int64_t cell = grid.cell(unit * x[j]);
    if (cell != grid.cell(unit * mean[j])) continue;
    const double sampled = (*population_)(j, i);
    x[j] = grid.cell(unit * sampled) == cell ? sampled : mean[j];
  }
  replaced_.col(i) = x;
  run_->replace_choices(i, setup_.domain->choices_of(user).col(0));
}

void Search::put_values(const std::vector<Evaluation>& evaluations) {
  for (Index i = 0; i < generation_.size(); ++i) {
    const int attempts = std::max(1, generation_.outcome(i).attempts);
    generation_.restore(i, outcome_of(values_of(evaluations[static_cast<std::size_t>(i)]), attempts));
  }
}

/// Evaluated; test for the end, update, test whether the run is over.
void Search::finish(const Matrix& points) {
  if (stop_) throw std::invalid_argument("tell: the search has stopped (" + std::string(name(stop_.reason)) + ")");
  const bool ends = count(points);
  // A checkpoint keeps the generation with its values, so that a search which goes on with a larger budget does the
  // update then, as if it had never stopped.
  if (stop_) is_unapplied_ = stage_ != Stage::closing && changed_.empty();
  run_stop_ = ends && !stop_ ? learn() : Stop{};
  is_asked_ = is_unapplied_;
  try {
    if (ends) notify(run_stop_ || stop_);
  } catch (...) {  // the search can go on as if they had said nothing
    conclude();
    throw;
  }
  conclude();
}

bool Search::count(const Matrix& points) {
  generation_.write_values(values_);
  const bool begins = !is_round() || !run_->rounds()->has_begun();
  require_constraints();
  tally_.count(generation_, points, run_->distribution().sigma() / setup_.domain->start_sigma(), setup_.rules, begins);
  if (is_round()) stop_ = met_end_within();
  const bool ends = stop_ || end_round();
  if (ends) tally_.end_generation(stage_);
  if (ends && !stop_) {
    if (Stop stop = met_end()) stop_ = std::move(stop);
  }
  return ends;
}

void Search::conclude() {
  take_back_round();
  if (!stop_ && run_stop_) end_run();
  if (stop_ && !is_run_closed()) close_run(stop_.reason);
}

/// No failure but a mistake.
void Search::require_constraints() const {
  const auto wanted = static_cast<std::size_t>(setup_.rules.size());
  const Index size = generation_.size();
  for (Index i = 0; i < size; ++i) {
    const Outcome& outcome = generation_.outcome(i);
    if (outcome.constraints.size() == wanted || outcome.state != Outcome::State::evaluated) continue;
    reject("objective", "f with " + text(outcome.constraints.size()) + " values of constraints",
           "it must give " + text(wanted) + ": constraints = " + text(setup_.rules.inequalities) +
               ", equalities = " + text(setup_.rules.equalities));
  }
}

bool Search::end_round() {
  if (!is_round()) return true;
  const auto& maxiter = setup_.options.maxiter;
  const bool may_be_last = std::isnan(tally_.generation_best) || (maxiter && tally_.nit + 1 >= *maxiter);
  if (may_be_last) before_round_ = *run_->rounds();
  run_->rounds()->take(values_, generation_.failures());
  if (!run_->is_within_generation()) return true;
  ++tally_.rounds;
  before_round_.reset();
  return false;
}

/// An end that comes after the last round of a generation keeps that round for a search with a larger budget.
void Search::take_back_round() {
  if (before_round_) *run_->rounds() = *before_round_;
  before_round_.reset();
}

Stop Search::met_end_within() const {
  if (Stop stop = surefoot::met_end_within(setup_.options, tally_, generation_.failures())) return stop;
  return met_cancel();
}

Stop Search::met_end() const {
  if (Stop stop = surefoot::met_end(setup_.options, tally_, generation_.failures())) return stop;
  // Between two generations with a model it is too late: the last round has changed the model.
  return is_round() ? Stop{} : met_cancel();
}

Stop Search::met_cancel() const {
  const StopReason cancelled = cancel_reason();
  if (cancelled == StopReason::timeout) return timed_out();
  if (cancelled != StopReason::none) return {cancelled, "interrupted"};
  return {};
}

/// Says whether the run is over. After the update, so that a distribution which cannot be sampled is never handed to
/// the objective.
Stop Search::learn() {
  before_round_.reset();
  if (stage_ == Stage::known) learn_known();
  if (stage_ == Stage::lines) return learn_lines();
  if (stage_ != Stage::population) return {};
  if (Stop stop = is_round() ? run_->learn_from_rounds(tally_) : learn_population()) return stop;
  if (Stop stop = met_barren_ground(setup_.options, tally_, generation_.failures())) return stop;
  if (Stop stop = run_->met_budget(tally_)) return stop;
  if (is_line_search_due()) lines_.begin(setup_, tally_);
  return {};
}

bool Search::is_line_search_due() const {
  return run_->rounds() != nullptr && run_->number() == 0 &&
         lines_.is_due(setup_, tally_, run_->rounds()->surrogate().is_accepted());
}

Stop Search::learn_population() {
  run_->learn(generation_, changed_.empty() ? *population_ : replaced_, values_, changed_, tally_);
  return run_->test(values_, tally_);
}

/// A search along lines that finds out that the objective is no sum leaves the run as it was.
Stop Search::learn_lines() {
  SeparableSearch& lines = lines_.search();
  if (changed_.empty()) lines.tell(values_);
  const bool is_solved = lines.is_over() && !lines.has_given_up();
  if (lines.is_over() || !changed_.empty()) lines_.end();
  if (!is_solved) return {};
  return {StopReason::separable, "converged: the minima along the coordinates were found one by one"};
}

void Search::learn_known() {
  tally_.is_begun = true;
  begin_at_best_known();
  if (run_->rounds() == nullptr) return;
  for (Index i = 0; i < generation_.size(); ++i) {
    run_->rounds()->remember(setup_.domain->to_search(generation_.population().col(i)), values_[i]);
  }
}

/// The first run begins at the best of the known points.
void Search::begin_at_best_known() {
  if (!is_finite(tally_.best_f) || tally_.best_x == setup_.domain->user_start()) return;
  const std::int64_t nfev = tally_.run_nfev;
  begin_run(0, run_->plan(), setup_.domain->to_search(tally_.best_x));
  tally_.run_nfev = nfev;
  tally_.run_best = tally_.best_f;
  tally_.run_violation = tally_.best_violation;
}

void Search::abandon(StopReason reason) {
  if (stop_) return;
  stop_ = reason == StopReason::timeout ? timed_out() : Stop{reason, "interrupted"};
  close_run(reason);
}

/// An observer may say so too, of a run that is over or not.
void Search::stop_because(std::string sentence) {
  if (stop_) return;
  stop_ = {StopReason::requested, std::move(sentence)};
  if (!is_run_closed()) close_run(stop_.reason);
}

// Time.

double Search::elapsed() const {
  return elapsed_before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
}

Stop Search::timed_out() const {
  const auto& timeout = setup_.options.timeout;
  return {StopReason::timeout, timeout ? "time used: timeout = " + text(*timeout) + " s" : "time used"};
}

StopReason Search::cancel_reason() const {
  if (cancelled_ != StopReason::none) return cancelled_;
  const Options& options = setup_.options;
  if (options.interrupt && options.interrupt()) {
    cancelled_ = StopReason::interrupted;
  } else if (options.timeout && elapsed() >= *options.timeout) {
    cancelled_ = StopReason::timeout;
  }
  return cancelled_;
}

}  // namespace surefoot
