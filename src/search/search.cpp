#include "search/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "search/record.hpp"
#include "search/stop/search_ends.hpp"

namespace surefoot {

Search::Search(Setup setup) : setup_(std::move(setup)), watch_(setup_.options), runs_(setup_), present_(setup_) {
  tally_.best_x = setup_.domain->user_start();
  tally_.is_begun = setup_.known_count() == 0;
  present_.generation().on_cancel([this] { return watch_.cancel_reason() != StopReason::none; });
  present_.generation().on_done(setup_.on_outcome);
}

void Search::begin() {
  stages_ = make_stages(setup_);
  tally_.noise = found_noise();
  runs_.begin(tally_);
  present_.enter(runs_.present().stage());
}

void Search::on_outcome(std::function<void(Index)> done) {
  setup_.on_outcome = std::move(done);
  present_.generation().on_done(setup_.on_outcome);
}

std::int64_t Search::told() const {
  return tally_.nit + tally_.rounds + (tally_.is_begun && setup_.known_count() > 0 ? 1 : 0);
}

// Ask.

Stage& Search::next_stage() const {
  if (Stage* due = due_stage(stages_, tally_)) return *due;
  Stage& next = runs_.present().next_stage(evaluations_left());
  Stage* const closing = next.counting().has_mean ? closing_stage(stages_) : nullptr;
  return closing != nullptr ? *closing : next;
}

std::int64_t Search::evaluations_left() const {
  const auto& maxfevals = setup_.options.maxfevals;
  return maxfevals ? *maxfevals - tally_.nfev : std::numeric_limits<std::int64_t>::max();
}

Index Search::generation_size() const {
  if (is_asked()) return present_.generation().size();
  return static_cast<Index>(std::clamp<std::int64_t>(evaluations_left(), 1, next_stage().size()));
}

Generation& Search::generation() {
  if (!is_asked()) present_.ask(next_stage(), generation_size(), tally_);
  return present_.generation();
}

// Tell.

void Search::tell(const Vector& values) {
  require_asked();
  present_.require_fit(present_.generation().population(), values.size());
  present_.generation().put_values(values);
  finish(present_.generation().population());
}

void Search::tell(const Matrix& points, const Vector& values) {
  require_asked();
  present_.require_fit(points, values.size());
  present_.find_changes(points);
  present_.generation().put_values(values);
  finish(points);
}

void Search::tell(const std::vector<Evaluation>& evaluations) {
  require_asked();
  present_.require_fit(present_.generation().population(), static_cast<Index>(evaluations.size()));
  present_.put_values(evaluations);
  finish(present_.generation().population());
}

void Search::tell(const Matrix& points, const std::vector<Evaluation>& evaluations) {
  require_asked();
  present_.require_fit(points, static_cast<Index>(evaluations.size()));
  present_.find_changes(points);
  present_.put_values(evaluations);
  finish(points);
}

void Search::tell() {
  require_asked();
  const Generation& generation = present_.generation();
  if (generation.is_complete()) return finish(generation.population());
  const StopReason reason = watch_.cancel_reason();
  if (reason == StopReason::none) {
    throw std::invalid_argument("tell: candidate " + text(generation.open_candidates().front()) + " of " +
                                text(generation.size()) + " has no outcome; an evaluator must set or fail all");
  }
  abandon(reason);
}

void Search::abandon(StopReason reason) {
  if (stop_) return;
  stop_ = watch_.end_by(reason);
  runs_.close(tally_, reason);
}

/// An observer may say so too, of a run that is over or not.
void Search::stop_because(std::string sentence) {
  if (stop_) return;
  stop_ = {StopReason::requested, std::move(sentence)};
  if (!runs_.is_closed()) runs_.close(tally_, stop_.reason);
}

void Search::require_asked() const {
  if (stop_) throw std::invalid_argument("tell: the search has stopped (" + std::string(name(stop_.reason)) + ")");
  if (!is_asked()) throw std::invalid_argument("tell: call ask first, which gives the population");
}

/// Evaluated; test for the end, update, test whether the run is over. A checkpoint keeps a generation that a budget
/// ended with its values, so that a search which continues with a larger one does the update then.
void Search::finish(const Matrix& points) {
  const bool is_complete = count(points);
  if (!stop_) {
    for (const auto& stage : stages_) stage->see(points, present_.generation(), present_.stage().counting());
  }
  if (!is_complete) present_.stage().drop();
  const Counting counting = present_.stage().counting();
  if (stop_) is_unapplied_ = !counting.has_mean && !present_.is_changed();
  run_stop_ = is_complete && !stop_ ? learn() : Stop{};
  present_.close(is_unapplied_);
  try {
    if (is_complete) notify(run_stop_ || stop_);
  } catch (...) {  // the search can continue as if they had said nothing
    conclude();
    throw;
  }
  conclude();
}

bool Search::count(const Matrix& points) {
  present_.gather_values();
  const Stage& stage = present_.stage();
  const double sigma = run().distribution().sigma() / setup_.domain->start_sigma();
  tally_.count(present_.generation(), points, sigma, setup_.rules, !stage.has_begun());
  tally_.note_kept(stage.best_kept());
  if (!stage.counting().is_in_run) tally_.set_apart();
  if (stage.is_in_parts()) stop_ = met_end_within();
  const bool is_complete = stop_ || end_part();
  if (!is_complete) return false;
  tally_.end_generation(stage.counting());
  if (!stop_) stop_ = met_end();
  return true;
}

/// An end that comes after the last part of a generation keeps the state before it for a search with a larger budget.
bool Search::end_part() {
  Stage& stage = present_.stage();
  const auto& maxiter = setup_.options.maxiter;
  const bool may_be_last = std::isnan(tally_.generation_best) || (maxiter && tally_.nit + 1 >= *maxiter);
  if (may_be_last) stage.keep();
  const bool is_complete = stage.take(present_.told().values, present_.generation().failures());
  if (!is_complete) ++tally_.rounds;
  return is_complete;
}

Stop Search::met_end_within() const {
  if (Stop stop = surefoot::met_end_within(setup_.options, tally_, present_.generation().failures())) return stop;
  return watch_.met_cancel();
}

/// Between two generations that are evaluated in parts an interruption comes too late: the last part has changed the
/// stage.
Stop Search::met_end() const {
  if (Stop stop = surefoot::met_end(setup_.options, tally_, present_.generation().failures())) return stop;
  return present_.stage().is_in_parts() ? Stop{} : watch_.met_cancel();
}

/// After the update, so that a distribution which cannot be sampled is never handed to the objective.
Stop Search::learn() {
  Stage& stage = present_.stage();
  stage.drop();
  Consequence consequence = stage.learn(present_.told(), tally_);
  tally_.is_begun = true;
  if (consequence.begins_at) runs_.begin_again(tally_, *consequence.begins_at);
  if (consequence.is_for_model) {
    const Generation& known = present_.generation();
    for (Index i = 0; i < known.size(); ++i) {
      runs_.present().stage().remember(setup_.domain->to_search(known.population().col(i)), known.value(i));
    }
  }
  tally_.noise = found_noise();
  if (consequence.search_over) end_search(std::move(consequence.search_over));
  if (stop_) return {};
  if (consequence.run_over || !stage.counting().is_of_run) return std::move(consequence.run_over);
  if (Stop stop = met_barren_ground(setup_.options, tally_, present_.generation().failures())) return stop;
  if (Stop stop = run().met_budget(tally_)) return stop;
  for (const auto& other : stages_) other->look(run(), tally_);
  return {};
}

/// For good: no budget would change it.
void Search::end_search(Stop stop) {
  stop_ = std::move(stop);
  is_over_ = true;
  runs_.close(tally_, stop_.reason);
}

void Search::conclude() {
  present_.stage().take_back();
  if (!stop_ && run_stop_) end_run();
  if (stop_ && !runs_.is_closed()) runs_.close(tally_, stop_.reason);
}

/// Continues with another run if there is one, otherwise ends the search.
void Search::end_run() {
  stop_ = runs_.follow(run_stop_, tally_);
  is_over_ = static_cast<bool>(stop_);
  run_stop_ = {};
  present_.enter(runs_.present().stage());
}

/// To measure the condition takes O(d^3), which would dwarf a generation of many dimensions. What is measured because a
/// budget ends the search is no part of its course.
void Search::notify(bool is_last) {
  const Options& options = setup_.options;
  if (!options.observer && !options.callback) return;
  const std::int64_t interval = 1 + run().distribution().dimension() / 20;
  const bool is_due = tally_.run_nit % interval == 0 || tally_.run_nit == 1 || run_stop_;
  double condition = condition_;
  if (options.observer && (is_due || is_last)) condition = run().distribution().condition();
  if (!stop_) condition_ = condition;
  const Record now = record_of(*this, condition);
  if (options.observer) options.observer(now);
  if (!options.callback) return;
  const StopRequest request = options.callback(now);
  if (!request || stop_) return;
  stop_ = request.sentence().empty() ? Stop{StopReason::callback, "stopped by the callback"}
                                     : Stop{StopReason::requested, request.sentence()};
}

}  // namespace surefoot
