#pragma once

#include "core/linear_algebra/taylor_action.hpp"
#include "core/methods/xnes/shape_update.hpp"

namespace surefoot {

/// The exact update in O(d^2 popsize): no matrix but B and the path has d x d entries.
///
/// With T = eta/2 K diag(w), K = Z^T Z the Gram matrix of the samples, and phi(x) = (e^x - 1)/x,
///
///     expm(eta/2 G_B) = c (I + Z M Z^T),  M = eta/2 diag(w) phi(T),  c = exp(-eta/2 G_sigma),
///
/// because (Z diag(w) Z^T)^k = Z diag(w) (K diag(w))^{k-1} Z^T. Then B := c (B + (Y M) Z^T) with Y = B Z, which
/// sampling has computed already. phi is a power series, so neither a decomposition of K nor its regularity is needed,
/// and nothing squares the condition number of Z.
class LowRankUpdate final : public ShapeUpdate {
 public:
  LowRankUpdate(Index dimension, Index popsize, Executor* executor = nullptr);

  double measure(const Matrix& z, const Vector& w) override;
  void exponentiate(double eta_B) override;
  void transport(Vector& q) override;
  [[nodiscard]] double growth_bound() const override;
  void apply(const Matrix& y, Matrix& B) override;

  void add_gradient(const Cumulation& cumulation, Matrix& P) override;
  void add_movement(double log_scale, const Cumulation& cumulation, Matrix& P) override;
  void add_rotated_movement(const Matrix& O, double log_scale, const Cumulation& cumulation, Matrix& P) override;

 private:
  void compute_phi();
  void add(const Matrix& z, const Matrix& zt, double log_scale, const Cumulation& cumulation, Matrix& P);

  Executor* executor_;
  const Matrix* z_ = nullptr;
  const Vector* w_ = nullptr;
  double G_sigma_ = 0;
  double eta_B_ = 0;
  double norm_ = 0;   // bound on that of T
  double scale_ = 1;  // factor with which T is stored

  Matrix identity_;     // popsize x popsize
  Matrix zt_;           // Z^T
  Matrix K_;            // Z^T Z
  Matrix T_, T2_, T3_;  // powers of scale eta/2 K diag(w)
  Matrix phi_;          // phi(T)
  Matrix core_;         // M; apply multiplies it by c
  Matrix small_;        // workspace, popsize x popsize
  Matrix left_;         // Y M, d x popsize
  Vector scaled_w_;
  TaylorAction action_;
  Vector term_, product_, sum_;  // of the coefficients of a transported vector
  Vector shift_;                 // of the vector itself
  Matrix rotated_, rotated_t_;   // O Z and its transpose
};

}  // namespace surefoot
