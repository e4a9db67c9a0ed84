#pragma once

#include <cstdint>
#include <optional>

#include "driver/model/archive.hpp"
#include "driver/model/noise/regression_step.hpp"
#include "driver/model/noise/repeat_noise.hpp"
#include "surefoot/normal_source.hpp"

namespace surefoot {

/// A search under noise. It ranks nothing: it samples around the minimum of a regression to all points so far, as
/// widely as the noise demands. Rounds of mirrored samples; every now and then the last one is evaluated twice.
class RegressionSearch {
 public:
  /// `largest`: the largest scale of the distribution. `known_deviation`: of the noise, if the user knows it.
  RegressionSearch(Axes start, double largest, std::optional<double> known_deviation);

  /// Points of the next round, the repeat included.
  [[nodiscard]] Index size() const { return samples_ + (is_repeat_due() ? 1 : 0); }
  /// Them, in search coordinates, one column each. If a repeat is due, it is the last one, the same as that before.
  [[nodiscard]] Matrix points(NormalSource& normals) const;
  /// Whether the last point of a complete round repeats the one before.
  [[nodiscard]] bool is_repeat_due() const;

  /// A round has been evaluated; the archive has its points.
  void learn(const Archive& archive, const RepeatNoise& repeats);
  /// Fits without a new round.
  void fit(const Archive& archive, const RepeatNoise& repeats);

  /// The minimum of the last regression, or the start.
  [[nodiscard]] const Axes& frame() const { return frame_; }
  /// The minimum has to be here instead, within bounds.
  void move_to(const Vector& x) { frame_.origin = x; }
  /// What noise makes one lose at the minimum, as the last regression expects; infinite without one.
  [[nodiscard]] double expected_loss() const { return loss_; }
  /// Whether the last regression has a minimum of its own there.
  [[nodiscard]] bool is_interior() const { return is_interior_ != 0; }
  [[nodiscard]] double fitted_minimum() const { return fitted_; }
  /// Standard deviation of the noise by repeats and residuals.
  [[nodiscard]] double deviation() const { return deviation_; }

  void visit(StateVisitor& visitor);

 private:
  Index samples_;
  double largest_;
  std::optional<double> known_deviation_;
  Axes frame_;
  std::int64_t rounds_ = 0;
  std::int64_t unrepeated_ = 0;  // samples since the last repeat
  std::int64_t pairs_ = 0;
  std::int64_t next_fit_ = 0;  // points that there must be
  std::int64_t is_interior_ = 0;
  double loss_;
  double fitted_;
  double deviation_;
};

/// The points of an archive, oldest first.
struct Points {
  Matrix x;
  Vector f;
};
Points points_of(const Archive& archive);

}  // namespace surefoot
