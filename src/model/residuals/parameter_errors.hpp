#pragma once

#include <string>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// What error bars are computed from: the free parameters at the end of a fit.
struct FitEnd {
  Matrix jacobian;                  // dr/dx, after weights and loss
  Vector jacobian_deviations = {};  // of the lengths of its columns; empty: it is exact
  double f = 0;                     // sum of squares
  Vector x;                         // free parameters
  Vector widths = {};               // of their boxes; infinite without two bounds
  std::vector<int> active = {};     // -1 and 1 for a parameter on its lower and upper bound
  std::vector<bool> log = {};       // on a logarithmic scale
  std::vector<std::string> names = {};
  bool absolute_sigma = false;  // residuals are in units of their standard deviations
};

/// Errors of parameters to first order. Those on a bound are held there; they have no error.
struct ParameterErrors {
  Matrix covariance;                           // zero for parameters on a bound
  Vector deviations;                           // its roots
  Matrix intervals;                            // 95 %: lower and upper ends, one row per parameter
  Matrix correlation;                          // zero for parameters on a bound
  double residual_variance = 0;                // f/(m - p); 1 for absolute sigma
  std::vector<std::string> undetermined = {};  // combinations along which the data hardly change f
};

/// \throws std::invalid_argument if there are not more residuals than parameters.
ParameterErrors parameter_errors(const FitEnd& end);

}  // namespace surefoot
