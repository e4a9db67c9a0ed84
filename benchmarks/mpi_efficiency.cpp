// Measures how well ranks are used: mpirun -n 8 mpi_efficiency MILLISECONDS POPSIZE GENERATIONS [DIMENSION [WORKERS]]
//
// Every evaluation sleeps this long, so that ranks may share processors. Prints one line of the table in
// docs/evidence/cluster.md: ranks, workers a rank, milliseconds, popsize, dimension; seconds a generation and those of
// the ideal, ceil(popsize / workers) evaluations after each other; their ratio; and the processor time of rank 0's
// dispatching thread for each evaluation.

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <thread>

#include "surefoot/mpi.hpp"

namespace {

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Separates the processor time within the evaluator from that of the update.
class TimedEvaluator final : public surefoot::Evaluator {
 public:
  explicit TimedEvaluator(surefoot::Evaluator& inner) : inner_(inner) {}

  void evaluate(surefoot::Generation& generation) override {
    const double before = thread_seconds();
    inner_.evaluate(generation);
    seconds_ += thread_seconds() - before;
  }
  [[nodiscard]] surefoot::Usage usage() const override { return inner_.usage(); }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  surefoot::Evaluator& inner_;
  double seconds_ = 0;
};

struct Plan {
  double milliseconds;
  long popsize;
  long generations;
  long dimension;
  int workers;
};

double number(char** arguments, int count, int i, double otherwise) {
  return i < count ? std::atof(arguments[i]) : otherwise;
}

void measure(const Plan& plan, const surefoot::mpi::MakeEvaluator& make, int ranks) {
  const auto evaluator = surefoot::mpi::make_evaluator(make, plan.workers);
  TimedEvaluator timed(*evaluator);
  const surefoot::Options options{
      .evaluate_x0 = false, .maxiter = plan.generations + 1, .popsize = plan.popsize, .seed = 1};
  surefoot::Optimizer search(surefoot::Vector::Constant(plan.dimension, 3), 2, options);
  surefoot::Generation& first = search.generation();  // not measured: ranks are still starting
  timed.evaluate(first);
  search.tell();
  const double dispatching = timed.seconds();
  const surefoot::Stopwatch watch;
  const surefoot::Result result = surefoot::run(search, timed);
  const double seconds = watch.seconds() / static_cast<double>(result.nit - 1);
  const int workers = timed.usage().workers;
  const double ideal = static_cast<double>((plan.popsize + workers - 1) / workers) * plan.milliseconds / 1000;
  std::cout << ranks << ' ' << plan.workers << ' ' << plan.milliseconds << ' ' << plan.popsize << ' ' << plan.dimension
            << "  " << seconds << ' ' << ideal << "  " << 100 * ideal / seconds << " %  "
            << 1e6 * (timed.seconds() - dispatching) / static_cast<double>(result.nfev - plan.popsize) << " us\n";
}

}  // namespace

int main(int count, char** arguments) {
  const Plan plan{number(arguments, count, 1, 10), static_cast<long>(number(arguments, count, 2, 64)),
                  static_cast<long>(number(arguments, count, 3, 20)),
                  static_cast<long>(number(arguments, count, 4, 10)), static_cast<int>(number(arguments, count, 5, 1))};
  const auto objective = [&](const surefoot::Vector& x) {
    if (plan.milliseconds > 0)
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(plan.milliseconds));
    return x.squaredNorm();
  };
  const surefoot::mpi::Environment environment;
  const surefoot::mpi::MakeEvaluator make = [&] {
    return std::make_unique<surefoot::SerialEvaluator<decltype(objective)>>(objective);
  };
  if (environment.rank() == 0) {
    measure(plan, make, environment.size());
  } else {
    surefoot::mpi::serve(make, plan.workers);
  }
}
