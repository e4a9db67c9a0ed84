#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Restarts from other points.

#include <string>

namespace surefoot {

/// What follows when a run has converged or failed: "auto", "none", "same", "ipop" or "bipop", with the number of
/// restarts after a colon ("ipop:5").
struct Restarts {
  enum class Kind {
    automatic,  // bipop with a budget or a target, otherwise none
    none,
    same,   // the same popsize again
    ipop,   // popsize times `increase` each time [AugerHansen2005]
    bipop,  // two regimes, large and small, with equal budgets [Hansen2009]
  };

  Kind kind = Kind::automatic;
  int maximum = 9;      // restarts at most; small runs of bipop do not count
  double increase = 2;  // factor of the popsize

  Restarts() = default;
  Restarts(Kind kind_, int maximum_ = 9, double increase_ = 2)  // NOLINT(google-explicit-constructor)
      : kind(kind_), maximum(maximum_), increase(increase_) {}
  /// \throws std::invalid_argument for any other text.
  Restarts(const std::string& given);                          // NOLINT(google-explicit-constructor)
  Restarts(const char* text) : Restarts(std::string(text)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::string text() const;
};

}  // namespace surefoot
