#include "driver/model/kendall_tau.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace surefoot {
namespace {

int order(double a, double b) { return (a > b ? 1 : 0) - (a < b ? 1 : 0); }

}  // namespace

/// Every pair: the lists are about as long as a population.
double kendall_tau(const Eigen::Ref<const Vector>& a, const Eigen::Ref<const Vector>& b) {
  std::int64_t agreement = 0;
  std::int64_t untied_a = 0;
  std::int64_t untied_b = 0;
  for (Index i = 1; i < a.size(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const std::int64_t in_a = order(a[i], a[j]);
      const std::int64_t in_b = order(b[i], b[j]);
      agreement += in_a * in_b;
      untied_a += in_a * in_a;
      untied_b += in_b * in_b;
    }
  }
  if (untied_a == 0 || untied_b == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(agreement) / std::sqrt(static_cast<double>(untied_a) * static_cast<double>(untied_b));
}

}  // namespace surefoot
