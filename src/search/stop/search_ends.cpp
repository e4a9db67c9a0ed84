#include "search/stop/search_ends.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/telling_line.hpp"

namespace surefoot {
namespace {

/// That of the last candidate, because workers finish in any order.
std::string last_failure(const std::vector<Failure>& failures) {
  const auto last = std::max_element(failures.begin(), failures.end(), [](const Failure& a, const Failure& b) {
    return std::pair(a.candidate, a.attempt) < std::pair(b.candidate, b.attempt);
  });
  if (last == failures.end()) return {};
  return "; the last one: " + std::string(name(last->kind)) + ", " + telling_line(last->reason);
}

Stop barren_stop(const Tally& tally, const std::vector<Failure>& failures) {
  const std::string count = text(tally.barren);
  if (tally.last_failed > 0) {
    return {StopReason::failing,
            "failing: all evaluations of " + count + " generations in a row failed" + last_failure(failures)};
  }
  const char* const advice = is_finite(tally.best_f) ? "choose a smaller sigma0" : "start where f is finite";
  return {
      StopReason::infeasible,
      "infeasible: " + count + " generations in a row without a finite value, all +infinity in the last; " + advice};
}

/// Under noise a single value is no proof: the search measures a point that seems to be there.
Stop met_target(const Options& options, const Tally& tally) {
  constexpr double sure = 5;  // deviations of the noise below the target: more than the luckiest of many values has
  if (!options.ftarget || !(tally.best_f + sure * tally.noise <= *options.ftarget)) return {};
  if (tally.best_violation > 0) return {};
  return {StopReason::ftarget,
          "target reached: f = " + short_text(tally.best_f) + " <= ftarget = " + text(*options.ftarget)};
}

Stop met_failures(const Options& options, const Tally& tally, const std::vector<Failure>& failures) {
  const std::int64_t nfev = tally.nfev - tally.excused_nfev;
  const std::int64_t nfailed = tally.nfailed - tally.excused_nfailed;
  const double share = static_cast<double>(nfailed) / static_cast<double>(nfev);
  if (nfev < 100 || !(share > options.failures.fraction)) return {};
  return {StopReason::failing, "failing: " + text(nfailed) + " of " + text(nfev) +
                                   " evaluations failed, more than the fraction " + text(options.failures.fraction) +
                                   last_failure(failures)};
}

/// 1 evaluation, 2 evaluations.
std::string counted(std::int64_t count, const std::string& noun) {
  return text(count) + " " + noun + (count == 1 ? "" : "s");
}

Stop met_maxfevals(const Options& options, const Tally& tally) {
  if (!options.maxfevals || tally.nfev < *options.maxfevals) return {};
  return {StopReason::maxfevals,
          "budget used: " + counted(tally.nfev, "evaluation") + ", maxfevals = " + text(*options.maxfevals)};
}

Stop met_budgets(const Options& options, const Tally& tally) {
  if (Stop stop = met_maxfevals(options, tally)) return stop;
  if (options.maxiter && tally.nit >= *options.maxiter) {
    return {StopReason::maxiter,
            "budget used: " + counted(tally.nit, "generation") + ", maxiter = " + text(*options.maxiter)};
  }
  return {};
}

}  // namespace

Stop met_barren_ground(const Options& options, const Tally& tally, const std::vector<Failure>& failures) {
  const std::int64_t limit = options.failures.generations;
  const std::int64_t patience = tally.is_narrowing() ? 10 * limit : limit;
  if (tally.barren == 0 || tally.barren % patience != 0) return {};
  return barren_stop(tally, failures);
}

Stop met_end_within(const Options& options, const Tally& tally, const std::vector<Failure>& failures) {
  if (Stop stop = met_target(options, tally)) return stop;
  if (Stop stop = met_failures(options, tally, failures)) return stop;
  return met_maxfevals(options, tally);
}

Stop met_end(const Options& options, const Tally& tally, const std::vector<Failure>& failures) {
  if (Stop stop = met_target(options, tally)) return stop;
  // Other runs may do better. But evaluations that fail in three runs in a row mean that the objective has stopped
  // working.
  const bool has_broken = tally.last_failed > 0 && tally.barren >= std::int64_t{3} * options.failures.generations;
  const bool is_lost = !is_finite(tally.best_f) || options.restarts.kind == Restarts::Kind::none || has_broken;
  if (is_lost) {
    if (Stop stop = met_barren_ground(options, tally, failures)) return stop;
  }
  if (Stop stop = met_failures(options, tally, failures)) return stop;
  return met_budgets(options, tally);
}

}  // namespace surefoot
