#include "experiments/practical_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "experiments/experiment.hpp"
#include "experiments/uniform.hpp"
#include "surefoot/minimize.hpp"

namespace surefoot {
namespace {

/// Counts evaluations and remembers the lowest value.
class Counted {
 public:
  Counted(const PracticalProblem& problem, std::int64_t budget) : problem_(problem), budget_(budget) {}

  double operator()(std::span<const double> x) {
    const double f = problem_(x);
    if (is_done()) return f;  // This is the rest of the last generation.
    ++outcome_.evaluations;
    outcome_.best = std::min(outcome_.best, f);
    return f;
  }

  [[nodiscard]] bool is_done() const { return outcome_.evaluations >= budget_; }
  [[nodiscard]] PracticalOutcome outcome(std::size_t runs) const {
    PracticalOutcome result = outcome_;
    result.runs = static_cast<int>(runs);
    return result;
  }

 private:
  const PracticalProblem& problem_;
  std::int64_t budget_;
  PracticalOutcome outcome_{.best = std::numeric_limits<double>::infinity()};
};

/// `share(i)` of the way from the lower to the upper bound of coordinate i.
template <class Share>
Vector point_between(const Bounds& box, const Share& share) {
  Vector x(box.lower.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = box.lower[i] + share(i) * (box.upper[i] - box.lower[i]);
  return x;
}

PracticalOutcome search_at_random(const PracticalProblem& problem, Counted& f, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  while (!f.is_done()) {
    const Vector x = point_between(problem.bounds, [&](Index /*i*/) { return uniform(engine); });
    f({x.data(), static_cast<std::size_t>(x.size())});
  }
  return f.outcome(1);
}

}  // namespace

Vector practical_start(const PracticalProblem& problem, std::uint64_t seed) {
  return point_between(problem.bounds, [&](Index i) {
    return std::ldexp(static_cast<double>(seed_of(seed, "x0 " + std::to_string(i))), -53);
  });
}

PracticalOutcome run_practical(const Contender& contender, const PracticalProblem& problem, std::int64_t budget,
                               std::uint64_t seed) {
  Counted f(problem, budget);
  if (contender.is_random) return search_at_random(problem, f, seed);
  Options options = contender.options;
  options.bounds = problem.bounds;
  options.maxfevals = budget;
  options.evaluation_seconds = 1;  // evaluations are what is counted
  options.seed = seed;
  const Result result = minimize(f, practical_start(problem, seed), {}, options);
  return f.outcome(result.runs.size());
}

}  // namespace surefoot
