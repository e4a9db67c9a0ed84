// A method of your own, without a rebuild of the library: bounds, restarts, checkpoints and the trace come with it.
// This one is a small evolution strategy with positive weights, as CMA-ES has them.

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>
#include <surefoot/surefoot.hpp>
#include <vector>

using surefoot::Index;
using surefoot::Matrix;
using surefoot::Vector;

class SmallEs final : public surefoot::Strategy {
 public:
  explicit SmallEs(const surefoot::StrategyContext& context)
      : normal_(context.start), z_(normal_.dimension(), *context.popsize), path_(Vector::Zero(normal_.dimension())) {
    w_ = Vector::Zero(popsize());
    for (Index i = 0; i < popsize() / 2; ++i) {
      w_[i] = std::log((static_cast<double>(popsize()) + 1) / 2) - std::log(static_cast<double>(i) + 1);
    }
    w_ /= w_.sum();  // positive weights that sum to 1
  }

  [[nodiscard]] Index popsize() const override { return z_.cols(); }
  [[nodiscard]] const surefoot::Distribution& distribution() const override { return normal_; }

  const Matrix& ask(std::uint64_t generation, surefoot::NormalSource& normals) override {
    normals.fill(generation, z_);
    x_ = z_;
    normal_.unwhiten(x_);  // m + sigma A z
    return x_;
  }

  void tell(const surefoot::Told& told) override {
    Matrix z = told.points;  // the caller may have changed some
    normal_.whiten(z);
    const Matrix best = z(Eigen::all, order(told.values));
    const auto d = static_cast<double>(normal_.dimension());
    const double mu_w = 1 / w_.squaredNorm();

    const Vector delta = best * w_;
    normal_.m += normal_.step_size * normal_.A * delta;

    const double c_s = (mu_w + 2) / (d + mu_w + 5);
    path_ = (1 - c_s) * path_ + std::sqrt(c_s * (2 - c_s) * mu_w) * delta;
    normal_.step_size *= std::exp(c_s / 2 * (path_.squaredNorm() / d - 1));

    // The weights sum to 1, so the gradient of the covariance is the second moment less 1 times the identity. (Zero-sum
    // weights, as those of xNES, need no such term.) Without it the search would diverge.
    const double c_mu = std::min(0.5, 2 * mu_w / ((d + 2) * (d + 2) + mu_w));
    const Matrix gradient = best * w_.asDiagonal() * best.transpose() - w_.sum() * Matrix::Identity(z.rows(), z.rows());
    const Matrix step = Matrix::Identity(z.rows(), z.rows()) + c_mu * gradient;
    normal_.A = normal_.A * Matrix(step.llt().matrixL());
  }

  void correct(const Vector& shift, const Vector& factors) override { normal_.correct(shift, factors); }

  /// Everything that it keeps, so that checkpoints are exact.
  void visit(surefoot::StateVisitor& visitor) override {
    normal_.visit(visitor);
    visitor.vector("p_s", path_);
  }

 private:
  /// Candidates from the best to the worst; those without a finite value come last.
  static std::vector<Index> order(const Vector& values) {
    std::vector<Index> order(static_cast<std::size_t>(values.size()));
    std::iota(order.begin(), order.end(), Index{0});
    const auto rank = [&](Index i) { return surefoot::is_finite(values[i]) ? values[i] : HUGE_VAL; };
    std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return rank(i) < rank(j); });
    return order;
  }

  surefoot::Gaussian normal_;
  Matrix z_, x_;
  Vector w_, path_;
};

int main() {
  const surefoot::StrategyFactory factory = [](const surefoot::StrategyContext& context) {
    return std::make_unique<SmallEs>(context);
  };
  const auto f = [](const Vector& x) { return (x.array() - 1).square().sum() + 1000 * std::pow(x[0] - x[1], 2); };
  const surefoot::Result best = surefoot::minimize(
      f, {3, 2, 3, 4}, 1, {.bounds = {-5, 5}, .ftarget = 1e-10, .method = "small-es", .seed = 1, .strategy = factory});
  std::cout << best << '\n';
  return best.success ? 0 : 1;
}
