#include "experiments/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace surefoot {
namespace {

constexpr int bootstrap_draws = 2000;

std::vector<TrialOutcome> drawn_with_replacement(const std::vector<TrialOutcome>& outcomes,
                                                 std::mt19937_64& generator) {
  std::vector<TrialOutcome> drawn(outcomes.size());
  // The remainder's bias is below n/2^64; std::uniform_int_distribution differs between standard libraries.
  for (TrialOutcome& outcome : drawn) outcome = outcomes[generator() % outcomes.size()];
  return drawn;
}

/// The metric of a resampled experiment; infinite without a success.
double resampled_metric(const std::vector<TrialOutcome>& outcomes, std::mt19937_64& generator) {
  return evaluations_per_success(drawn_with_replacement(outcomes, generator))
      .value_or(std::numeric_limits<double>::infinity());
}

constexpr double z95 = 1.959963984540054;  // the normal's 97.5 % quantile

}  // namespace

void BlockMeans::add(int block, double value) {
  sums_[block] += value;
  ++counts_[block];
}

Estimate BlockMeans::estimate() const {
  std::vector<double> means;
  for (const auto& [block, sum] : sums_) means.push_back(sum / counts_.at(block));
  const auto n = static_cast<double>(means.size());
  Estimate estimate;
  for (const double m : means) estimate.mean += m / n;
  if (means.size() < 2) return estimate;
  double squares = 0;
  for (const double m : means) squares += (m - estimate.mean) * (m - estimate.mean);
  estimate.standard_error = std::sqrt(squares / (n - 1) / n);
  return estimate;
}

double success_rate(const std::vector<TrialOutcome>& outcomes) {
  const auto successes =
      std::count_if(outcomes.begin(), outcomes.end(), [](const TrialOutcome& o) { return o.success; });
  return static_cast<double>(successes) / static_cast<double>(outcomes.size());
}

std::optional<double> evaluations_per_success(const std::vector<TrialOutcome>& outcomes) {
  double evaluations = 0;
  double successes = 0;
  for (const TrialOutcome& outcome : outcomes) {
    if (!outcome.success) continue;
    evaluations += static_cast<double>(outcome.evaluations);
    ++successes;
  }
  if (successes == 0) return std::nullopt;
  return evaluations / successes / success_rate(outcomes);
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double weight = position - static_cast<double>(below);
  if (weight == 0) return values[below];  // Infinity times zero would be NaN.
  return (1 - weight) * values[below] + weight * values[above];
}

std::optional<Interval> bootstrap_interval(const std::vector<TrialOutcome>& outcomes) {
  if (!evaluations_per_success(outcomes)) return std::nullopt;
  std::mt19937_64 generator(outcomes.size());
  std::vector<double> values(bootstrap_draws);
  for (double& value : values) value = resampled_metric(outcomes, generator);
  return Interval{quantile(values, 0.025), quantile(values, 0.975)};
}

Interval wilson_interval(const std::vector<TrialOutcome>& outcomes) {
  constexpr double z = z95;
  const auto n = static_cast<double>(outcomes.size());
  const double p = success_rate(outcomes);
  const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

std::optional<Interval> repeat_interval(const std::vector<TrialOutcome>& outcomes) {
  const std::optional<double> ours = evaluations_per_success(outcomes);
  if (!ours) return std::nullopt;
  std::mt19937_64 generator(outcomes.size());
  std::vector<double> values;
  for (int i = 0; i < bootstrap_draws; ++i) {
    // The ratio of two resampled experiments varies as that of two real ones.
    const double ratio = resampled_metric(outcomes, generator) / resampled_metric(outcomes, generator);
    if (!std::isnan(ratio)) values.push_back(*ours * ratio);
  }
  return Interval{quantile(values, 0.025), quantile(values, 0.975)};
}

Interval repeat_rate_interval(const std::vector<TrialOutcome>& outcomes) {
  const auto n = static_cast<double>(outcomes.size());
  const double p = success_rate(outcomes);
  Interval interval{p, p};
  for (std::size_t k = 0; k <= outcomes.size(); ++k) {
    const double q = static_cast<double>(k) / n;
    const double pooled = (p + q) / 2;
    if (std::abs(p - q) > z95 * std::sqrt(2 * pooled * (1 - pooled) / n)) continue;
    interval.low = std::min(interval.low, q);
    interval.high = std::max(interval.high, q);
  }
  return interval;
}

}  // namespace surefoot
