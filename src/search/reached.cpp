#include "search/reached.hpp"

#include <stdexcept>
#include <utility>

namespace surefoot {
namespace {

/// An optional matrix or vector is visited as one of size 0 where there is none.
template <class T, class Visit>
void visit_optional(std::optional<T>& value, const Visit& visit) {
  T present = value.value_or(T{});
  visit(present);
  value = present.size() > 0 ? std::optional<T>(std::move(present)) : std::nullopt;
}

void require_distribution(const Start& start, Index d) {
  const bool fits = start.mean.size() == d && start.deviations.size() == d &&
                    (!start.factor || (start.factor->rows() == d && start.factor->cols() == d)) &&
                    (!start.direction || start.direction->size() == d) && !(start.factor && start.direction);
  if (!fits) throw std::invalid_argument("checkpoint: the distribution of the best run is of another dimension");
}

}  // namespace

void visit_distribution(StateVisitor& visitor, Start& distribution) {
  visitor.vector("reached mean", distribution.mean);
  visitor.vector("reached deviations", distribution.deviations);
  visit_optional(distribution.factor, [&](Matrix& factor) { visitor.matrix("reached factor", factor); });
  visit_optional(distribution.direction, [&](Vector& direction) { visitor.vector("reached direction", direction); });
}

void Reached::visit(StateVisitor& visitor, Index dimension) {
  visit_distribution(visitor, distribution);
  require_distribution(distribution, dimension);
  categorical.visit(visitor);
}

Vector user_mean(const Domain& domain, const Vector& mean, const Categorical& categorical) {
  Matrix point = domain.to_user(mean);
  domain.put_choices(categorical.favourites(), point);
  return point.col(0);
}

Vector user_deviations(const Domain& domain, Vector deviations, const Categorical& categorical) {
  Vector user = domain.user_deviations(std::move(deviations));
  domain.put_doubts(categorical.doubts(), user);
  return user;
}

}  // namespace surefoot
