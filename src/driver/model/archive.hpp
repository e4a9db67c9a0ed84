#pragma once

#include <cstdint>

#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// The newest evaluated points of a run and their values, newest first. A full archive drops its oldest point for a new
/// one. Values that are not finite never enter.
class Archive {
 public:
  Archive(Index dimension, Index capacity);

  /// False if the value is not finite.
  bool add(const Eigen::Ref<const Vector>& x, double value);

  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] Index capacity() const { return values_.size(); }
  /// Points added so far, those that were dropped included.
  [[nodiscard]] std::int64_t added() const { return added_; }

  /// Entry i, 0 the newest.
  [[nodiscard]] auto point(Index i) const { return points_.col(place(i)); }
  [[nodiscard]] double value(Index i) const { return values_[place(i)]; }
  /// The entry with the lowest value, the newest of them.
  [[nodiscard]] Index best() const;

  void visit(StateVisitor& visitor);

 private:
  void restore(const Matrix& points, const Vector& values);
  [[nodiscard]] Index place(Index i) const { return (newest_ - i + values_.size()) % values_.size(); }

  Matrix points_;  // a ring
  Vector values_;
  Index size_ = 0;
  Index newest_ = 0;  // its column
  std::int64_t added_ = 0;
};

}  // namespace surefoot
