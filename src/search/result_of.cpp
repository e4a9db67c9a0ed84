#include "search/result_of.hpp"

#include <algorithm>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/telling_line.hpp"
#include "search/noise/noise_result.hpp"
#include "search/search.hpp"

namespace surefoot {
namespace {

/// In the middle of a generation: what is known of it counts. Says whether the best point is one of it.
bool add_present_generation(const Search& search, Result& result) {
  const Generation& generation = search.present().generation();
  if (!search.is_asked() || search.is_unapplied()) return false;
  bool has_best = false;
  result.nfev += generation.count_set() - generation.count(Outcome::State::predicted);
  result.nfailed += generation.count(Outcome::State::failed);
  for (Index i = 0; i < generation.size(); ++i) {
    const Outcome& outcome = generation.outcome(i);
    const double violation = search.setup().rules.violation(outcome.constraints);
    if (outcome.state != Outcome::State::evaluated || !is_finite(outcome.f) || !is_finite(violation)) continue;
    if (!is_better(violation, outcome.f, result.violation, result.fun)) continue;
    result.fun = outcome.f;
    result.violation = violation;
    result.constraints = outcome.constraints;
    result.x = generation.population().col(i);
    has_best = true;
  }
  return has_best;
}

void add_distributions(const Search& search, bool is_of_present_run, Result& r) {
  const Domain& domain = *search.setup().domain;
  const auto reached = is_of_present_run ? std::nullopt : search.runs().reached(search.tally());
  if (!reached) {
    r.xfavorite = search.run().user_mean();
    r.stds = search.run().user_deviations();
    return;
  }
  r.last_run_mean = search.run().user_mean();
  r.last_run_stds = search.run().user_deviations();
  r.xfavorite = user_mean(domain, reached->distribution.mean, reached->categorical);
  r.stds = user_deviations(domain, reached->distribution.deviations, reached->categorical);
}

/// By which the last run has ended.
StopReason last_reason(const Search& search) {
  return search.is_over() ? search.runs().finished().back().stop : search.stop().reason;
}

std::string outcome_of_search(const Search& search, const Result& r) {
  const auto noise = search.noise();
  if (noise && is_finite(r.fun) && r.feasible) return outcome_under_noise(search, *noise, r);
  const Stop& stop = search.stop();
  std::string message = stop ? stop.sentence : "still running after " + text(r.nfev) + " evaluations";
  if (stop.reason == StopReason::ftarget) return message;
  if (!is_finite(r.fun)) return message + "; no value was finite";
  if (!r.feasible) return message + "; no feasible point: " + search.setup().rules.describe(r.constraints);
  const Options& options = search.setup().options;
  if (r.missed_best) {
    message += ", to f = " + short_text(search.run().criteria().lowest()) +
               "; but an earlier sample was better: best f = " + short_text(r.fun) +
               "; search again from there with a small sigma0";
    return options.restarts.kind == Restarts::Kind::none ? message + ", or allow restarts" : message;
  }
  message += "; best f = " + short_text(r.fun);
  if (options.ftarget && r.fun > *options.ftarget) message += " is above ftarget = " + text(*options.ftarget);
  if (r.success && stop_info(stop.reason).kind != StopKind::converged) message += ", where a run converged";
  return message;
}

std::string place_of_last_failure(const Search& search) {
  constexpr Index most = 12;
  const Vector& x = search.tally().last_failure_x;
  if (x.size() == 0) return {};
  return "; at " + describe(search.setup().domain->space(), x, 6, most) + (x.size() > most ? ", ..." : "");
}

/// Why it stopped, with the numbers, what came out, and why evaluations failed if some did.
std::string message_of(const Search& search, const Result& r) {
  std::string message = outcome_of_search(search, r);
  const std::string& failure = search.tally().last_failure;
  if (failure.empty() || search.stop().reason == StopReason::failing) return message;
  return message + "; " + text(r.nfailed) + " of " + text(r.nfev) +
         " evaluations failed, the last one: " + telling_line(failure) + place_of_last_failure(search);
}

}  // namespace

Result result_of(const Search& search) {
  const Setup& setup = search.setup();
  const Tally& tally = search.tally();
  const Stop& stop = search.stop();
  Result r;
  r.x = tally.best_x;
  r.fun = tally.best_f;
  r.constraints = tally.best_constraints;
  r.constraint_names = setup.rules.all_names();
  r.violation = tally.best_violation;
  r.multipliers = search.runs().multipliers(tally);
  r.nfev = tally.nfev;
  r.nfailed = tally.nfailed;
  r.nit = tally.nit;
  add_distributions(search, add_present_generation(search, r), r);
  r.lowest_fun = r.fun;
  r.lowest_x = r.x;
  const auto noise = search.noise();
  if (noise) put_noise(search, *noise, r);
  r.ncev = setup.rules.empty() ? 0 : r.nfev;
  r.feasible = is_finite(r.fun) && r.violation == 0;
  r.stop = stop.reason;
  const StopKind kind = stop_info(stop.reason).kind;
  // Converged at its best point: by its end or, if a budget was the end, in a run before.
  bool is_converged = search.runs().is_best_converged(tally);
  if (noise) is_converged = is_converged_under_noise(search, *noise, is_converged);
  const bool has_converged = (kind == StopKind::budget || kind == StopKind::converged) && is_converged;
  const bool is_at_target = noise && setup.options.ftarget && r.fun_std >= 0 && r.fun <= *setup.options.ftarget;
  r.success = kind == StopKind::target || is_at_target || (!setup.options.ftarget && r.feasible && has_converged);
  r.runs = search.runs().finished();
  if (!search.runs().is_closed()) r.runs.push_back(search.run().summary(tally, StopReason::none));
  r.seed = *setup.options.seed;
  r.missed_best = !noise && r.feasible && search.run().has_missed_best(last_reason(search), tally) &&
                  !search.runs().is_best_converged(tally);
  r.message = message_of(search, r) + setup.domain->note();
  if (!setup.domain->space().empty()) r.values = Values(setup.domain->space(), r.x);
  return r;
}

Start distribution_of(const Search& search) {
  if (const auto noise = search.noise(); noise && noise->frame != nullptr) return last_distribution_of(search);
  const auto reached = search.runs().reached(search.tally());
  if (!reached) return last_distribution_of(search);
  return search.setup().domain->user_distribution(reached->distribution);
}

Start last_distribution_of(const Search& search) {
  if (const auto noise = search.noise(); noise && noise->frame != nullptr) {
    return search.setup().domain->user_distribution(Start::with_factor(noise->frame->origin, noise->frame->axes));
  }
  return search.setup().domain->user_distribution(search.run().distribution().snapshot());
}

}  // namespace surefoot
