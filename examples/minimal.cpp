// One include, one lambda, one call.

#include <iostream>
#include <surefoot/surefoot.hpp>

int main() {
  const auto f = [](const Eigen::VectorXd& x) { return (x.array() - 1).square().sum(); };
  const auto best = surefoot::minimize(f, {3, 3, 3}, 0.5, {.ftarget = 1e-8, .seed = 1});
  std::cout << best << '\n';
  return best.success ? 0 : 1;
}
