#include "surefoot/bbob.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/invalid_option.hpp"
#include "problems/bbob/formula.hpp"

namespace surefoot {
namespace {

constexpr int last_instance = 200000;  // the seeds of larger ones leave the generator's range

std::unique_ptr<bbob::Formula> make_formula(int function, const bbob::Origin& origin) {
  if (function <= 5) return bbob::make_separable(function, origin);
  if (function <= 14) return bbob::make_conditioned(function, origin);
  if (function <= 19) return bbob::make_multimodal(function, origin);
  return bbob::make_weak_structure(function, origin);
}

/// Functions 4 and 18 share seed, optimum and rotations with functions 3 and 17.
int seed_identity(int function) { return function == 4 ? 3 : function == 18 ? 17 : function; }

bbob::Origin origin_of(int function, Index dimension, int instance) {
  if (function < 1 || function > 24) reject("function", function, "BBOB has functions 1 to 24");
  if (dimension < 2) reject("dim", dimension, "BBOB functions need at least 2");
  if (instance < 1 || instance > last_instance) {
    reject("instance", instance, "it must be from 1 to " + std::to_string(last_instance));
  }
  return {dimension, seed_identity(function) + bbob::Seed{10000} * instance};
}

double value_of(const bbob::Formula& formula, const double* x, double* work) {
  bool infinite = false;
  for (Index i = 0; i < formula.d; ++i) {
    if (std::isnan(x[i])) return std::numeric_limits<double>::quiet_NaN();
    infinite = infinite || std::isinf(x[i]);
  }
  return infinite ? std::numeric_limits<double>::infinity() : formula.value(x, work);
}

void require_dimension(Index given, Index needed) {
  if (given != needed) reject("x", given, "the problem has " + std::to_string(needed) + " coordinates");
}

}  // namespace

const std::vector<BbobFunction>& bbob_table() {
  static const std::vector<BbobFunction> table = [] {
    constexpr std::array titles = {"Sphere",
                                   "Ellipsoid",
                                   "Rastrigin",
                                   "Bueche-Rastrigin",
                                   "Linear slope",
                                   "Attractive sector",
                                   "Step ellipsoid",
                                   "Rosenbrock",
                                   "Rotated Rosenbrock",
                                   "Rotated ellipsoid",
                                   "Discus",
                                   "Bent cigar",
                                   "Sharp ridge",
                                   "Different powers",
                                   "Rotated Rastrigin",
                                   "Weierstrass",
                                   "Schaffer F7, condition 10",
                                   "Schaffer F7, condition 1000",
                                   "Griewank-Rosenbrock",
                                   "Schwefel",
                                   "Gallagher, 101 peaks",
                                   "Gallagher, 21 peaks",
                                   "Katsuura",
                                   "Lunacek bi-Rastrigin"};
    const auto group = [](int number) {
      if (number <= 5) return "separable";
      if (number <= 9) return "moderate";
      if (number <= 14) return "ill-conditioned";
      return number <= 19 ? "multimodal" : "weak structure";
    };
    std::vector<BbobFunction> rows;
    for (const char* title : titles) {
      const int number = static_cast<int>(rows.size()) + 1;
      rows.push_back({number, "bbob-f" + std::to_string(number), title, group(number)});
    }
    return rows;
  }();
  return table;
}

BbobProblem::BbobProblem(int function, Index dimension, int instance)
    : number_(function),
      instance_(instance),
      formula_(make_formula(function, origin_of(function, dimension, instance))) {}

const BbobFunction& BbobProblem::function() const { return bbob_table()[static_cast<std::size_t>(number_ - 1)]; }

Index BbobProblem::dimension() const { return formula_->d; }

const Vector& BbobProblem::optimum() const { return formula_->xopt; }

double BbobProblem::optimal_value() const { return formula_->fbest; }

double BbobProblem::operator()(std::span<const double> x) const {
  require_dimension(static_cast<Index>(x.size()), dimension());
  Vector work(bbob::Formula::workspace_vectors * dimension());
  return value_of(*formula_, x.data(), work.data());
}

Vector BbobProblem::operator()(const Matrix& population) const {
  Vector values(population.cols());
  evaluate(population, values);
  return values;
}

void BbobProblem::evaluate(const Matrix& population, Vector& values) const {
  require_dimension(population.rows(), dimension());
  Vector work(bbob::Formula::workspace_vectors * dimension());
  values.resize(population.cols());
  for (Index i = 0; i < population.cols(); ++i) {
    values[i] = value_of(*formula_, population.data() + i * population.rows(), work.data());
  }
}

}  // namespace surefoot
