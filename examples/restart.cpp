// Many local optima: restarts with growing populations, and a checkpoint in the middle.

#include <iostream>
#include <sstream>
#include <surefoot/surefoot.hpp>

int main() {
  const surefoot::Problem& rastrigin = surefoot::find_problem("rastrigin");
  const surefoot::Options options{
      .bounds = surefoot::Bounds::all(-5, 5), .ftarget = 1e-8, .maxfevals = 300000, .restarts = "bipop", .seed = 2};
  const surefoot::Vector x0 = surefoot::Vector::Constant(5, 3);

  surefoot::Optimizer search(x0, {}, options);  // sigma0 from the bounds
  for (int t = 0; t < 100; ++t) search.tell(rastrigin(search.ask()));
  std::stringstream file;
  search.save(file);

  surefoot::Optimizer later(x0, {}, options);  // in another process, on another day
  later.load(file);
  while (!later.stop()) later.tell(rastrigin(later.ask()));
  const surefoot::Result best = later.result();
  std::cout << best << '\n';
  for (const surefoot::RunSummary& run : best.runs) {
    std::cout << "popsize " << run.popsize << ", " << run.nfev << " evaluations, f = " << run.fun << ": "
              << surefoot::name(run.stop) << '\n';
  }
  return best.success ? 0 : 1;
}
