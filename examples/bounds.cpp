// Bounds: a box, one-sided limits and a coordinate that is held. Every evaluated point is inside.

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <surefoot/surefoot.hpp>

int main() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  surefoot::Options options{.seed = 1};
  options.bounds.lower = surefoot::Vector{{0, 0, 2}};
  options.bounds.upper = surefoot::Vector{{1, inf, 2}};  // x2 stays 2
  const auto f = [](const Eigen::VectorXd& x) {
    if (x[0] < 0 || x[0] > 1 || x[1] < 0 || x[2] != 2) std::abort();
    return (x[0] - 3) * (x[0] - 3) + (x[1] - 0.5) * (x[1] - 0.5) * x[2];
  };
  const auto best = surefoot::minimize(f, {0.5, 1, 2}, 0.25, options);
  std::cout << best << '\n';
  return best.success && std::abs(best.x[0] - 1) < 1e-5 ? 0 : 1;
}
