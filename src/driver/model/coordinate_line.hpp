#pragma once

#include <optional>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// What is known of a function of one number: points in order, with their values. Proposes points as STEP does
/// [Swarzberg1994]: where a parabola could most easily go below the best value.
class CoordinateLine {
 public:
  /// Stays in [lower, upper]; `unit` is the length in which intervals are measured.
  CoordinateLine(double lower, double upper, double unit, double margin);

  void add(double t, double value);

  [[nodiscard]] Index size() const { return static_cast<Index>(points_.size()); }
  [[nodiscard]] double best() const { return points_[best_].t; }
  [[nodiscard]] double best_value() const { return points_[best_].value; }
  /// Highest minus lowest value.
  [[nodiscard]] double range() const { return worst_value_ - best_value(); }
  [[nodiscard]] double unit() const { return unit_; }

  /// Left and right of the best point; the point itself where it is an end.
  [[nodiscard]] double left_of_best() const { return points_[best_ == 0 ? 0 : best_ - 1].t; }
  [[nodiscard]] double right_of_best() const { return points_[best_ + 1 == points_.size() ? best_ : best_ + 1].t; }

  struct Point {
    double t;
    double value;
  };
  /// The end with the higher value.
  [[nodiscard]] Point worse_end() const;

  /// The point nearest to t that is within the bounds; nothing if that is an end already.
  [[nodiscard]] std::optional<double> within(double t) const;

  /// Beyond an end that is the best point, else the middle of the most promising interval; nothing if all intervals are
  /// too short.
  [[nodiscard]] std::optional<double> next() const;

 private:
  [[nodiscard]] std::optional<double> beyond() const;
  [[nodiscard]] double difficulty(std::size_t left) const;

  double lower_, upper_, unit_;
  double margin_;  // by which the best value should be beaten
  double worst_value_ = 0;
  std::size_t best_ = 0;
  std::vector<Point> points_;
};

}  // namespace surefoot
