#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "driver/model/archive.hpp"
#include "driver/model/frame.hpp"
#include "driver/model/quadratic_fit.hpp"

namespace surefoot {

/// A quadratic that ranks points as the objective did the points of an archive, as far as it can. Its values are in
/// units of the range of the values it was fitted to: 0 at the best of them, 1 at the worst.
///
/// Best points weigh most, by rank and by value, so the weights do not depend on x. A model is therefore the same in
/// any frame in which its terms span the same functions: a full one in every frame, the others in every axis-parallel
/// one. When only the search distribution moves it is transformed, not fitted again. [Hansen2019]
class QuadraticModel {
 public:
  /// No model will have more terms than `largest`.
  explicit QuadraticModel(Index dimension, ModelType largest = ModelType::full);

  /// Fits the largest type that the archive allows or, if that fails, a smaller one. Full models are fitted in the
  /// given frame, others in the axis-parallel frame of the same standard deviations.
  void fit(const Archive& archive, const Frame& frame);
  /// The largest type that this many points allow.
  [[nodiscard]] ModelType affordable(Index points) const;
  /// There is no model until the next fit.
  void forget() { type_ = 0; }

  /// none: there is no model.
  [[nodiscard]] ModelType type() const { return static_cast<ModelType>(type_); }
  [[nodiscard]] bool exists() const { return type() != ModelType::none; }
  /// How often it was fitted.
  [[nodiscard]] std::int64_t fits() const { return fits_; }
  /// The archive's count of points at the last fit.
  [[nodiscard]] std::int64_t points_seen() const { return points_seen_; }
  /// Highest minus lowest of the values of the last fit.
  [[nodiscard]] double range() const { return range_; }
  /// A value of f, as `rise` gives it.
  [[nodiscard]] double rise_of(double f) const { return (f - lowest_) / range_; }
  /// 1, or what power of the values is nearer to a quadratic: 1/2 or 2.
  [[nodiscard]] double power() const { return power_; }
  /// Of the last fit, if it was measured; see QuadraticFit.
  [[nodiscard]] double condition() const { return condition_; }
  /// Takes a tenth of the time of a small fit. After a fit that has succeeded.
  void measure_condition() { condition_ = fit_.condition(); }

  /// The model's values, which rank points; `rise` gives them the scale of f.
  void values(const Matrix& points, Vector& result) const;

  /// What a value of the model means: f minus the lowest of the fitted values, in units of their range.
  [[nodiscard]] double rise(double value) const;

  /// Kendall's tau of the model and the true values of the newest points.
  [[nodiscard]] double rank_correlation(const Archive& archive, Index count);

  /// The model as a function of the coordinates of a frame.
  void in_frame(const Frame& frame, Quadratic& result) const;

  void visit(StateVisitor& visitor);

 private:
  bool fit(ModelType type, const Archive& archive, const Frame& frame);
  void order(const Archive& archive, Index window);
  void choose_power(const Archive& archive);
  void weigh(Index used);
  void gather(const Archive& archive, Index used);
  void place(ModelType type, const Frame& frame);

  ModelType largest_;
  Frame frame_;  // of the fit
  Quadratic quadratic_;
  std::int64_t type_ = 0;
  std::int64_t fits_ = 0;
  std::int64_t points_seen_ = 0;
  double power_ = 1;
  double lowest_ = 0;
  double range_ = 0;
  double condition_ = std::numeric_limits<double>::quiet_NaN();

  // Workspace.
  QuadraticFit fit_;
  std::vector<Index> order_;
  Matrix points_;
  Vector y_, weights_, powered_;
  Quadratic other_;  // the best but for the present power
  double other_power_ = 1;
  Matrix newest_;
  Vector newest_values_, predicted_;
  mutable Matrix local_, product_;
  mutable Vector shift_;
  mutable Matrix rotation_;
};

}  // namespace surefoot
