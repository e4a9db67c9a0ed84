// Searches of BBOB functions with noise: log10 of the regret of what is returned, by the function without noise,
// relative to that of the start. Additive noise is k s N(0,1) with s the interquartile range of f over N(x0, 4 I);
// multiplicative noise exp(k N(0,1)); outliers k s N/|N'| at a fifth of the evaluations. Prints the mean of each method
// and, paired by function and instance, the difference of the first one to each other with its standard error. The
// numbers are those of docs/how-to/noise.md.
//
// surefoot_noise DIMENSIONS BUDGETS INSTANCES METHODS, as in: surefoot_noise 5,10 100,300 6,7,8,9,10
// auto,psa-cma,ig-xnes

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "surefoot/bbob.hpp"
#include "surefoot/normal_source.hpp"
#include "surefoot/optimizer.hpp"

namespace {

using namespace surefoot;

struct Kind {
  const char* name;
  std::vector<double> levels;
  std::vector<int> functions;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {{"additive", {0.01, 0.1, 1, 10}, {1, 3, 8, 9, 10, 12, 15, 21}},
                                        {"multiplicative", {0.1, 0.5, 2}, {1, 3, 8, 10, 12, 15}},
                                        {"outliers", {0.01, 0.1, 1}, {1, 3, 8, 10, 12, 15}}};
  return all;
}

std::vector<std::string> items_of(const std::string& list) {
  std::vector<std::string> items;
  std::stringstream stream(list);
  for (std::string item; std::getline(stream, item, ',');) items.push_back(item);
  return items;
}

/// A function with its start, its noise and the scale of both.
class NoisyProblem {
 public:
  NoisyProblem(int function, Index d, int instance)
      : problem_(function, d, instance), normals_(static_cast<std::uint64_t>(1000 * function + instance)), x0_(d) {
    Matrix z(d, 401);
    normals_.fill(0, z);
    for (Index j = 0; j < d; ++j) x0_[j] = 4 * std::erf(z(j, 0) / std::sqrt(2.0));  // uniform in [-4, 4]
    std::vector<double> values;
    for (Index i = 1; i < z.cols(); ++i) values.push_back(regret(x0_ + 2 * z.col(i)));
    std::sort(values.begin(), values.end());
    scale_ = values[299] - values[99];
  }

  [[nodiscard]] const Vector& x0() const { return x0_; }
  [[nodiscard]] double regret(const Vector& x) const {
    return problem_(std::span<const double>(x.data(), static_cast<std::size_t>(x.size()))) - problem_.optimal_value();
  }
  [[nodiscard]] double noisy(const Vector& x, const std::string& kind, double k, std::int64_t number) {
    Matrix z(4, 1);
    normals_.fill(static_cast<std::uint64_t>(number + 1), z);
    const double f = regret(x);
    if (kind == "additive") return f + k * scale_ * z(0, 0);
    if (kind == "multiplicative") return f * std::exp(k * z(0, 0));
    const bool is_hit = z(3, 0) < -0.8416;  // a fifth
    return is_hit ? f + k * scale_ * z(1, 0) / std::abs(z(2, 0)) : f;
  }
  [[nodiscard]] double relative(const Vector& x) const { return std::log10(std::max(regret(x) / regret(x0_), 1e-12)); }

 private:
  BbobProblem problem_;
  CounterNormals normals_;
  Vector x0_;
  double scale_ = 0;
};

struct Run {
  double relative = 0;
  bool is_measured = false;
  bool is_within = false;  // f within two standard errors of the truth
};

/// Named methods run alone and return their mean, which under noise is better than their best sample.
Run run_of(NoisyProblem problem, const std::string& kind, double level, const std::string& method, std::int64_t budget,
           int instance) {
  Options options{.evaluation_seconds = 1, .maxfevals = budget, .seed = static_cast<std::uint64_t>(instance)};
  if (method != "auto") {
    options.method = method;
    options.model = "none";
    options.restarts = "none";
  }
  Optimizer search(problem.x0(), 2, options);
  while (!search.stop()) {
    const Matrix& points = search.ask();
    Vector f(points.cols());
    for (Index i = 0; i < f.size(); ++i) f[i] = problem.noisy(points.col(i), kind, level, search.nfev() + i);
    search.tell(f);
  }
  const Result r = search.result();
  const Vector& x = r.noise > 0 ? r.x : r.xfavorite;
  return {problem.relative(x), r.fun_std > 0, std::abs(r.fun - problem.regret(r.x)) <= 2 * r.fun_std};
}

void print_estimate(const char* before, const std::vector<double>& numbers) {
  const auto n = static_cast<double>(numbers.size());
  double mean = 0;
  for (const double x : numbers) mean += x / n;
  double squares = 0;
  for (const double x : numbers) squares += (x - mean) * (x - mean);
  std::printf("%s%6.2f +- %.2f", before, mean, std::sqrt(squares / (n - 1) / n));
}

void print_cell(const Kind& kind, double level, Index d, std::int64_t budget, const std::vector<std::string>& instances,
                const std::vector<std::string>& methods) {
  std::vector<std::vector<double>> results(methods.size());
  int measured = 0;
  int within = 0;
  for (const int function : kind.functions) {
    for (const std::string& text : instances) {
      const int instance = std::stoi(text);
      const NoisyProblem problem(function, d, instance);
      for (std::size_t m = 0; m < methods.size(); ++m) {
        const Run run = run_of(problem, kind.name, level, methods[m], budget * d, instance);
        results[m].push_back(run.relative);
        if (m == 0) measured += run.is_measured ? 1 : 0;
        if (m == 0) within += run.is_measured && run.is_within ? 1 : 0;
      }
    }
  }
  std::printf("%-14s %-4g d %2ld %4ld d ", kind.name, level, static_cast<long>(d), static_cast<long>(budget));
  for (std::size_t m = 0; m < methods.size(); ++m) {
    print_estimate((" | " + methods[m]).c_str(), results[m]);
    std::vector<double> difference = results[0];
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= results[m][i];
    if (m > 0) print_estimate(", difference", difference);
  }
  std::printf(" | f within two errors %d of %d\n", within, measured);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** given) {
  if (count != 5) {
    std::fprintf(stderr, "usage: surefoot_noise DIMENSIONS BUDGETS INSTANCES METHODS\n");
    return 2;
  }
  for (const std::string& d : items_of(given[1])) {
    for (const Kind& kind : kinds()) {
      for (const double level : kind.levels) {
        for (const std::string& budget : items_of(given[2])) {
          print_cell(kind, level, std::stol(d), std::stol(budget), items_of(given[3]), items_of(given[4]));
        }
      }
    }
  }
  return 0;
}
