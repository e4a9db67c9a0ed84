#pragma once

#include <limits>

#include "surefoot/types.hpp"

namespace surefoot {

/// What published programs of CMA-ES do differently. The defaults are those of the cmaes library.
struct CmaRules {
  bool has_negative_weights = true;
  double alpha_cov = 2;    // factor of c_1 and c_mu
  int first_exponent = 4;  // of the correction of |p_sigma| in h_sigma, in the first generation; then 2 more each
  bool compares_squares = false;  // h_sigma compares |p_sigma|^2 with (2 + 4/(d + 1)) d
  bool gates_p_c = true;          // p_c waits while h_sigma = 0
  bool normalises_paths = false;  // short paths of the first generations are compared with what they can be
  double largest_growth = std::numeric_limits<double>::infinity();  // of ln sigma in a generation
};

/// Weights and constants of CMA-ES [Hansen2016, table 1].
struct CmaConstants {
  CmaRules rules;
  Vector w;               // of the ranks 1 (best) to popsize; those of the worse half are negative, or 0
  double mu_eff;          // of the positive weights
  double mu_eff_minus;    // of the negative ones
  double alpha_minus;     // minus the sum of the negative ones
  double c_m = 1;         // rate of the mean
  double c_sigma;         // cumulation for the step size
  double d_sigma;         // damping of the step size
  double c_c;             // cumulation for the rank-one update
  double c_1;             // rate of the rank-one update
  double c_mu;            // rate of the rank-mu update
  Index decompose_every;  // generations between decompositions of C
};

CmaConstants cma_constants(Index dimension, Index popsize, const CmaRules& rules = {});

}  // namespace surefoot
