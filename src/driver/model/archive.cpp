#include "driver/model/archive.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/visit_count.hpp"

namespace surefoot {

Archive::Archive(Index dimension, Index capacity) : points_(dimension, capacity), values_(capacity) {}

bool Archive::add(const Eigen::Ref<const Vector>& x, double value) {
  if (!std::isfinite(value)) return false;
  newest_ = (newest_ + 1) % capacity();
  points_.col(newest_) = x;
  values_[newest_] = value;
  size_ = std::min(size_ + 1, capacity());
  ++added_;
  return true;
}

Index Archive::best() const {
  Index best = 0;
  for (Index i = 1; i < size_; ++i) {
    if (value(i) < value(best)) best = i;
  }
  return best;
}

void Archive::restore(const Matrix& points, const Vector& values) {
  if (points.cols() != values.size() || (points.size() > 0 && points.rows() != points_.rows())) {
    throw std::invalid_argument("checkpoint: points and values of the archive do not match the search");
  }
  for (Index i = 0; i < values.size(); ++i) add(points.col(i), values[i]);
}

/// Oldest first, and no more than there is: a new archive takes what a checkpoint has by adding it again.
void Archive::visit(StateVisitor& visitor) {
  Matrix points(size_ == 0 ? 0 : points_.rows(), size_);
  Vector values(size_);
  for (Index i = 0; i < size_; ++i) {
    points.col(i) = point(size_ - 1 - i);
    values[i] = value(size_ - 1 - i);
  }
  const bool is_new = size_ == 0;
  visitor.matrix("archive x", points);
  visitor.vector("archive f", values);
  if (is_new) restore(points, values);
  visit_count(visitor, "archive added", added_);
}

}  // namespace surefoot
