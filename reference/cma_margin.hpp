#pragma once

/// \file
/// Reading copy of the margin of CMA-ES with margin [Hamano2022], as the paper has it: a diagonal matrix A beside the
/// covariance, and shifts of the mean. Surefoot's own form is another one (docs/how-to/parameters.md); this one is
/// compared with trajectories of the authors' library in tests. It needs nothing of src/.

#include <algorithm>
#include <cmath>
#include <vector>

namespace surefoot::reading_copy {

/// The tail of the normal distribution, and by bisection its inverse.
inline double normal_tail(double x) { return std::erfc(x / std::sqrt(2.0)) / 2; }

inline double normal_tail_inverse(double p) {
  double low = -40;
  double high = 40;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (normal_tail(middle) > p ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Values v_1 < v_2 < ... of one coordinate, with thresholds in the middle between neighbours. A number that is equal
/// to a threshold belongs to the lower value.
struct Values {
  std::vector<double> v;

  [[nodiscard]] double threshold(std::size_t k) const { return (v[k] + v[k + 1]) / 2; }
  [[nodiscard]] std::size_t cell(double x) const {
    std::size_t k = 0;
    while (k + 1 < v.size() && x > threshold(k)) ++k;
    return k;
  }
};

/// The margin of one coordinate. `m` is the mean, `a` its element of A, `deviation` is sigma sqrt(C_jj) without A.
inline void correct_margin(const Values& values, double alpha, double deviation, double& m, double& a) {
  const double s = deviation * a;
  const std::size_t k = values.cell(m);
  if (k == 0 || k + 1 == values.v.size()) {  // outermost: the mean moves towards the only threshold
    const double t = values.threshold(k == 0 ? 0 : k - 1);
    if (normal_tail(std::abs(t - m) / s) < alpha) m = t + (m > t ? 1 : -1) * normal_tail_inverse(alpha) * s;
    return;
  }
  const double l = values.threshold(k - 1);
  const double u = values.threshold(k);
  const double p_l = normal_tail((m - l) / s);
  const double p_u = normal_tail((u - m) / s);
  const double q_l = std::max(p_l, alpha / 2);
  const double q_u = std::max(p_u, alpha / 2);
  const double sum = q_l + q_u + (1 - p_l - p_u);
  const double share = (1 - sum) / (sum - 1.5 * alpha);
  const auto clipped = [](double p) { return std::clamp(p, 1e-10, 0.5 - 1e-10); };
  const double to_l = normal_tail_inverse(clipped(q_l + share * (q_l - alpha / 2)));
  const double to_u = normal_tail_inverse(clipped(q_u + share * (q_u - alpha / 2)));
  a = (u - l) / ((to_l + to_u) * deviation);
  m = (l * to_u + u * to_l) / (to_l + to_u);
}

}  // namespace surefoot::reading_copy
