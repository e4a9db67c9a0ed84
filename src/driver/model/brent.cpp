#include "driver/model/brent.hpp"

#include <cmath>

namespace surefoot {
namespace {

constexpr double golden = 0.3819660112501051;  // (3 - sqrt 5)/2

}  // namespace

Brent::Brent(double a, double b, double x, double value, double tolerance)
    : a_(a), b_(b), x_(x), w_(x), v_(x), fx_(value), fw_(value), fv_(value), tolerance_(tolerance) {
  choose();
}

bool Brent::is_over() const { return b_ - a_ < 4 * tolerance_; }

void Brent::choose() {
  if (!parabolic_step()) {
    step_before_ = x_ < (a_ + b_) / 2 ? b_ - x_ : a_ - x_;
    step_ = golden * step_before_;
  }
  u_ = std::abs(step_) >= tolerance_ ? x_ + step_ : x_ + std::copysign(tolerance_, step_);
}

/// False if the vertex of the parabola through x, w, v is outside or the steps do not shrink.
bool Brent::parabolic_step() {
  if (std::abs(step_before_) <= tolerance_) return false;
  const double r = (x_ - w_) * (fx_ - fv_);
  const double q = (x_ - v_) * (fx_ - fw_);
  const double numerator = (x_ - v_) * q - (x_ - w_) * r;
  const double denominator = -2 * (q - r);
  const double step = numerator / denominator;
  if (!std::isfinite(step) || std::abs(step) >= std::abs(step_before_) / 2) return false;
  if (x_ + step <= a_ || x_ + step >= b_) return false;
  step_before_ = step_;
  step_ = step;
  const double u = x_ + step;
  if (u - a_ < 2 * tolerance_ || b_ - u < 2 * tolerance_) step_ = std::copysign(tolerance_, (a_ + b_) / 2 - x_);
  return true;
}

void Brent::tell(double value) {
  ++evaluations_;
  narrow(value);
  keep(value);
  choose();
}

void Brent::narrow(double value) {
  if (value <= fx_) {
    (u_ >= x_ ? a_ : b_) = x_;
  } else {
    (u_ < x_ ? a_ : b_) = u_;
  }
}

void Brent::keep(double value) {
  if (value <= fx_) {
    v_ = w_, fv_ = fw_;
    w_ = x_, fw_ = fx_;
    x_ = u_, fx_ = value;
  } else if (value <= fw_ || w_ == x_) {
    v_ = w_, fv_ = fw_;
    w_ = u_, fw_ = value;
  } else if (value <= fv_ || v_ == x_ || v_ == w_) {
    v_ = u_, fv_ = value;
  }
}

}  // namespace surefoot
