#include "report/agreement.hpp"

#include <cmath>
#include <limits>

namespace surefoot {
namespace {

constexpr double cumulation = 0.1;  // c: the path remembers about ten generations

double squared_length(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return sum;
}

}  // namespace

double Agreement::add(double run, const std::vector<double>& mean, const std::vector<double>& deviations) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const bool begins = run != run_ || mean.size() != mean_.size();
  const std::vector<double> before = begins ? mean : mean_;
  if (begins) path_.clear();
  run_ = run;
  mean_ = mean;
  std::vector<double> step(mean.size(), 0.0);
  for (std::size_t j = 0; j < mean.size() && j < deviations.size(); ++j) {
    if (deviations[j] > 0) step[j] = (mean[j] - before[j]) / deviations[j];
  }
  const double length = std::sqrt(squared_length(step));
  if (!(length > 0) || !std::isfinite(length)) return nan;
  if (path_.empty()) {
    path_ = step;
    for (double& p : path_) p /= length;
    return squared_length(path_);
  }
  for (std::size_t j = 0; j < step.size(); ++j) {
    path_[j] = (1 - cumulation) * path_[j] + std::sqrt(cumulation * (2 - cumulation)) * step[j] / length;
  }
  return squared_length(path_);
}

}  // namespace surefoot
