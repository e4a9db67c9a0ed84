#pragma once

#include <optional>
#include <vector>

#include "surefoot/bounds.hpp"
#include "surefoot/distribution.hpp"
#include "surefoot/start.hpp"

namespace surefoot {

/// From the coordinates in which strategies search to the user's, and back.
///
/// A strategy searches in units of the start's standard deviations, so that parameters of any scale look alike to it.
/// Coordinates with equal bounds are left out of the search. A point beyond a bound stands for the nearest point of the
/// box: an optimum on a bound is found exactly, and no bound mirrors an optimum. A small parabola joins the two.
class Domain {
 public:
  /// \throws std::invalid_argument for bounds that are no bounds, if x0 is outside, or for a sigma0 that is none.
  Domain(const Bounds& bounds, const Vector& x0, const Sigma0& sigma0);

  /// The same for a start with any covariance.
  Domain(const Bounds& bounds, const Start& start);

  /// Where the first run begins, in search coordinates: the same standard deviation for all of them unless a covariance
  /// was given.
  [[nodiscard]] Start start() const;
  [[nodiscard]] const Vector& start_mean() const { return start_mean_; }
  [[nodiscard]] double start_sigma() const { return start_deviations_[0]; }
  [[nodiscard]] const Vector& user_start() const { return fixed_; }
  [[nodiscard]] const Vector& units() const { return unit_; }

  /// Whether search coordinates are the user's.
  [[nodiscard]] bool is_identity() const { return is_identity_; }
  /// Whether a searched coordinate has a bound.
  [[nodiscard]] bool has_bounds() const { return has_bounds_; }
  /// Whether every searched coordinate has two finite bounds.
  [[nodiscard]] bool is_box() const;
  [[nodiscard]] Index user_dimension() const { return fixed_.size(); }
  [[nodiscard]] Index search_dimension() const { return static_cast<Index>(free_.size()); }
  /// Of the user's coordinates, with infinities.
  [[nodiscard]] const Vector& user_lower() const { return user_lower_; }
  [[nodiscard]] const Vector& user_upper() const { return user_upper_; }

  /// The points of the box that search points stand for.
  void to_user(const Matrix& points, Matrix& user) const;
  [[nodiscard]] Vector to_user(const Vector& point) const;
  [[nodiscard]] Vector to_search(const Vector& user) const;
  /// Standard deviations of the user's coordinates; 0 for fixed ones.
  [[nodiscard]] Vector user_deviations(const Vector& deviations) const;
  /// A distribution in the user's coordinates, without the fixed ones.
  [[nodiscard]] Start user_distribution(const Distribution& distribution) const;

  /// A point of the box, in search coordinates, from one number in [0, 1) for each of them. The box must be one.
  [[nodiscard]] Vector point_of_box(const Vector& shares) const;

  /// The largest standard deviation that is of use in each searched coordinate: a third of its interval, as in pycma.
  [[nodiscard]] const Vector& largest_deviations() const { return largest_deviations_; }

  /// How far search points are outside the box: for each point the sum of the squared distances of its coordinates to
  /// the bounds, each in units of that coordinate's standard deviation. Says whether any point is outside.
  bool excess(const Matrix& points, const Vector& deviations, Vector& squares) const;

  /// What brings a mean back that is further than `limit` standard deviations outside the box; 0 elsewhere.
  [[nodiscard]] Vector way_back(const Vector& mean, const Vector& deviations, double limit) const;

 private:
  Domain(const Bounds& bounds, const Vector& x0);
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
  Vector largest_deviations_;
  Vector margin_;  // width of the parabola at the bounds
  Vector start_mean_;
  Vector start_deviations_;
  std::optional<Matrix> start_factor_;     // of a start with correlations
  std::optional<Vector> start_direction_;  // of a start with correlations along one direction
  bool is_identity_ = true;
  bool has_bounds_ = false;
};

}  // namespace surefoot
