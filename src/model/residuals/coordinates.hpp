#pragma once

#include <vector>

#include "surefoot/bounds.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// What a fit knows about its parameters before the first evaluation.
struct FitDomain {
  Vector x0;                   // where the first run begins
  Bounds bounds = {};          // infinite bounds are no bounds, equal ones fix a parameter
  Vector sigma0 = {};          // expected deviation from x0 of each parameter; empty: its size
  std::vector<bool> log = {};  // parameters on a logarithmic scale; empty: none
};

/// The coordinates u in which a fit is searched: x0 is u = 0, and a change by 1 crosses the box. A coordinate without
/// two finite bounds has 4 sigma0 as its unit, or else |x0|. Parameters with equal bounds have no coordinate.
class FitCoordinates {
 public:
  /// \throws std::invalid_argument naming the option, if bounds, x0, sigma0 and log contradict each other.
  explicit FitCoordinates(FitDomain domain);

  [[nodiscard]] Index dimension() const { return static_cast<Index>(free_.size()); }
  [[nodiscard]] Index user_dimension() const { return domain_.x0.size(); }
  [[nodiscard]] const Vector& lower() const { return lower_; }
  [[nodiscard]] const Vector& upper() const { return upper_; }
  /// Whether every coordinate has two finite bounds.
  [[nodiscard]] bool is_box() const { return is_box_; }
  [[nodiscard]] const std::vector<Index>& free() const { return free_; }
  [[nodiscard]] bool is_log(Index parameter) const {
    return !domain_.log.empty() && domain_.log[static_cast<std::size_t>(parameter)];
  }
  [[nodiscard]] const FitDomain& domain() const { return domain_; }

  [[nodiscard]] Vector to_user(const Vector& u) const;
  [[nodiscard]] Matrix to_user(const Matrix& u) const;
  /// dx/du at u, for the free parameters.
  [[nodiscard]] Vector slopes(const Vector& u) const;
  /// Which of the free parameters are on a bound: -1 on the lower one, 1 on the upper one, else 0.
  [[nodiscard]] std::vector<int> active(const Vector& u) const;

 private:
  void check() const;
  void set_unit(Index k);

  FitDomain domain_;
  std::vector<Index> free_;  // user parameters that have a coordinate
  Vector unit_;              // of each coordinate, in the user's parameter or its logarithm
  Vector lower_, upper_;
  bool is_box_ = false;
};

}  // namespace surefoot
