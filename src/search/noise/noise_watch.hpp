#pragma once

#include <optional>

#include "driver/model/archive.hpp"
#include "driver/model/noise/regression_search.hpp"
#include "driver/model/noise/repeat_noise.hpp"
#include "driver/setup.hpp"
#include "search/noise/noise_found.hpp"
#include "search/stage.hpp"

namespace surefoot {

/// Looks for noise of the objective, and says what follows from it. Its stages act: they repeat evaluations, search by
/// regression and measure the point that is returned.
class NoiseWatch {
 public:
  /// The setup must outlive it.
  explicit NoiseWatch(const Setup& setup);

  /// Evaluated points, the user's coordinates, in the order in which they came.
  void see(const Matrix& points, const Generation& generation, const Counting& counting);
  /// After a generation of this run.
  void look(const Run& run, const Tally& tally);

  [[nodiscard]] bool has_found() const { return kind_ == found; }
  [[nodiscard]] NoiseFound findings() const;

  // Repeated evaluations.

  /// Points to be evaluated again, the user's coordinates.
  [[nodiscard]] const Matrix& repeats() const { return again_; }
  void learn_repeats(const Vector& values, const Tally& tally);

  // The search by regression, which comes instead of the runs' generations.

  [[nodiscard]] bool is_searching() const { return regression_.has_value(); }
  [[nodiscard]] const RegressionSearch& search() const { return *regression_; }
  void learn_round(const Vector& values, const Tally& tally);

  // What is returned.

  [[nodiscard]] bool is_measure_due(const Tally& tally) const;
  /// Evaluations of a measurement within the search; 0: none is planned.
  [[nodiscard]] std::int64_t planned_measure() const { return planned_measure_; }
  [[nodiscard]] Vector candidate(const Tally& tally) const;
  void measure(const Vector& x, const Vector& values);
  /// After a measurement: whether it ends the search.
  [[nodiscard]] Stop end_by_measure(const Tally& tally);

  void visit(StateVisitor& visitor);

 private:
  enum Kind : std::int64_t { unknown = 0, none = 1, found = 2 };

  [[nodiscard]] bool may_search() const;
  [[nodiscard]] std::optional<std::int64_t> budget() const;
  [[nodiscard]] std::optional<double> known_deviation() const;
  [[nodiscard]] double deviation() const;
  void compare_with_best(const Vector& x, double f);
  void remember_newest(const Vector& x, double f);
  void repeat_best(const Tally& tally);
  void repeat_newest(Index count);
  void compare_repeat(double first, double second);
  void go_over_if_harmful();
  void move_into_bounds();
  void plan_measure(const Tally& tally);
  void plan_measure_of_target(const Tally& tally);
  void visit_points(StateVisitor& visitor);
  void visit_regression(StateVisitor& visitor);
  void visit_measured(StateVisitor& visitor);
  void require_sound() const;

  const Setup& setup_;
  std::int64_t kind_ = unknown;
  std::optional<Archive> archive_;  // search coordinates; none where nothing would be done with it
  Vector values_;                   // of the present generation of the run
  double spread_ = 0;               // standard deviation of the last whole one, by quartiles
  std::int64_t wholes_ = 0;         // generations that were evaluated whole
  Vector best_x_;                   // the user's coordinates; empty where there are very many
  double best_f_ = 0;
  Matrix newest_x_;  // of the last evaluations of the run; only under noise
  Vector newest_f_;
  Matrix again_;   // to be evaluated again
  Vector before_;  // their values
  double first_difference_ = 0;
  RepeatNoise repeats_;
  std::int64_t attempts_ = 0;   // at repeats
  std::int64_t last_pair_ = 0;  // evaluations then
  Axes frame_;                  // of the best run, as last seen
  Vector mean_;                 // the same mean, the user's coordinates
  std::optional<RegressionSearch> regression_;
  std::int64_t planned_measure_ = 0;
  std::int64_t next_measure_ = 0;  // not before so many evaluations
  NoiseFound::Measured measured_;
};

}  // namespace surefoot
