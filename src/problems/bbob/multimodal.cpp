// BBOB functions 15 to 19: multimodal with adequate global structure.

#include <array>

#include "problems/bbob/cores.hpp"
#include "problems/bbob/formula.hpp"

namespace surefoot::bbob {
namespace {

class RotatedRastrigin final : public Formula {
 public:
  explicit RotatedRastrigin(const Origin& origin)
      : Formula(origin), R_(origin.R()), M_(conditioned(R_, scales(std::sqrt(10.0), d), origin.Q())) {}
  double value(const double* x, double* z) const override {
    double* y = z + d;
    subtract_optimum(x, z);
    multiply(R_, z, y);
    for (Index i = 0; i < d; ++i) y[i] = oscillated(y[i]);
    make_asymmetric(0.2, y, d);
    multiply(M_, y, z);
    return rastrigin(z, d) + fopt;
  }

 private:
  Matrix R_;
  Matrix M_;
};

class Weierstrass final : public Formula {
 public:
  explicit Weierstrass(const Origin& origin)
      : Formula(origin), R_(origin.R()), M_(conditioned(R_, scales(1 / std::sqrt(100.0), d), origin.Q())) {
    for (std::size_t k = 0; k < terms; ++k) {
      amplitude_[k] = std::pow(0.5, static_cast<double>(k));
      frequency_[k] = std::pow(3.0, static_cast<double>(k));
      lowest_ += amplitude_[k] * std::cos(2 * std::numbers::pi * frequency_[k] * 0.5);
    }
  }
  double value(const double* x, double* z) const override {
    double* y = z + d;
    subtract_optimum(x, z);
    multiply(R_, z, y);
    for (Index i = 0; i < d; ++i) y[i] = oscillated(y[i]);
    multiply(M_, y, z);
    double sum = 0;
    for (Index i = 0; i < d; ++i) {
      for (std::size_t k = 0; k < terms; ++k) {
        sum += std::cos(2 * std::numbers::pi * (z[i] + 0.5) * frequency_[k]) * amplitude_[k];
      }
    }
    const auto n = static_cast<double>(d);
    const double height = sum / n - lowest_;
    return 10 * std::pow(height, 3.0) + fopt + 10 / n * outside_box(x, d);
  }

 private:
  static constexpr std::size_t terms = 12;
  Matrix R_;
  Matrix M_;
  std::array<double, terms> amplitude_{};
  std::array<double, terms> frequency_{};
  double lowest_ = 0;
};

/// Functions 17 and 18, which differ in their conditioning only and share a seed.
class Schaffer final : public Formula {
 public:
  Schaffer(const Origin& origin, double condition) : Formula(origin), R_(origin.R()), scaled_Q_(origin.Q()) {
    scaled_Q_ = scales(std::sqrt(condition), d).asDiagonal() * scaled_Q_;
  }
  double value(const double* x, double* z) const override {
    double* y = z + d;
    subtract_optimum(x, z);
    multiply(R_, z, y);
    make_asymmetric(0.5, y, d);
    multiply(scaled_Q_, y, z);
    double sum = 0;
    for (Index i = 0; i + 1 < d; ++i) {
      const double p = square(z[i]) + square(z[i + 1]);
      sum += std::pow(p, 0.25) * (1 + square(std::sin(50 * std::pow(p, 0.1))));
    }
    return square(sum / static_cast<double>(d - 1)) + fopt + 10 * outside_box(x, d);
  }

 private:
  Matrix R_;
  Matrix scaled_Q_;
};

class GriewankRosenbrock final : public Formula {
 public:
  explicit GriewankRosenbrock(const Origin& origin) : Formula(origin) {
    const double zoom = valley_zoom(d);
    const Matrix Q = origin.Q();
    xopt = rotated_valley_end(Q, zoom);
    zoomed_Q_ = zoom * Q;
  }
  double value(const double* x, double* z) const override {
    multiply(zoomed_Q_, x, z);
    for (Index i = 0; i < d; ++i) z[i] += 0.5;
    double sum = 0;
    for (Index i = 0; i + 1 < d; ++i) {
      const double bend = square(z[i]) - z[i + 1];
      const double t = 100 * bend * bend + square(1 - z[i]);
      sum += t / 4000 - std::cos(t);
    }
    return 10 + 10 * sum / static_cast<double>(d - 1) + fopt;
  }

 private:
  Matrix zoomed_Q_;
};

}  // namespace

std::unique_ptr<Formula> make_multimodal(int function, const Origin& origin) {
  switch (function) {
    case 15: return std::make_unique<RotatedRastrigin>(origin);
    case 16: return std::make_unique<Weierstrass>(origin);
    case 17: return std::make_unique<Schaffer>(origin, 10);
    case 18: return std::make_unique<Schaffer>(origin, 1000);
    default: return std::make_unique<GriewankRosenbrock>(origin);
  }
}

}  // namespace surefoot::bbob
