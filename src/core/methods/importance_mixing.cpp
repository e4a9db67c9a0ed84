#include "core/methods/importance_mixing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/dense_solvers.hpp"

namespace surefoot {
namespace {

// Candidates looked at, in units of the population; all that follow are taken. In the mean it is about one.
constexpr Index most_looked_at = 60;

/// The density of a normal distribution, up to a common factor.
class Density {
 public:
  Density(Vector mean, const Matrix& factor)
      : mean_(std::move(mean)),
        lu_(factor),
        log_volume_(static_cast<double>(mean_.size()) * elementary::mean_log(lu_.matrixLU().diagonal().cwiseAbs())) {}

  /// Its logarithm at points, one a column.
  [[nodiscard]] Vector logarithm(const Matrix& points) const {
    const Matrix steps = points.colwise() - mean_;
    const Matrix z = lu_.solve(steps);
    return (-z.colwise().squaredNorm().transpose() / 2).array() - log_volume_;
  }

 private:
  Vector mean_;
  Eigen::PartialPivLU<Matrix> lu_;
  double log_volume_;
};

Density density_of(const Distribution& distribution) {
  const Start start = distribution.snapshot();
  return {start.mean, start.factor.value()};
}

/// ln(p/p') is cut where its exponential would overflow.
double density_ratio(double log_now, double log_before) {
  return elementary::exp(std::min(690.0, log_now - log_before));
}

/// The uniform number that a normal one stands for.
double uniform_by(double normal) { return elementary::erfc(-normal / std::numbers::sqrt2) / 2; }

}  // namespace

void ImportanceMixing::forget() {
  before_ = {};
  kept_ = {};
}

/// Point i stays if u_i < (1 - alpha) p(x_i)/p'(x_i), until no more than the share alpha of the population is missing.
void ImportanceMixing::keep(const Points& population, const std::vector<bool>& may_stay, const Start& before,
                            const Distribution& now, const Vector& v) {
  const Index popsize = population.x.cols();
  before_ = {before.mean, before.factor.value()};
  const Vector log_before = Density(before_.mean, before_.factor).logarithm(population.x);
  const Vector log_now = density_of(now).logarithm(population.x);
  const double least = std::max(1.0, static_cast<double>(popsize) * alpha_);
  std::vector<Index> staying;
  for (Index i = 0; i<popsize&& static_cast<double>(popsize - std::ssize(staying))> least; ++i) {
    const bool stays = uniform_by(v[i]) < (1 - alpha_) * density_ratio(log_now[i], log_before[i]);
    if (stays && may_stay[static_cast<std::size_t>(i)]) staying.push_back(i);
  }
  kept_ = {population.x(Eigen::all, staying), population.f(staying)};
}

/// A candidate is taken if u < max(alpha, 1 - p'(x)/p(x)). Blocks grow until enough are found: their numbers do not
/// depend on their size.
Matrix ImportanceMixing::draw(Index popsize, const Distribution& now, const Fill& fill) const {
  const Index d = now.dimension();
  const Index missing = popsize - kept_.x.cols();
  const Density before(before_.mean, before_.factor);
  const Density present = density_of(now);
  Matrix taken(d, missing);
  Index count = 0;
  Index looked_at = 0;
  for (Index columns = popsize; count < missing; columns *= 2) {
    Matrix block(rows(d), columns);
    fill(block);
    Matrix x = block.block(0, looked_at, d, columns - looked_at);
    now.unwhiten(x);
    const Vector log_before = before.logarithm(x);
    const Vector log_now = present.logarithm(x);
    for (Index k = 0; k < x.cols() && count < missing; ++k) {
      const double least = std::max(alpha_, 1 - 1 / density_ratio(log_now[k], log_before[k]));
      const bool is_late = looked_at + k >= most_looked_at * popsize;
      if (is_late || uniform_by(block(d, looked_at + k)) < least) taken.col(count++) = x.col(k);
    }
    looked_at = columns;
  }
  return taken;
}

void ImportanceMixing::visit(StateVisitor& visitor, Index dimension, Index popsize) {
  visitor.matrix("kept points", kept_.x);
  visitor.vector("kept values", kept_.f);
  visitor.vector("mean before", before_.mean);
  visitor.matrix("factor before", before_.factor);
  const Index count = kept_.f.size();
  const bool is_empty = before_.empty() && before_.factor.size() == 0 && count == 0;
  const bool fits = before_.mean.size() == dimension && before_.factor.rows() == dimension &&
                    before_.factor.cols() == dimension && count < popsize &&
                    (count == 0 || kept_.x.rows() == dimension) && kept_.x.cols() == count && kept_.f.allFinite();
  if (!is_empty && !fits) reject("checkpoint: kept points", count, "they are not of this search");
}

}  // namespace surefoot
