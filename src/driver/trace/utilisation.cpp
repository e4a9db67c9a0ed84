#include "driver/trace/utilisation.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

constexpr double many_idle = 0.75;  // below this share an advice is worth a line

std::string percent(double share) { return text(std::lround(100 * share)) + " %"; }

std::int64_t rounds(std::int64_t popsize, std::int64_t workers) { return (popsize + workers - 1) / workers; }

/// What is possible if all evaluations take equally long: in the last round of a generation some workers find nothing.
double possible_share(std::int64_t popsize, std::int64_t workers) {
  return static_cast<double>(popsize) / static_cast<double>(rounds(popsize, workers) * workers);
}

std::string advice(double share, std::int64_t popsize, std::int64_t workers) {
  const double possible = possible_share(popsize, workers);
  if (share >= many_idle || popsize == 0) return {};
  if (possible >= many_idle) return "; their evaluations are short, or differ much: fewer workers would do";
  const std::int64_t full = rounds(popsize, workers) * workers;
  return "; popsize " + text(popsize) + " lets " + percent(possible) + " at most: try --popsize " + text(full) +
         ", or fewer workers";
}

}  // namespace

double utilisation(const Usage& usage, double seconds) {
  if (usage.workers < 1 || !(seconds > 0)) return std::numeric_limits<double>::quiet_NaN();
  return usage.busy / (seconds * usage.workers);
}

UtilisationMeter::UtilisationMeter(std::function<Usage()> usage) : usage_(std::move(usage)), busy_(usage_().busy) {}

UtilisationMeter::Lap UtilisationMeter::lap() {
  const Usage now = usage_();
  const double seconds = std::exchange(watch_, {}).seconds();
  return {seconds, utilisation({now.workers, now.busy - std::exchange(busy_, now.busy)}, seconds)};
}

std::string utilisation_line(const Usage& usage, double seconds, std::int64_t popsize) {
  if (usage.workers < 2 || !(usage.busy > 0)) return {};  // a search that had ended already asks for no workers
  const double share = utilisation(usage, seconds);
  return "workers  " + text(usage.workers) + ", evaluating " + percent(share) + " of the time" +
         advice(share, popsize, usage.workers) + "\n";
}

}  // namespace surefoot
