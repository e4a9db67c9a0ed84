#include "experiments/coco_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/elementary/elementary.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

constexpr int targets_a_decade = 100;
constexpr int counts_a_decade = 20;
constexpr int last_target_exponent = -8 * targets_a_decade;
constexpr Index dimensions_with_x = 22;  // coordinates are written below it only, as COCO does

std::string header(double fopt) {
  return fmt::format(
      "% f evaluations | g evaluations | best noise-free fitness - Fopt ({:.12e}) + sum g_i+ | measured fitness | best "
      "measured fitness or single-digit g-values | x1 | x2...\n",
      fopt);
}

/// Smallest k with value <= 10^(k/100), not below the last target's.
int exponent_of(double value) {
  if (!(value > 1e-8)) return last_target_exponent;
  if (std::isinf(value)) return std::numeric_limits<int>::max();
  return static_cast<int>(std::ceil(elementary::log10(value) * targets_a_decade));
}

/// The next of 1, 2, 5, 10, 20, 50, ...
std::int64_t next_multiple(std::int64_t m) {
  std::int64_t leading = m;
  while (leading >= 10) leading /= 10;
  return leading == 2 ? m / 2 * 5 : 2 * m;
}

}  // namespace

CocoLog::CocoLog(const BbobProblem& problem)
    : fopt_(problem.optimal_value()),
      dimension_(problem.dimension()),
      best_(std::numeric_limits<double>::infinity()),
      target_exponent_(std::numeric_limits<int>::max()),
      dat_(header(fopt_)),
      tdat_(dat_) {}

std::string CocoLog::last_line() const {
  std::string text = fmt::format("{} 0 {:+.9e} {:+.9e} {:+.9e}", last_evaluation_, best_ - fopt_, last_value_, best_);
  if (dimension_ < dimensions_with_x) {
    for (Index i = 0; i < dimension_; ++i) text += fmt::format(" {:+.4e}", last_x_[i]);
  }
  return text + "\n";
}

bool CocoLog::passes_target() {
  const int exponent = exponent_of(best_ - fopt_);
  if (exponent >= target_exponent_) return false;
  target_exponent_ = exponent;
  return true;
}

bool CocoLog::passes_count(std::int64_t evaluation) {
  bool passed = false;
  const auto n = static_cast<double>(evaluation);
  while (n >= std::floor(elementary::pow(10.0, static_cast<double>(count_exponent_) / counts_a_decade))) {
    ++count_exponent_;
    passed = true;
  }
  while (evaluation >= multiple_ * dimension_) {
    multiple_ = next_multiple(multiple_);
    passed = true;
  }
  return passed;
}

void CocoLog::add(std::int64_t evaluation, double value, const double* x) {
  best_ = std::min(best_, value);
  last_evaluation_ = evaluation;
  last_value_ = value;
  last_x_ = Eigen::Map<const Vector>(x, dimension_);
  if (passes_target() || evaluation == 1) dat_ += last_line();
  last_is_written_ = passes_count(evaluation);
  if (last_is_written_) tdat_ += last_line();
}

std::filesystem::path coco_data_file(int function, Index dimension, int instance) {
  return std::filesystem::path(fmt::format("data_f{}", function)) /
         fmt::format("bbobexp_f{}_DIM{}_i{}", function, dimension, instance);
}

std::string coco_info(const std::string& algorithm, const std::vector<CocoEntry>& entries) {
  std::string text;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const CocoEntry& e = entries[i];
    if (i == 0 || e.dimension != entries[i - 1].dimension) {
      text += fmt::format(
          "{}suite = 'bbob', funcId = {}, DIM = {}, Precision = 1.000e-08, algId = '{}', logger = 'bbob', data_format "
          "= "
          "'bbob-new2'\n% measured by surefoot {}",
          i == 0 ? "" : "\n", e.function, e.dimension, algorithm, version);
      text += "\n";
    } else {
      text += ", ";
    }
    text += fmt::format("{}.dat, {}:{}|{:.1e}", coco_data_file(e.function, e.dimension, e.instance).generic_string(),
                        e.instance, e.evaluations, e.precision);
  }
  return text + "\n";
}

}  // namespace surefoot
