#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// A normal distribution to move, for strategies of your own.

#include "surefoot/distribution.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// N(m, sigma^2 A A^T) with a d x d matrix A. A strategy changes `m`, `step_size` and `A` as it likes; the rest of
/// `Distribution` follows from them. See examples/own_method.cpp.
class Gaussian final : public Distribution {
 public:
  Vector m;
  double step_size = 1;  // sigma
  Matrix A;

  /// The start's distribution, with its common scale in the step size.
  explicit Gaussian(const Start& start);

  /// For `Strategy::correct`: moves the mean and multiplies the standard deviations of the coordinates.
  void correct(const Vector& shift, const Vector& factors);
  /// The state, for `Strategy::visit`.
  void visit(StateVisitor& visitor);

  [[nodiscard]] const Vector& mean() const override { return m; }
  [[nodiscard]] double sigma() const override { return step_size; }
  [[nodiscard]] Index shape_size() const override { return A.size(); }
  void deviations(Vector& out) const override;
  void axis(Index k, Vector& out) const override { out = A.col(k); }
  [[nodiscard]] bool is_finite() const override;
  [[nodiscard]] double frobenius_condition() const override;
  [[nodiscard]] Vector axis_lengths() const override;
  [[nodiscard]] double condition() const override;
  void whiten(Matrix& points) const override;
  void unwhiten(Matrix& points) const override;
  [[nodiscard]] Start snapshot() const override;
};

}  // namespace surefoot
