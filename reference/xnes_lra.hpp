#pragma once

// A reading copy of xNES with learning-rate adaptation [NomuraOno2022].
//
// This file is meant to be read beside the paper: one statement per line of its Algorithm 1, in the paper's notation
// and order, with no thought for speed. It shares nothing with the library and serves the tests as oracle. Where the
// paper is misprinted, the comment says what is done instead.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace reading_copy {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// phi(S) for symmetric S: the eigenvalues are mapped, the eigenvectors stay.
inline MatrixXd map_eigenvalues(const MatrixXd& S, const std::function<double(double)>& phi) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(S);
  const VectorXd mapped = eigen.eigenvalues().unaryExpr(phi);
  return eigen.eigenvectors() * mapped.asDiagonal() * eigen.eigenvectors().transpose();
}

inline MatrixXd expm(const MatrixXd& S) {
  return map_eigenvalues(S, [](double e) { return std::exp(e); });
}

inline MatrixXd inverse_root(const MatrixXd& S) {
  return map_eigenvalues(S, [](double e) { return 1 / std::sqrt(e); });
}

/// clip(u, a, b) := min(max(u, a), b), the text below eq. 8.
inline double clip(double u, double a, double b) { return std::min(std::max(u, a), b); }

/// The weight function of section 2. The paper's denominator prints ln(i) where it sums over j.
inline VectorXd weights(int lambda) {
  VectorXd w(lambda);
  for (int i = 1; i <= lambda; ++i) w[i - 1] = std::max(0.0, std::log(lambda / 2.0 + 1) - std::log(i));
  return w / w.sum() - VectorXd::Constant(lambda, 1.0 / lambda);
}

/// 3/5 (3 + log d)/(d sqrt(d)), the end of section 2.
inline double default_rate(double d) { return 3.0 / 5 * (3 + std::log(d)) / (d * std::sqrt(d)); }

/// Hyperparameters, section 4.1.
struct Constants {
  bool adaptive = true;        // false: plain xNES, the rates stay
  bool symmetric_root = true;  // false: the path is kept in the frame of B
  double factor = 1;           // of the default rate
  double alpha = 1.3;          // alpha_sigma = alpha_B
  double beta = 0.2;           // beta = beta_sigma = beta_B
  double eta_max = 1;
};

/// Everything that Algorithm 1 carries from one iteration to the next.
struct State {
  VectorXd m;
  double sigma;
  MatrixXd B;
  MatrixXd p_Sigma;
  double gamma;
  double l_theta;
  double eta_m;
  double eta_sigma;
  double eta_B;
  double eta_min;
};

/// Line 1.
inline State start(const VectorXd& m, double sigma, const Constants& c) {
  const auto d = m.size();
  const double eta = c.factor * default_rate(static_cast<double>(d));
  return {m, sigma, MatrixXd::Identity(d, d), MatrixXd::Zero(d, d), 0, 0, 1, eta, eta, eta};
}

/// Lines 3-6: x_i = m + sigma B z_i for the columns z_i.
inline MatrixXd sample(const State& s, const MatrixXd& z) {
  MatrixXd x(z.rows(), z.cols());
  for (int i = 0; i < z.cols(); ++i) x.col(i) = s.m + s.sigma * s.B * z.col(i);
  return x;
}

/// Line 7: the z_i in the order of their values, best first.
inline MatrixXd sorted(const MatrixXd& z, const VectorXd& f) {
  std::vector<int> order(static_cast<std::size_t>(f.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return f[i] < f[j]; });
  MatrixXd result(z.rows(), z.cols());
  for (int i = 0; i < z.cols(); ++i) result.col(i) = z.col(order[static_cast<std::size_t>(i)]);
  return result;
}

/// Lines 8-21 for the normals z and the values f of one population.
inline void update(State& s, const MatrixXd& samples, const VectorXd& f, const Constants& c) {
  const auto d = s.m.size();
  const auto dd = static_cast<double>(d);
  const MatrixXd I = MatrixXd::Identity(d, d);
  const MatrixXd z = sorted(samples, f);
  const VectorXd w = weights(static_cast<int>(z.cols()));
  const double mu_w = 1 / w.squaredNorm();  // the paper prints sum 1/w_i^2

  // Lines 8-11: the natural gradient.
  VectorXd G_delta = VectorXd::Zero(d);
  MatrixXd G_M = MatrixXd::Zero(d, d);
  for (int i = 0; i < z.cols(); ++i) {
    G_delta += w[i] * z.col(i);
    G_M += w[i] * (z.col(i) * z.col(i).transpose() - I);
  }
  const double G_sigma = G_M.trace() / dd;
  const MatrixXd G_B = G_M - G_sigma * I;

  // Lines 12-14: the distribution.
  const MatrixXd old_B = s.B;
  const double old_sigma = s.sigma;
  const MatrixXd old_Sigma = old_sigma * old_sigma * old_B * old_B.transpose();
  s.m += s.eta_m * s.sigma * s.B * G_delta;
  s.sigma *= std::exp(s.eta_sigma / 2 * G_sigma);
  s.B *= expm(s.eta_B / 2 * G_B);

  // Line 15, eq. 1.
  const MatrixXd delta_Sigma = s.sigma * s.sigma * s.B * s.B.transpose() - old_Sigma;

  // Line 16, eq. 9.
  const double E2 = (s.eta_B * s.eta_B / 2 * (1 + 4 * s.eta_sigma * s.eta_sigma / (dd * mu_w)) * (dd * dd + dd - 2) +
                     s.eta_sigma * s.eta_sigma) /
                    mu_w;

  // Line 17, eq. 2. Any root R of the inverse covariance gives a Fisher root; the authors' program takes the symmetric
  // one. The path carries no factor 1/sqrt(2): the halves in eq. 3 and eq. 9 stand for it.
  const MatrixXd R = c.symmetric_root ? inverse_root(old_Sigma) : MatrixXd((old_sigma * old_B).inverse());
  const MatrixXd normalised = R * delta_Sigma * R.transpose();
  s.p_Sigma = (1 - c.beta) * s.p_Sigma + std::sqrt(c.beta * (2 - c.beta)) * normalised / std::sqrt(E2);

  // Lines 18-19, eqs. 3 and 4.
  s.l_theta = (s.p_Sigma * s.p_Sigma).trace() / 2;
  s.gamma = (1 - c.beta) * (1 - c.beta) * s.gamma + c.beta * (2 - c.beta);

  // Lines 20-21, eqs. 5-8.
  if (!c.adaptive) return;
  s.eta_sigma = clip(s.eta_sigma * std::exp(c.beta * (s.l_theta / c.alpha - s.gamma)), s.eta_min, c.eta_max);
  s.eta_B = clip(s.eta_B * std::exp(c.beta * (s.l_theta / c.alpha - s.gamma)), s.eta_min, c.eta_max);
}

}  // namespace reading_copy
