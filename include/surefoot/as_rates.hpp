#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Constants of adaptation sampling.

#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// `as`: adaptation sampling of the step size's rate [Wierstra2014], with all its constants. Empty ones depend on d.
struct AsRates {
  double c = 0.1;                  // change of the rate in a generation
  std::optional<double> rho = {};  // confidence that longer steps need: 1/2 - 1/(3 (d + 1))
  double factor = 1.5;             // rates as many times as large are tested
  double eta_max = 1;

  operator LearningRate() const;  // NOLINT(google-explicit-constructor): reads as a value in options
};

}  // namespace surefoot
