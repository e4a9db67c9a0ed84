#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace surefoot {

/// How one trial of an experiment ended.
struct TrialOutcome {
  bool success = false;
  std::int64_t evaluations = 0;
};

struct Interval {
  double low = 0;
  double high = 0;
};

/// A mean with its standard error; empty for a single block.
struct Estimate {
  double mean = 0;
  std::optional<double> standard_error = {};
};

/// The mean of numbers that come in blocks, such as seeds: the error is taken over the means of blocks, because the
/// numbers of different problems in a block are not a sample.
class BlockMeans {
 public:
  void add(int block, double value);
  [[nodiscard]] Estimate estimate() const;

 private:
  std::map<int, double> sums_;
  std::map<int, double> counts_;
};

double success_rate(const std::vector<TrialOutcome>& outcomes);

/// Mean evaluations of the successes divided by the success rate [NomuraOno2022, sec. 4.4]; empty without a success.
std::optional<double> evaluations_per_success(const std::vector<TrialOutcome>& outcomes);

/// Value below which the share q of the sorted values lies, linear between them.
double quantile(std::vector<double> values, double q);

/// 95 % percentile bootstrap of evaluations_per_success: whole trials are drawn with replacement, so the uncertainty of
/// the success rate is included. Draws without a success count as infinite. The same trials give the same interval.
std::optional<Interval> bootstrap_interval(const std::vector<TrialOutcome>& outcomes);

/// 95 % interval of a success rate [Wilson1927]. A bootstrap would collapse to a point when all trials succeed.
Interval wilson_interval(const std::vector<TrialOutcome>& outcomes);

/// Where the evaluations per success of a second experiment of the same size fall with 95 %: our interval for its
/// estimate, not for the truth, and so about sqrt(2) times as wide. This is what a published number, itself an
/// estimate, is held against.
std::optional<Interval> repeat_interval(const std::vector<TrialOutcome>& outcomes);

/// The same for its success rate: all rates k/n that a two-sample test does not tell from ours at 5 %.
Interval repeat_rate_interval(const std::vector<TrialOutcome>& outcomes);

}  // namespace surefoot
