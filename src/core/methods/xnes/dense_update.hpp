#pragma once

#include "core/linear_algebra/symmetric_exponential.hpp"
#include "core/methods/xnes/shape_update.hpp"

namespace surefoot {

/// Forms G_B and its exponential: O(d^3), the faster route where the population is about as large as the dimension.
class DenseUpdate final : public ShapeUpdate {
 public:
  explicit DenseUpdate(Index dimension);

  double measure(const Matrix& z, const Vector& w) override;
  void exponentiate(double eta_B) override;
  /// `measure` and `exponentiate` in one for Z diag(w) Z^T = factor G + weight q q^T and eta_B = 1.
  void exponentiate_sum(double factor, const Matrix& G, double weight, const Vector& q);
  void transport(Vector& q) override;
  [[nodiscard]] double growth_bound() const override;
  void apply(const Matrix& y, Matrix& B) override;

  void add_gradient(const Cumulation& cumulation, Matrix& P) override;
  void add_movement(double log_scale, const Cumulation& cumulation, Matrix& P) override;
  void add_rotated_movement(const Matrix& O, double log_scale, const Cumulation& cumulation, Matrix& P) override;

 private:
  void add(double scale, const Cumulation& cumulation, Matrix& P);

  Matrix identity_;
  Matrix G_B_;  // before it is exponentiated Z diag(w) Z^T, then eta_B/2 times the gradient
  double G_sigma_ = 0;
  double scale_ = 1;  // eta_B/2
  SymmetricExponential expm_;
  const Matrix* growth_ = nullptr;  // expm(eta_B/2 G_B)
  Matrix square_, product_;         // workspace
};

}  // namespace surefoot
