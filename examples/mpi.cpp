// A compiled objective on all ranks: mpirun -n 4 example_mpi. The result does not depend on the number of ranks.

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <surefoot/mpi.hpp>
#include <thread>

double simulate(const Eigen::VectorXd& x) {  // slow, and sometimes it fails
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  if (x[0] > 2.5) throw std::runtime_error("the simulation diverged");
  return (x.array() - 1).square().sum();
}

int main() {
  const auto best = surefoot::mpi::minimize(simulate, {2, 2}, 1, {.ftarget = 1e-6, .popsize = 16, .seed = 1});
  if (!best) return 0;  // not rank 0
  const auto alone = surefoot::minimize(simulate, {2, 2}, 1, {.ftarget = 1e-6, .popsize = 16, .seed = 1});
  std::cout << *best << '\n' << best->nfailed << " evaluations failed\n";
  return best->success && best->x == alone.x ? 0 : 1;
}
