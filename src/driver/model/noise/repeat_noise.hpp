#pragma once

#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// How far values at the same point differ: the standard deviation of the noise without any model.
class RepeatNoise {
 public:
  /// Two values at the same point.
  void add(double a, double b);
  [[nodiscard]] Index count() const { return differences_.size(); }
  /// The median difference of the newest `newest` pairs; 0 of none.
  [[nodiscard]] double difference(Index newest) const;
  /// The same as a standard deviation: |a - b| of normals has the median 0.954.
  [[nodiscard]] double deviation(Index newest) const { return difference(newest) / 0.954; }
  /// Of the newest half of the pairs, at least 40.
  [[nodiscard]] double deviation() const { return deviation(std::max<Index>(40, count() / 2)); }

  void visit(StateVisitor& visitor) { visitor.vector("differences of repeats", differences_); }

 private:
  Vector differences_;
};

}  // namespace surefoot
