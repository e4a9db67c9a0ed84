#pragma once

#include <optional>
#include <vector>

#include "driver/domain/domain.hpp"

namespace surefoot {

/// A box, and units of the coordinates.
///
/// A strategy searches in units of the start's standard deviations, so that parameters of any scale look alike to it.
/// Coordinates with equal bounds are left out of the search. A point beyond a bound stands for the nearest point of the
/// box: an optimum on a bound is found exactly, and no bound mirrors an optimum. A small parabola joins the two.
class Box final : public Domain {
 public:
  Box(const Bounds& bounds, const Vector& x0, const Sigma0& sigma0, std::string note = {});
  Box(const Bounds& bounds, const Start& start);

  /// Whether search coordinates are the user's, everywhere.
  [[nodiscard]] bool is_identity() const { return is_identity_; }

  [[nodiscard]] Index search_dimension() const override { return static_cast<Index>(free_.size()); }
  [[nodiscard]] Start start() const override;
  [[nodiscard]] double start_sigma() const override { return start_sigma_; }
  [[nodiscard]] const Vector& user_start() const override { return fixed_; }

  const Matrix& to_user(const Matrix& points, Matrix& room) const override;
  [[nodiscard]] Vector to_user(const Vector& point) const override;
  [[nodiscard]] Vector to_search(const Vector& user) const override;
  [[nodiscard]] Vector user_deviations(Vector deviations) const override;
  [[nodiscard]] Start user_distribution(Start distribution) const override;

  [[nodiscard]] double lower(Index coordinate) const override { return user_lower_[coordinate]; }
  [[nodiscard]] double upper(Index coordinate) const override { return user_upper_[coordinate]; }
  /// Uniform if there are two finite bounds for every coordinate, else around the first start.
  [[nodiscard]] Vector restart_mean(const Vector& z) const override;

  [[nodiscard]] bool has_bounds() const override { return has_bounds_; }
  bool excess(const Matrix& points, const Vector& deviations, Vector& squares) const override;
  /// How large a searched coordinate's 1 is in the user's.
  [[nodiscard]] double unit(Index k) const { return unit_[k]; }
  /// What brings a mean back that is further than `limit` standard deviations outside; 0 elsewhere.
  [[nodiscard]] Vector way_back(const Vector& mean, const Vector& deviations, double limit) const;
  /// Limits the standard deviations, and the distance of the mean to the box.
  bool correction(const Distribution& distribution, Vector& shift, Vector& factors) const override;

  void visit(StateVisitor& visitor) const override;

 private:
  Box(const Bounds& bounds, const Vector& x0);
  /// Whether every searched coordinate has two finite bounds.
  [[nodiscard]] bool is_finite() const;
  /// One coordinate in search units, into its bounds and back.
  [[nodiscard]] double into(Index k, double x) const;
  [[nodiscard]] double back(Index k, double x) const;
  void set_units(const Vector& user_deviations);
  [[nodiscard]] Vector searched(const Vector& per_coordinate) const;

  Vector user_lower_, user_upper_;
  Vector fixed_;             // the user's start, of which fixed coordinates are taken
  std::vector<Index> free_;  // user coordinates that are searched
  Vector unit_;              // of each searched coordinate, in the user's
  Vector lower_, upper_;     // of the searched coordinates, in search units
  Vector margin_;            // width of the parabola at the bounds
  Vector start_mean_;
  double start_sigma_ = 1;
  std::optional<Matrix> start_factor_;     // of a start with correlations
  std::optional<Vector> start_direction_;  // of a warm start whose shape is a diagonal and a vector
  bool is_identity_ = true;
  bool has_bounds_ = false;
};

}  // namespace surefoot
