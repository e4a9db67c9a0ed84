#include "search/noise/noise_result.hpp"

#include "core/invalid_option.hpp"
#include "search/search.hpp"

namespace surefoot {
namespace {

/// Whether the noise is so small that the criteria of runs mean what they say.
bool is_negligible(const NoiseFound& noise, const Run& run) {
  return noise.deviation <= 1e-3 * run.criteria().first_range();
}

/// The lowest of many values is one that luck has lowered, so what was measured takes its place.
void put_measured(const NoiseFound& noise, Result& r) {
  r.noise = noise.deviation;
  r.fun_std = Tally::nan;
  if (noise.measured.count == 0) return;
  r.x = noise.measured.x;
  r.fun = noise.measured.mean;
  r.fun_std = noise.measured.error;
}

/// The distribution of the search by regression.
void put_distribution(const Search& search, const NoiseFound& noise, Result& r) {
  const Domain& domain = *search.setup().domain;
  const Start start = Start::with_factor(noise.frame->origin, noise.frame->axes);
  r.xfavorite = r.last_run_mean = domain.to_user(start.mean);
  r.stds = r.last_run_stds = domain.user_deviations(start.deviations);
}

std::string about_noise(const NoiseFound& noise) {
  const std::string deviation = short_text(noise.deviation);
  if (noise.is_known) return "; noise of " + deviation;
  return "; evaluations at the same point differ by " + short_text(noise.difference) + ": noise of about " + deviation;
}

}  // namespace

void put_noise(const Search& search, const NoiseFound& noise, Result& r) {
  if (is_finite(r.fun)) put_measured(noise, r);
  if (noise.frame != nullptr) put_distribution(search, noise, r);
}

bool is_converged_under_noise(const Search& search, const NoiseFound& noise, bool is_run_converged) {
  if (noise.frame != nullptr) return noise.is_converged;
  return is_run_converged && is_negligible(noise, search.run());
}

std::string outcome_under_noise(const Search& search, const NoiseFound& noise, const Result& r) {
  const Stop& stop = search.stop();
  std::string message = stop ? stop.sentence : "still running after " + text(r.nfev) + " evaluations";
  if (noise.measured.count > 0) {
    message += "; f = " + short_text(r.fun) + " with a standard error of " + short_text(r.fun_std) + ", the mean of " +
               text(noise.measured.count) + " evaluations of x";
    const auto& ftarget = search.setup().options.ftarget;
    if (ftarget && r.fun > *ftarget) message += ", is above ftarget = " + text(*ftarget);
  }
  message += about_noise(noise) + "; the lowest single value was " + short_text(r.lowest_fun);
  if (noise.measured.count == 0) message += ", to which repeats would add about that noise or more";
  return message;
}

}  // namespace surefoot
