// BBOB functions 6 to 9, low or moderate conditioning, and 10 to 14, ill-conditioned and unimodal.

#include "problems/bbob/cores.hpp"
#include "problems/bbob/formula.hpp"

namespace surefoot::bbob {
namespace {

class AttractiveSector final : public Formula {
 public:
  explicit AttractiveSector(const Origin& origin)
      : Formula(origin), M_(conditioned(origin.R(), scales(std::sqrt(10.0), d), origin.Q())) {}
  double value(const double* x, double* z) const override {
    subtract_optimum(x, z + d);
    multiply(M_, z + d, z);
    double sum = 0;
    for (Index i = 0; i < d; ++i) sum += (xopt[i] * z[i] > 0 ? 1e4 : 1.0) * square(z[i]);
    return std::pow(oscillated(sum), 0.9) + fopt;
  }

 private:
  Matrix M_;
};

/// A function of plateaus. Where all coordinates are rounded to 0, the value is a slope of 1e-5 along one coordinate.
class StepEllipsoid final : public Formula {
 public:
  explicit StepEllipsoid(const Origin& origin)
      : Formula(origin), R_(origin.R()), scaled_Q_(origin.Q()), weights_(scales(100, d)) {
    for (Index i = 0; i < d; ++i) scaled_Q_.row(i) *= std::sqrt(std::pow(10.0, position(i, d)));
  }
  double value(const double* x, double* z) const override {
    double* y = z + d;
    subtract_optimum(x, z);
    multiply(scaled_Q_, z, y);
    const double first = std::abs(y[0]);
    for (Index i = 0; i < d; ++i) y[i] = std::abs(y[i]) > 0.5 ? rounded(y[i]) : rounded(10 * y[i]) / 10;
    multiply(R_, y, z);
    return 0.1 * std::max(1e-4 * first, weighted_squares(weights_, z)) + outside_box(x, d) + fopt;
  }

 private:
  Matrix R_;
  Matrix scaled_Q_;
  Vector weights_;
};

class Rosenbrock final : public Formula {
 public:
  explicit Rosenbrock(const Origin& origin) : Formula(origin), zoom_(valley_zoom(d)) { xopt *= 0.75; }
  double value(const double* x, double* z) const override {
    for (Index i = 0; i < d; ++i) z[i] = zoom_ * (x[i] - xopt[i]) + 1;
    return rosenbrock(z, d) + fopt;
  }

 private:
  double zoom_;
};

class RotatedRosenbrock final : public Formula {
 public:
  explicit RotatedRosenbrock(const Origin& origin) : Formula(origin) {
    const double zoom = valley_zoom(d);
    const Matrix Q = origin.Q();
    xopt = rotated_valley_end(Q, zoom);
    zoomed_Q_ = zoom * Q;
  }
  double value(const double* x, double* z) const override {
    multiply(zoomed_Q_, x, z, 0.5);
    return rosenbrock(z, d) + fopt;
  }

 private:
  Matrix zoomed_Q_;
};

class RotatedEllipsoid final : public Formula {
 public:
  explicit RotatedEllipsoid(const Origin& origin) : Formula(origin), R_(origin.R()), weights_(scales(1e6, d)) {}
  double value(const double* x, double* z) const override {
    subtract_optimum(x, z + d);
    multiply(R_, z + d, z);
    for (Index i = 0; i < d; ++i) z[i] = oscillated(z[i]);
    return weighted_squares(weights_, z) + fopt;
  }

 private:
  Matrix R_;
  Vector weights_;
};

class Discus final : public Formula {
 public:
  explicit Discus(const Origin& origin) : Formula(origin), R_(origin.R()) {}
  double value(const double* x, double* z) const override {
    subtract_optimum(x, z + d);
    multiply(R_, z + d, z);
    for (Index i = 0; i < d; ++i) z[i] = oscillated(z[i]);
    double sum = 1e6 * z[0] * z[0];
    for (Index i = 1; i < d; ++i) sum += square(z[i]);
    return sum + fopt;
  }

 private:
  Matrix R_;
};

class BentCigar final : public Formula {
 public:
  explicit BentCigar(const Origin& origin) : Formula(origin), R_(origin.R()) {
    xopt = optimum_on_grid(d, origin.seed + 1000000);
  }
  double value(const double* x, double* z) const override {
    double* y = z + d;
    subtract_optimum(x, z);
    multiply(R_, z, y);
    make_asymmetric(0.5, y, d);
    multiply(R_, y, z);
    double sum = square(z[0]);
    for (Index i = 1; i < d; ++i) sum += 1e6 * z[i] * z[i];
    return sum + fopt;
  }

 private:
  Matrix R_;
};

class SharpRidge final : public Formula {
 public:
  explicit SharpRidge(const Origin& origin)
      : Formula(origin), M_(conditioned(origin.R(), scales(std::sqrt(10.0), d), origin.Q())) {}
  double value(const double* x, double* z) const override {
    subtract_optimum(x, z + d);
    multiply(M_, z + d, z);
    return 100 * std::sqrt(sum_of_squares(z + 1, d - 1)) + square(z[0]) + fopt;
  }

 private:
  Matrix M_;
};

class DifferentPowers final : public Formula {
 public:
  explicit DifferentPowers(const Origin& origin) : Formula(origin), R_(origin.R()) {}
  double value(const double* x, double* z) const override {
    subtract_optimum(x, z + d);
    multiply(R_, z + d, z);
    double sum = 0;
    for (Index i = 0; i < d; ++i) sum += std::pow(std::abs(z[i]), 2 + 4 * position(i, d));
    return std::sqrt(sum) + fopt;
  }

 private:
  Matrix R_;
};

}  // namespace

std::unique_ptr<Formula> make_conditioned(int function, const Origin& origin) {
  switch (function) {
    case 6: return std::make_unique<AttractiveSector>(origin);
    case 7: return std::make_unique<StepEllipsoid>(origin);
    case 8: return std::make_unique<Rosenbrock>(origin);
    case 9: return std::make_unique<RotatedRosenbrock>(origin);
    case 10: return std::make_unique<RotatedEllipsoid>(origin);
    case 11: return std::make_unique<Discus>(origin);
    case 12: return std::make_unique<BentCigar>(origin);
    case 13: return std::make_unique<SharpRidge>(origin);
    default: return std::make_unique<DifferentPowers>(origin);
  }
}

}  // namespace surefoot::bbob
