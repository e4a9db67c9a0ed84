#pragma once

#include <cstdint>

#include "surefoot/state_visitor.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// The last n numbers, without allocation.
class History {
 public:
  explicit History(std::int64_t length) : numbers_(Vector::Zero(static_cast<Index>(length))) {}

  void push(double number) { numbers_[static_cast<Index>(count_++ % numbers_.size())] = number; }
  [[nodiscard]] bool full() const { return count_ >= numbers_.size(); }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const Vector& numbers() const { return numbers_; }
  [[nodiscard]] double range() const { return numbers_.maxCoeff() - numbers_.minCoeff(); }
  /// Whether the range is below a bound. Two of the numbers alone mostly say no.
  [[nodiscard]] bool is_range_below(double bound) const;
  /// The i-th of the last ones, 0 the newest.
  [[nodiscard]] double newest(std::int64_t i) const {
    return numbers_[static_cast<Index>((count_ - 1 - i) % numbers_.size())];
  }
  void visit(StateVisitor& visitor, const char* name);

 private:
  Vector numbers_;
  std::int64_t count_ = 0;
};

}  // namespace surefoot
