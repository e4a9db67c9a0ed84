// What a search says about itself.

#include <algorithm>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/search.hpp"
#include "driver/telling_line.hpp"

namespace surefoot {

/// In the middle of a generation: what is known of it counts.
void Search::add_present_generation(Result& result) const {
  if (!is_asked_ || is_unapplied_) return;
  result.nfev += generation_.count_set() - generation_.count(Outcome::State::predicted);
  result.nfailed += generation_.count(Outcome::State::failed);
  for (Index i = 0; i < generation_.size(); ++i) {
    const Outcome& outcome = generation_.outcome(i);
    const double violation = setup_.rules.violation(outcome.constraints);
    if (outcome.state != Outcome::State::evaluated || !is_finite(outcome.f) || !is_finite(violation)) continue;
    if (!is_better(violation, outcome.f, result.violation, result.fun)) continue;
    result.fun = outcome.f;
    result.violation = violation;
    result.constraints = outcome.constraints;
    result.x = generation_.population().col(i);
  }
}

Result Search::result() const {
  Result r;
  r.x = tally_.best_x;
  r.fun = tally_.best_f;
  r.constraints = tally_.best_constraints;
  r.constraint_names = setup_.rules.all_names();
  r.violation = tally_.best_violation;
  r.multipliers = multipliers();
  r.nfev = tally_.nfev;
  r.nfailed = tally_.nfailed;
  r.nit = tally_.nit;
  add_present_generation(r);
  r.ncev = setup_.rules.empty() ? 0 : r.nfev;
  r.feasible = is_finite(r.fun) && r.violation == 0;
  r.stop = stop_.reason;
  const StopKind kind = stop_info(stop_.reason).kind;
  // Converged at its best point: by its end or, if a budget was the end, in a run before.
  const bool has_converged =
      (kind == StopKind::budget || kind == StopKind::converged) && runs_.is_best_converged(tally_);
  r.success = kind == StopKind::target || (!setup_.options.ftarget && r.feasible && has_converged);
  r.xfavorite = favourite();
  run_->distribution().deviations(r.stds);
  r.stds = setup_.domain->user_deviations(std::move(r.stds));
  setup_.domain->put_doubts(run_->categorical().doubts(), r.stds);
  r.runs = runs_.finished();
  if (!is_run_closed()) r.runs.push_back(run_->summary(tally_, StopReason::none));
  r.seed = *setup_.options.seed;
  r.message = message_of(r) + setup_.domain->note();
  if (!setup_.domain->space().empty()) r.values = Values(setup_.domain->space(), r.x);
  return r;
}

Place Search::place_of(Index candidate) const {
  const bool is_of_round = is_round() && run_->is_within_generation();
  const auto k = static_cast<std::size_t>(candidate);
  return {.run = run_->number() + 1,
          .generation = tally_.is_begun ? tally_.nit + 1 : 0,
          .candidate = is_of_round ? run_->rounds()->surrogate().wanted()[k] : candidate,
          .attempt = std::max(1, generation_.outcome(candidate).attempts)};
}

bool Search::has_counted(const Place& place) const {
  const std::int64_t present = tally_.is_begun ? tally_.nit + 1 : 0;
  if (place.generation != present) return place.generation < present;
  if (run_->is_within_generation() && place.candidate < run_->strategy().popsize() &&
      run_->rounds()->surrogate().is_evaluated(static_cast<Index>(place.candidate))) {
    return true;  // in an earlier round
  }
  for (Index i = 0; is_asked_ && i < generation_.size(); ++i) {
    if (place_of(i).candidate == place.candidate) return generation_.outcome(i).attempts >= place.attempt;
  }
  return false;
}

/// Why it stopped, with the numbers, what came out, and why evaluations failed if some did.
std::string Search::message_of(const Result& r) const {
  std::string message = outcome_of_search(r);
  if (tally_.last_failure.empty() || stop_.reason == StopReason::failing) return message;
  return message + "; " + text(r.nfailed) + " of " + text(r.nfev) +
         " evaluations failed, the last one: " + telling_line(tally_.last_failure) + place_of_last_failure();
}

std::string Search::place_of_last_failure() const {
  constexpr Index most = 12;
  const Vector& x = tally_.last_failure_x;
  if (x.size() == 0) return {};
  return "; at " + describe(setup_.domain->space(), x, 6, most) + (x.size() > most ? ", ..." : "");
}

std::string Search::outcome_of_search(const Result& r) const {
  std::string message = stop_ ? stop_.sentence : "still running after " + text(r.nfev) + " evaluations";
  if (stop_.reason == StopReason::ftarget) return message;
  if (!is_finite(r.fun)) return message + "; no value was finite";
  if (!r.feasible) return message + "; no feasible point: " + setup_.rules.describe(r.constraints);
  const Options& options = setup_.options;
  if (run_->has_missed_best(last_reason(), tally_) && !runs_.is_best_converged(tally_)) {
    message += ", to f = " + short_text(run_->criteria().lowest()) +
               "; but an earlier sample was better: best f = " + short_text(r.fun) +
               "; search again from there with a small sigma0";
    return options.restarts.kind == Restarts::Kind::none ? message + ", or allow restarts" : message;
  }
  message += "; best f = " + short_text(r.fun);
  if (options.ftarget && r.fun > *options.ftarget) message += " is above ftarget = " + text(*options.ftarget);
  if (r.success && stop_info(stop_.reason).kind != StopKind::converged) message += ", where a run converged";
  return message;
}

void Search::add_measures_of_constraints(Measures& measures) const {
  if (setup_.rules.empty()) return;
  measures.add("violation", tally_.best_violation);
  run_->merit().report(measures);
}

void Search::notify(bool is_last) {
  const Options& options = setup_.options;
  if (!options.observer && !options.callback) return;
  // The O(d^3) of the condition would dwarf a generation of many dimensions.
  const std::int64_t interval = 1 + run_->distribution().dimension() / 20;
  if (options.observer && (tally_.run_nit % interval == 0 || tally_.run_nit == 1 || is_last)) {
    condition_ = run_->distribution().condition();
  }
  const Record now = record();
  if (options.observer) options.observer(now);
  if (!options.callback) return;
  const StopRequest request = options.callback(now);
  if (!request || stop_) return;
  stop_ = request.sentence().empty() ? Stop{StopReason::callback, "stopped by the callback"}
                                     : Stop{StopReason::requested, request.sentence()};
}

/// How many candidates of the generation were evaluated, and how well the model ranks.
void Search::add_measures_of_model(Measures& measures) const {
  if (run_->rounds() == nullptr) return;
  const Surrogate& surrogate = run_->rounds()->surrogate();
  const Index before = is_round() ? surrogate.evaluated() : 0;
  const bool is_last_missing = !is_round() || run_->is_within_generation();  // the end of the search came first
  measures.add("evaluated", static_cast<double>(before + (is_last_missing ? generation_.size() : 0)));
  measures.add("tau", is_round() ? surrogate.tau() : Tally::nan);
  measures.add("fit_condition", is_round() ? surrogate.model().condition() : Tally::nan);
}

std::vector<Failure> Search::failures() const {
  if (!is_round()) return generation_.failures();
  std::vector<Failure> all = run_->rounds()->failures();
  if (!run_->is_within_generation()) return all;
  const std::vector<Failure> last = run_->rounds()->in_population(generation_.failures());
  all.insert(all.end(), last.begin(), last.end());
  return all;
}

Record Search::record() const {
  Measures measures = run_->strategy().measures();
  add_measures_of_model(measures);
  add_measures_of_constraints(measures);
  Record record{.generation = tally_.nit,
                .nfev = tally_.nfev,
                .best = tally_.best_f,
                .generation_best = tally_.generation_best,
                .sigma = run_->distribution().sigma(),
                .eta_m = measures["eta_m"],
                .eta_sigma = measures["eta_sigma"],
                .eta_B = measures["eta_B"],
                .l_theta = measures["l_theta"],
                .gamma = measures["gamma"],
                .condition = condition_,
                .run = run_->number() + 1,
                .popsize = run_->strategy().popsize(),
                .failures = failures(),
                .measures = {}};
  record.measures = std::move(measures);
  std::sort(record.failures.begin(), record.failures.end(), [](const Failure& a, const Failure& b) {
    return std::pair(a.candidate, a.attempt) < std::pair(b.candidate, b.attempt);
  });
  return record;
}

}  // namespace surefoot
