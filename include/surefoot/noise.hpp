#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// What the user says about noise of the objective.

#include <string>

namespace surefoot {

/// "auto": the search looks for noise itself; "none": values at the same point are the same; a number: the standard
/// deviation of the noise, which is known.
struct Noise {
  enum class Kind { automatic, none, known };

  Kind kind = Kind::automatic;
  double deviation = 0;  // if it is known

  Noise() = default;
  /// \throws std::invalid_argument unless it is positive.
  Noise(double deviation_);  // NOLINT(google-explicit-constructor)
  /// \throws std::invalid_argument for what is neither auto nor none nor a positive number.
  Noise(const std::string& text);                        // NOLINT(google-explicit-constructor)
  Noise(const char* text) : Noise(std::string(text)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::string text() const;
};

}  // namespace surefoot
