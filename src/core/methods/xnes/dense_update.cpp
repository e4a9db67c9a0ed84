#include "core/methods/xnes/dense_update.hpp"

#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/pack.hpp"
#include "core/linear_algebra/products.hpp"

namespace surefoot {

DenseUpdate::DenseUpdate(Index d)
    : identity_(Matrix::Identity(d, d)), G_B_(d, d), expm_(d), square_(d, d), product_(d, d) {}

double DenseUpdate::measure(const Matrix& z, const Vector& w) {
  multiply_weighted(z, w, G_B_);
  G_sigma_ = G_B_.trace() / static_cast<double>(G_B_.rows());
  return G_sigma_;
}

void DenseUpdate::exponentiate(double eta_B) {
  scale_ = eta_B / 2;
  assign_entries(
      G_B_,
      [scale = scale_, G_sigma = G_sigma_](const auto& sum, const auto& I)
          SUREFOOT_KERNEL { return scale * (sum - G_sigma * I); },
      G_B_, identity_);
  growth_ = &expm_(G_B_);
}

/// The trace needs the diagonal only, so that one pass is enough for the rest.
void DenseUpdate::exponentiate_sum(double factor, const Matrix& G, double weight, const Vector& q) {
  const auto diagonal = [&](Index i) { return factor * G(i, i) + (weight * q[i]) * q[i]; };
  double trace = diagonal(0);
  for (Index i = 1; i < G.rows(); ++i) trace += diagonal(i);
  G_sigma_ = trace / static_cast<double>(G.rows());
  scale_ = 0.5;
  for_all_columns(G.rows(), G.cols(),
                  [=, d = G.rows(), G = G.data(), q = q.data(), I = identity_.data(), to = G_B_.data(),
                   G_sigma = G_sigma_, scale = scale_](auto real, Index i, Index j) SUREFOOT_KERNEL {
                    using Real = typename decltype(real)::type;
                    const Index at = j * d + i;
                    const Real sum = factor * load<Real>(G + at) + (weight * q[j]) * load<Real>(q + i);
                    store(to + at, scale * (sum - G_sigma * load<Real>(I + at)));
                  });
  growth_ = &expm_(G_B_);
}

/// exp(x) < 1 + x + x^2 for 0 < x <= 1, which is there at once.
double DenseUpdate::growth_bound() const {
  const double x = expm_.norm_bound();
  return x <= 1 ? 1 + x + x * x : elementary::exp(x);
}

void DenseUpdate::transport(Vector& q) { expm_.undo(q); }

void DenseUpdate::apply(const Matrix& /*y*/, Matrix& B) {
  multiply(B, *growth_, product_);
  B.swap(product_);
}

void DenseUpdate::add_gradient(const Cumulation& cumulation, Matrix& P) {
  assign_entries(
      P,
      [decay = cumulation.decay, gain = cumulation.gain / scale_](const auto& old, const auto& G)
          SUREFOOT_KERNEL { return decay * old + gain * G; },
      P, G_B_);
}

void DenseUpdate::add_movement(double log_scale, const Cumulation& cumulation, Matrix& P) {
  multiply_symmetric(*growth_, *growth_, square_);  // expm(eta_B G_B)
  add(elementary::exp(log_scale), cumulation, P);
}

void DenseUpdate::add_rotated_movement(const Matrix& O, double log_scale, const Cumulation& cumulation, Matrix& P) {
  multiply(O, *growth_, product_);
  multiply_symmetric(product_, product_, square_);  // O expm(eta_B G_B) O^T
  add(elementary::exp(log_scale), cumulation, P);
}

void DenseUpdate::add(double scale, const Cumulation& cumulation, Matrix& P) {
  assign_entries(
      P,
      [decay = cumulation.decay, gain = cumulation.gain, scale](const auto& old, const auto& square, const auto& I)
          SUREFOOT_KERNEL { return decay * old + gain * (scale * square - I); },
      P, square_, identity_);
}

}  // namespace surefoot
