// Several evaluations at a time. The result does not depend on the number of threads.

#include <chrono>
#include <cmath>
#include <iostream>
#include <surefoot/surefoot.hpp>
#include <thread>

double simulate(const Eigen::VectorXd& x) {  // slow, and sometimes it fails
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (x[0] > 2.5) throw std::runtime_error("the simulation diverged");
  return (x.array() - 1).square().sum();
}

int main() {
  surefoot::Options options{.ftarget = 1e-6, .seed = 1, .workers = 4};
  const auto four = surefoot::minimize(simulate, {2, 2}, 1, options);
  options.workers = 1;
  const auto one = surefoot::minimize(simulate, {2, 2}, 1, options);
  std::cout << four << '\n' << four.nfailed << " evaluations failed\n";
  return four.success && four.x == one.x ? 0 : 1;
}
