// What bounds cost: functions on the box [0, 1]^d with optima inside, near, at and beyond the bounds, beside the same
// functions without bounds. Prints the rows of docs/evidence/bounds.md.
//
// Usage: surefoot_bounds [METHODS [DIMENSIONS [FUNCTIONS [TRIALS]]]], each a list with commas, for example
//        surefoot_bounds ig-xnes,cma 1,2,5,10 sphere,half-outside 20
//
// A trial starts at a point drawn from the box with a standard deviation of a quarter of its width, has no restarts,
// and is solved when f is within 1e-8 of its minimum in the box after at most 300 000 evaluations. Schaffer's function
// is solved within 1e-3: it grows as the root of the distance, so that 1e-8 is a distance of 1e-16. Trials with and
// without bounds have the same starts and seeds.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numbers>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <surefoot/surefoot.hpp>
#include <vector>

namespace {

using surefoot::Index;
using surefoot::Vector;

constexpr double usual_target = 1e-8;
constexpr double budget = 300000;

/// From 1 to `condition` along the coordinates.
double weight(double condition, Index i, Index d) {
  return d == 1 ? 1 : std::pow(condition, static_cast<double>(i) / static_cast<double>(d - 1));
}

double sphere(const Vector& y) { return y.squaredNorm(); }

double ellipsoid(const Vector& y, double condition) {
  double sum = 0;
  for (Index i = 0; i < y.size(); ++i) sum += weight(condition, i, y.size()) * y[i] * y[i];
  return sum;
}

/// As if the box were 4 wide.
double rosenbrock(const Vector& y) {
  const Vector z = 4 * y.array() + 1;
  double sum = z.size() == 1 ? std::pow(z[0] - 1, 2) : 0;
  for (Index i = 0; i + 1 < z.size(); ++i) sum += 100 * std::pow(z[i + 1] - z[i] * z[i], 2) + std::pow(z[i] - 1, 2);
  return sum;
}

/// As if the box were 64 wide.
double ackley(const Vector& y) {
  const Vector z = 64 * y;
  const double mean_square = z.squaredNorm() / static_cast<double>(z.size());
  return 20 + std::numbers::e - 20 * std::exp(-0.2 * std::sqrt(mean_square)) -
         std::exp((2 * std::numbers::pi * z.array()).cos().mean());
}

/// As if the box were 8 wide.
double rastrigin(const Vector& y) {
  const Vector z = 8 * y;
  return z.squaredNorm() + 10 * (1 - (2 * std::numbers::pi * z.array()).cos()).sum();
}

/// As if the box were 200 wide.
double schaffer(const Vector& y) {
  const Vector z = 200 * y;
  double sum = 0;
  for (Index i = 0; i + 1 < z.size(); ++i) {
    const double r = z[i] * z[i] + z[i + 1] * z[i + 1];
    sum += std::pow(r, 0.25) * (std::pow(std::sin(50 * std::pow(r, 0.1)), 2) + 1);
  }
  return sum;
}

/// Optimum at 0.4 in the even coordinates and beyond the bound, at -0.3, in the odd ones; 0 at its best point in the
/// box.
double half_outside(const Vector& x) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const double w = weight(1e4, i, x.size());
    sum += i % 2 == 0 ? w * std::pow(x[i] - 0.4, 2) : w * (std::pow(x[i] + 0.3, 2) - 0.09);
  }
  return sum;
}

/// A function of x and of where its optimum is in every coordinate.
struct Landscape {
  std::string name;
  double (*f)(const Vector& x, double optimum);
  std::vector<double> optima;
  double (*without_bounds)(const Vector& x);  // to compare with
  double target = usual_target;
};

const std::vector<double> everywhere = {0, 0.001, 0.02, 0.1, 0.2, 0.5};

