// BBOB functions 1 to 5: separable.

#include "problems/bbob/cores.hpp"
#include "problems/bbob/formula.hpp"

namespace surefoot::bbob {
namespace {

class Sphere final : public Formula {
 public:
  using Formula::Formula;
  double value(const double* x, double* z) const override {
    subtract_optimum(x, z);
    return sum_of_squares(z, d) + fopt;
  }
};

class Ellipsoid final : public Formula {
 public:
  explicit Ellipsoid(const Origin& origin) : Formula(origin), weights_(scales(1e6, d)) {}
  double value(const double* x, double* z) const override {
    for (Index i = 0; i < d; ++i) z[i] = oscillated(x[i] - xopt[i]);
    return weighted_squares(weights_, z) + fopt;
  }

 private:
  Vector weights_;
};

class Rastrigin final : public Formula {
 public:
  explicit Rastrigin(const Origin& origin) : Formula(origin), lambda_(d) {
    for (Index i = 0; i < d; ++i)
      lambda_[i] = std::pow(10.0, 0.5 * static_cast<double>(i) / static_cast<double>(d - 1));
  }
  double value(const double* x, double* z) const override {
    for (Index i = 0; i < d; ++i) z[i] = oscillated(x[i] - xopt[i]);
    make_asymmetric(0.2, z, d);
    for (Index i = 0; i < d; ++i) z[i] *= lambda_[i];
    return rastrigin(z, d) + fopt;
  }

 private:
  Vector lambda_;
};

/// This function shares its seed with Rastrigin.
class BuecheRastrigin final : public Formula {
 public:
  explicit BuecheRastrigin(const Origin& origin) : Formula(origin), lambda_(scales(std::sqrt(10.0), d)) {
    for (Index i = 0; i < d; i += 2) xopt[i] = std::abs(xopt[i]);
  }
  double value(const double* x, double* z) const override {
    for (Index i = 0; i < d; ++i) {
      const double t = oscillated(x[i] - xopt[i]);
      z[i] = (i % 2 == 0 && t > 0 ? 10 * lambda_[i] : lambda_[i]) * t;
    }
    return rastrigin(z, d) + fopt + 100 * outside_box(x, d);
  }

 private:
  Vector lambda_;
};

/// The optimum is a corner of the box; beyond it the function is flat.
class LinearSlope final : public Formula {
 public:
  explicit LinearSlope(const Origin& origin) : Formula(origin), slope_(scales(10, d)) {
    for (Index i = 0; i < d; ++i) {
      xopt[i] = xopt[i] >= 0 ? 5 : -5;
      if (xopt[i] < 0) slope_[i] = -slope_[i];
    }
  }
  double value(const double* x, double* /*work*/) const override {
    double sum = 0;
    for (Index i = 0; i < d; ++i) {
      const double w = x[i] * xopt[i] < 25 ? x[i] : xopt[i];
      sum += 5 * std::abs(slope_[i]) - slope_[i] * w;
    }
    return sum + fopt;
  }

 private:
  Vector slope_;
};

}  // namespace

std::unique_ptr<Formula> make_separable(int function, const Origin& origin) {
  switch (function) {
    case 1: return std::make_unique<Sphere>(origin);
    case 2: return std::make_unique<Ellipsoid>(origin);
    case 3: return std::make_unique<Rastrigin>(origin);
    case 4: return std::make_unique<BuecheRastrigin>(origin);
    default: return std::make_unique<LinearSlope>(origin);
  }
}

}  // namespace surefoot::bbob
