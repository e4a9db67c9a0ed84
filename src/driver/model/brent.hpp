#pragma once

namespace surefoot {

/// Brent's minimisation of a function of one number in an interval [Brent1973, ch. 5], by ask and tell: parabolas
/// through the three best points, golden sections where these do not work.
class Brent {
 public:
  /// `x` in [a, b] has the lowest value known.
  Brent(double a, double b, double x, double value, double tolerance);

  /// The point to be evaluated.
  [[nodiscard]] double next() const { return u_; }
  void tell(double value);

  [[nodiscard]] double best() const { return x_; }
  [[nodiscard]] double best_value() const { return fx_; }
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] int evaluations() const { return evaluations_; }

 private:
  void choose();
  [[nodiscard]] bool parabolic_step();
  void narrow(double value);
  void keep(double value);

  double a_, b_;      // where the minimum is
  double x_, w_, v_;  // the best three points
  double fx_, fw_, fv_;
  double step_ = 0;  // the last and the one before
  double step_before_ = 0;
  double u_ = 0;
  double tolerance_;
  int evaluations_ = 0;
};

}  // namespace surefoot
