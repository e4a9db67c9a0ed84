// The table of docs/evidence/constraints.md: evaluations until a feasible point is within a relative gap of 1e-6 of the
// optimum.
//
//     surefoot_constraints [options]
//       --seeds N        searches of each problem; default 5
//       --first SEED     seed of the first; default 1
//       --mode MODE      constraints_mode; default auto
//       --method METHOD  default auto
//       --only NAME      one problem, as g10 or lin20
//       --budget N       evaluations a coordinate; default 20000

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "surefoot/surefoot.hpp"

namespace {

using surefoot::Index;
using surefoot::Vector;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Medians of docs/evidence/constraints.md's source: augmented Lagrangian and lexicographic order around pycma's
/// CMA-ES;
/// 0 where it did not solve the problem.
struct Row {
  const char* name;
  const char* problem;
  Index dimension;
  double lagrangian;
  double lexicographic;
};

constexpr Row rows[] = {
    {"lin2", "lin", 2, 426, 618},       {"lin5", "lin", 5, 984, 1216},     {"lin10", "lin", 10, 1480, 2535},
    {"lin20", "lin", 20, 2664, 7344},   {"lin40", "lin", 40, 5130, 22560}, {"mul10", "mul10", 10, 2750, 6615},
    {"eli10", "eli10", 10, 4655, 5260}, {"g04", "g04", 5, 904, 1376},      {"g06", "g06", 2, 1512, 1020},
    {"g07", "g07", 10, 3430, 9960},     {"g08", "g08", 2, 1614, 234},      {"g09", "g09", 7, 1764, 3690},
    {"g10", "g10", 8, 0, 9200},         {"g11", "g11", 2, 369, 0},         {"g24", "g24", 2, 744, 666},
};

struct Search {
  Vector x0;
  surefoot::Sigma0 sigma0;
};

/// Without bounds x0 ~ 3 + 2 N(0, I) and sigma0 = 1; in a box uniform in its middle 80 % and a quarter of its width.
Search start_of(const surefoot::ProblemInstance& problem, std::uint64_t seed) {
  const Index d = problem.start.size();
  surefoot::Matrix z(d, 1);
  surefoot::CounterNormals(seed, 77).fill(0, z);
  if (problem.bounds.empty()) return {Vector(3 + 2 * z.col(0).array()), 1.0};
  const Vector u = z.col(0).unaryExpr([](double n) { return 0.1 + 0.8 * std::erfc(-n / std::sqrt(2.0)) / 2; });
  const Vector width = problem.bounds.upper - problem.bounds.lower;
  return {problem.bounds.lower + u.cwiseProduct(width), Vector(width / 4)};
}

surefoot::Result search(const surefoot::ProblemInstance& problem, std::uint64_t seed, surefoot::Options options) {
  const auto [x0, sigma0] = start_of(problem, seed);
  options.bounds = problem.bounds;
  options.constraints = problem.constraints;
  options.equalities = problem.equalities;
  options.ftarget = problem.optimal_value + 1e-6 * std::abs(problem.optimal_value);
  options.seed = seed;
  return surefoot::minimize([&](std::span<const double> x) { return problem.evaluation(x); }, x0, sigma0, options);
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const std::size_t n = numbers.size();
  return n % 2 == 1 ? numbers[n / 2] : (numbers[n / 2 - 1] + numbers[n / 2]) / 2;
}

void print_row(const Row& row, int seeds, std::uint64_t first, const surefoot::Options& options, double budget) {
  const surefoot::ProblemInstance problem = surefoot::make_problem(row.problem, row.dimension);
  surefoot::Options own = options;
  own.maxfevals = static_cast<std::int64_t>(budget) * row.dimension;
  std::vector<double> costs;
  std::size_t runs = 0;
  double gap = 0;
  for (int k = 0; k < seeds; ++k) {
    const surefoot::Result r = search(problem, first + static_cast<std::uint64_t>(k), own);
    runs = std::max(runs, r.runs.size());
    if (r.stop == surefoot::StopReason::ftarget) {
      costs.push_back(static_cast<double>(r.nfev));
    } else {
      gap = std::max(gap, r.feasible ? (r.fun - problem.optimal_value) / std::abs(problem.optimal_value) : infinity);
    }
  }
  const double better = row.lagrangian == 0      ? row.lexicographic
                        : row.lexicographic == 0 ? row.lagrangian
                                                 : std::min(row.lagrangian, row.lexicographic);
  const double cost = costs.empty() ? nan : median(costs);
  std::printf("| %s | %ld, %d | %.0f | %zu/%d | %.0f | %.2f | %zu | %.1e |\n", row.name,
              static_cast<long>(row.dimension), problem.constraints + problem.equalities, cost, costs.size(), seeds,
              better, cost / better, runs, gap);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  std::map<std::string, std::string> given = {{"--seeds", "5"},     {"--first", "1"}, {"--mode", "auto"},
                                              {"--method", "auto"}, {"--only", ""},   {"--budget", "20000"}};
  for (int i = 1; i < argc; i += 2) {
    if (given.find(argv[i]) == given.end() || i + 1 == argc) {
      std::fprintf(stderr, "surefoot_constraints: %s is no option, or has no value\n", argv[i]);
      return 2;
    }
    given[argv[i]] = argv[i + 1];
  }
  surefoot::Options options;
  options.constraints_mode = given["--mode"];
  options.method = given["--method"];
  std::printf("| problem | d, m | evaluations | solved | better column | ratio | runs | worst gap |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (const Row& row : rows) {
    if (!given["--only"].empty() && given["--only"] != row.name) continue;
    print_row(row, std::stoi(given["--seeds"]), std::stoull(given["--first"]), options, std::stod(given["--budget"]));
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "surefoot_constraints: %s\n", error.what());
  return 2;
}
