#pragma once

#include <memory>

#include "core/shapes/full_shape.hpp"
#include "surefoot/method.hpp"

namespace surefoot {

/// The update B := B expm(eta_B/2 G_B), G_B = Z diag(w) Z^T - G_sigma I, step by step. Z and w must stay as they are
/// until it is applied.
class ShapeUpdate : public ShapeStep {
 public:
  /// Forms what the update needs of the gradient; returns G_sigma = tr(Z diag(w) Z^T)/d.
  virtual double measure(const Matrix& z, const Vector& w) = 0;

  virtual void exponentiate(double eta_B) = 0;

  /// q := expm(-eta_B/2 G_B) q, which keeps B q as it is. q is the last column of Z, or part of the sum that was
  /// measured. Comes after `exponentiate`.
  virtual void transport(Vector& q) = 0;

  /// A bound on the spectral norm of expm(eta_B/2 G_B).
  [[nodiscard]] virtual double growth_bound() const = 0;

  /// B := B expm(eta_B/2 G_B), given Y = B Z.
  virtual void apply(const Matrix& y, Matrix& B) = 0;

  /// The same, and the shape's bound follows.
  void move(const Matrix& y, FullShape& shape) {
    const double growth = growth_bound();  // apply may use up what it is made of
    apply(y, shape.B);
    shape.bound.follow(growth, shape.B);
  }
};

/// The executor, if there is one, must live as long as the update.
std::unique_ptr<ShapeUpdate> make_shape_update(ShapeRoute route, Index dimension, Index popsize,
                                               Executor* executor = nullptr);

}  // namespace surefoot
