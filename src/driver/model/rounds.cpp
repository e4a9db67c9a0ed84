#include "driver/model/rounds.hpp"

#include <algorithm>

#include "driver/checkpoint/failure_state.hpp"

namespace surefoot {
namespace {

/// sigma A, one axis a column. Differences of samples would lose digits where sigma is small.
Matrix axes_of(const Distribution& distribution) {
  const Index d = distribution.dimension();
  Matrix axes(d, d);
  Vector axis(d);
  for (Index k = 0; k < d; ++k) {
    distribution.axis(k, axis);
    axes.col(k) = distribution.sigma() * axis;
  }
  return axes;
}

}  // namespace

Rounds::Rounds(const Domain& domain, Index popsize, const SurrogateRules& rules)
    : domain_(&domain),
      surrogate_(domain.search_dimension(), popsize, rules),
      population_(Matrix::Zero(domain.search_dimension(), popsize)),
      is_changed_(Vector::Zero(popsize)) {}

void Rounds::begin(const Matrix& sampled, const Distribution& distribution) {
  population_ = sampled;
  failures_.clear();
  surrogate_.propose(population_, distribution.mean(), axes_of(distribution));
  for (Index i = 0; i < sampled.cols(); ++i) is_changed_[i] = population_.col(i) == sampled.col(i) ? 0 : 1;
  surrogate_.begin(projected());
}

/// The population as it is evaluated: what is outside of the bounds is seen at the nearest point inside.
Matrix Rounds::projected() const {
  Matrix points = population_;
  Vector squares;
  if (!domain_->has_bounds() || !domain_->excess(points, Vector::Ones(points.rows()), squares)) return points;
  for (Index i = 0; i < points.cols(); ++i) {
    if (squares[i] > 0) points.col(i) = domain_->to_search(domain_->to_user(Vector(points.col(i))));
  }
  return points;
}

Index Rounds::size() const {
  return is_within() ? static_cast<Index>(surrogate_.wanted().size()) : surrogate_.first_round();
}

Matrix Rounds::points(Index count) const {
  Matrix points(population_.rows(), count);
  for (Index k = 0; k < count; ++k) points.col(k) = population_.col(surrogate_.wanted()[static_cast<std::size_t>(k)]);
  return points;
}

void Rounds::replace(Index k, const Vector& x) {
  const Index i = surrogate_.wanted()[static_cast<std::size_t>(k)];
  population_.col(i) = x;
  is_changed_[i] = 1;
  surrogate_.replace(i, x);
}

void Rounds::take(const Vector& values, const std::vector<Failure>& failures) {
  const std::vector<Failure> more = in_population(failures);
  failures_.insert(failures_.end(), more.begin(), more.end());
  surrogate_.take(values);
}

std::vector<Failure> Rounds::in_population(const std::vector<Failure>& failures) const {
  std::vector<Failure> all = failures;
  for (Failure& failure : all) {
    failure.candidate = static_cast<long>(surrogate_.wanted()[static_cast<std::size_t>(failure.candidate)]);
  }
  return all;
}

std::vector<Index> Rounds::changed() const {
  std::vector<Index> changed;
  for (Index i = 0; i < is_changed_.size(); ++i) {
    if (is_changed_[i] != 0) changed.push_back(i);
  }
  return changed;
}

void Rounds::write_outcomes(Generation& generation) const {
  generation.start(population_);
  for (Index i = 0; i < population_.cols(); ++i) {
    if (surrogate_.is_evaluated(i)) {
      generation.restore(i, outcome_of({&surrogate_.true_values()[i], 1}, 1));
    } else {
      generation.predict(i, surrogate_.values()[i]);
    }
  }
}

void Rounds::visit(StateVisitor& visitor) {
  visitor.matrix("population", population_);
  visitor.vector("is changed", is_changed_);
  visit_failures(visitor);
  surrogate_.visit(visitor);
}

void Rounds::visit_failures(StateVisitor& visitor) {
  constexpr std::int64_t most = 1000000;
  auto count = static_cast<std::int64_t>(failures_.size());
  visitor.integer("failures of rounds", count);
  if (count < 0 || count > most) reject("checkpoint: failures of rounds", count, "no generation has that many");
  failures_.resize(static_cast<std::size_t>(count));
  for (Failure& failure : failures_) visit_failure(visitor, failure, population_.cols());
}

}  // namespace surefoot
