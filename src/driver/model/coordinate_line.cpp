#include "driver/model/coordinate_line.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace surefoot {
namespace {

constexpr double shortest_interval = 1e-9;  // in units

}  // namespace

CoordinateLine::CoordinateLine(double lower, double upper, double unit, double margin)
    : lower_(lower), upper_(upper), unit_(unit), margin_(margin) {}

void CoordinateLine::add(double t, double value) {
  const auto after = std::find_if(points_.begin(), points_.end(), [t](const Point& p) { return p.t > t; });
  const auto place = static_cast<std::size_t>(after - points_.begin());
  const bool is_first = points_.empty();
  points_.insert(after, {t, value});
  if (!is_first && place <= best_) ++best_;
  if (is_first || value < best_value()) best_ = place;
  worst_value_ = is_first ? value : std::max(worst_value_, value);
}

CoordinateLine::Point CoordinateLine::worse_end() const {
  return points_.front().value > points_.back().value ? points_.front() : points_.back();
}

std::optional<double> CoordinateLine::within(double t) const {
  const double inside = std::clamp(t, lower_, upper_);
  if (inside == points_.front().t || inside == points_.back().t) return std::nullopt;
  return inside;
}

std::optional<double> CoordinateLine::next() const {
  if (const auto t = beyond()) return t;
  double least = std::numeric_limits<double>::infinity();
  std::optional<double> middle;
  for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
    if (points_[i + 1].t - points_[i].t <= shortest_interval * unit_ || difficulty(i) >= least) continue;
    least = difficulty(i);
    middle = points_[i].t + (points_[i + 1].t - points_[i].t) / 2;
  }
  return middle;
}

std::optional<double> CoordinateLine::beyond() const {
  const double half = (points_.back().t - points_.front().t) / 2;
  const bool is_last = best_ + 1 == points_.size();
  if (best_ != 0 && !is_last) return std::nullopt;
  return within(is_last ? best() + half : best() - half);
}

/// The square root of the least second derivative of a parabola through both ends that goes `margin` below the best
/// value, but for a constant.
double CoordinateLine::difficulty(std::size_t left) const {
  const auto height = [this](const Point& p) { return std::sqrt(p.value - best_value() + margin_); };
  return (height(points_[left]) + height(points_[left + 1])) / (points_[left + 1].t - points_[left].t);
}

}  // namespace surefoot