std::vector<Landscape> landscapes() {
  const auto centred_sphere = [](const Vector& x) { return sphere(x.array() - 0.5); };
  return {
      {"sphere", [](const Vector& x, double c) { return sphere(x.array() - c); }, everywhere, centred_sphere},
      {"ellipsoid", [](const Vector& x, double c) { return ellipsoid(x.array() - c, 1e6); }, everywhere,
       [](const Vector& x) { return ellipsoid(x.array() - 0.5, 1e6); }},
      {"rosenbrock", [](const Vector& x, double c) { return rosenbrock(x.array() - c); }, everywhere,
       [](const Vector& x) { return rosenbrock(x.array() - 0.5); }},
      {"ackley", [](const Vector& x, double c) { return ackley(x.array() - c); }, everywhere,
       [](const Vector& x) { return ackley(x.array() - 0.5); }},
      {"rastrigin", [](const Vector& x, double c) { return rastrigin(x.array() - c); }, everywhere,
       [](const Vector& x) { return rastrigin(x.array() - 0.5); }},
      {"schaffer", [](const Vector& x, double c) { return schaffer(x.array() - c); }, everywhere,
       [](const Vector& x) { return schaffer(x.array() - 0.5); }, 1e-3},
      {"half-outside",
       [](const Vector& x, double /*c*/) { return half_outside(x); },
       {-0.3},
       [](const Vector& x) { return ellipsoid(x.array() - 0.4, 1e4); }},
      {"outside",
       [](const Vector& x, double c) { return sphere(x.array() - c) - sphere(Vector::Constant(x.size(), c)); },
       {-0.3},
       centred_sphere},
      {"corner", [](const Vector& x, double /*c*/) { return x.sum(); }, {0}, centred_sphere},
  };
}

Vector start_of(Index d, int trial) {
  std::mt19937_64 engine(1000U + static_cast<unsigned>(trial));
  Vector x0(d);
  for (double& x : x0) x = static_cast<double>(engine() >> 11U) * 0x1p-53;
  return x0;
}

struct Effort {
  int solved = 0;
  double evaluations = 0;  // median of the solved ones
};

template <class F>
Effort measure(const F& f, double target, const std::string& method, Index d, const surefoot::Bounds& bounds,
               int trials) {
  std::vector<double> evaluations;
  for (int trial = 0; trial < trials; ++trial) {
    surefoot::Options options{.bounds = bounds,
                              .ftarget = target,
                              .maxfevals = static_cast<std::int64_t>(budget),
                              .method = method,
                              .restarts = "none",
                              .seed = static_cast<std::uint64_t>(trial + 1)};
    if (method == "xnes") options.learning_rate = "fixed";
    const auto result = surefoot::minimize(f, start_of(d, trial), 0.25, options);
    if (result.success) evaluations.push_back(static_cast<double>(result.nfev));
  }
  if (evaluations.empty()) return {};
  const auto middle = evaluations.begin() + static_cast<std::ptrdiff_t>(evaluations.size() / 2);
  std::nth_element(evaluations.begin(), middle, evaluations.end());
  return {static_cast<int>(evaluations.size()), *middle};
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

/// "1.05", with the number of solved trials where some are not: "1.05 (18)".
std::string cell(const Effort& effort, double free, int trials) {
  if (effort.solved == 0) return "(0)";
  char text[32];  // NOLINT(modernize-avoid-c-arrays)
  std::snprintf(text, sizeof text, effort.solved < trials ? "%.2f (%d)" : "%.2f", effort.evaluations / free,
                effort.solved);
  return text;
}

void print_row(const Landscape& landscape, const std::string& method, Index d, int trials) {
  const Effort free = measure(landscape.without_bounds, landscape.target, method, d, {}, trials);
  std::cout << "| " << landscape.name << " | " << d << " | " << method << " | " << free.evaluations;
  if (free.solved < trials) std::cout << " (" << free.solved << ")";
  for (const double optimum : landscape.optima) {
    const auto f = [&](const Vector& x) { return landscape.f(x, optimum); };
    const Effort bounded = measure(f, landscape.target, method, d, surefoot::Bounds::all(0, 1), trials);
    std::cout << " | " << cell(bounded, free.evaluations, trials);
  }
  std::cout << " |" << std::endl;
}

}  // namespace

int main(int count, char** words) {
  const auto word = [&](int i, const char* otherwise) { return split(i < count ? words[i] : otherwise); };
  const int trials = std::stoi(word(4, "20").front());
  for (const std::string& name : word(3, "sphere,ellipsoid,rosenbrock,half-outside,outside,corner")) {
    for (const Landscape& landscape : landscapes()) {
      if (landscape.name != name) continue;
      for (const std::string& d : word(2, "1,2,5,10,20,40")) {
        for (const std::string& method : word(1, "ig-xnes,cma,xnes"))
          print_row(landscape, method, std::stol(d), trials);
      }
    }
  }
  return 0;
}
