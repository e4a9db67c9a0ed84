#pragma once

#include <algorithm>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/shapes/diagonal_shape.hpp"
#include "core/shapes/full_shape.hpp"
#include "core/shapes/low_rank_shape.hpp"
#include "core/shapes/vector_shape.hpp"
#include "surefoot/distribution.hpp"

namespace surefoot {

/// N(mean, sigma^2 A A^T), where A is a shape: a value that strategies move.
template <class Shape>
struct Normal {
  explicit Normal(const Start& start) : Normal(start, Shape::sigma_of(start)) {}

  [[nodiscard]] Index dimension() const { return mean.size(); }
  /// Eigen's `allFinite` takes 12 instructions a number.
  [[nodiscard]] bool is_finite() const {
    const auto is_number_finite = [](double x) { return std::isfinite(x); };
    return shape.is_finite() && std::isfinite(sigma) && std::all_of(mean.begin(), mean.end(), is_number_finite);
  }

  /// Multiplies the standard deviations of the coordinates by these factors; det A stays as it is.
  void scale_coordinates(const Vector& factors) {
    const double common = elementary::exp(elementary::mean_log(factors));
    shape.scale_rows(factors / common);
    sigma *= common;
  }

  void visit(StateVisitor& visitor) {
    visitor.vector("m", mean);
    visitor.scalar("sigma", sigma);
    shape.visit(visitor);
  }

  Vector mean;
  double sigma = 1;
  Shape shape;

 private:
  Normal(const Start& start, double start_sigma) : mean(start.mean), sigma(start_sigma), shape(start, start_sigma) {}
};

/// What others see of it. The normal must live as long.
template <class Shape>
class NormalDistribution final : public Distribution {
 public:
  explicit NormalDistribution(const Normal<Shape>& normal) : normal_(normal), condition_(normal.shape) {}

  [[nodiscard]] const Vector& mean() const override { return normal_.mean; }
  [[nodiscard]] double sigma() const override { return normal_.sigma; }
  [[nodiscard]] Index shape_size() const override { return normal_.shape.size(); }
  [[nodiscard]] bool is_finite() const override { return normal_.is_finite(); }

  void deviations(Vector& out) const override {
    normal_.shape.deviations(out);
    out = normal_.sigma * out;
  }
  void axis(Index k, Vector& out) const override { normal_.shape.axis(k, out); }

  [[nodiscard]] double frobenius_condition() const override { return condition_(normal_.shape); }
  [[nodiscard]] Vector axis_lengths() const override { return normal_.sigma * normal_.shape.axis_lengths(); }
  [[nodiscard]] double condition() const override {
    const auto [longest, shortest] = normal_.shape.extreme_lengths();  // without sigma, which may have underflowed
    return (longest / shortest) * (longest / shortest);
  }

  void whiten(Matrix& points) const override {
    points.colwise() -= normal_.mean;
    points /= normal_.sigma;
    normal_.shape.solve(points);
  }
  void unwhiten(Matrix& points) const override {
    const Matrix z = points;
    normal_.shape.multiply(z, points);
    for (Index i = 0; i < points.cols(); ++i) points.col(i) = normal_.mean + normal_.sigma * points.col(i);
  }

  [[nodiscard]] Start snapshot() const override { return normal_.shape.snapshot(normal_.mean, normal_.sigma); }

 private:
  const Normal<Shape>& normal_;
  mutable typename Shape::Condition condition_;  // workspace
};

}  // namespace surefoot
