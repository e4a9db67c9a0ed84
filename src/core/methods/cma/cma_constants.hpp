#pragma once

#include "surefoot/types.hpp"

namespace surefoot {

/// Weights and constants of active CMA-ES [Hansen2016, table 1].
struct CmaConstants {
  Vector w;               // of the ranks 1 (best) to popsize; those of the worse half are negative
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

CmaConstants cma_constants(Index dimension, Index popsize);

}  // namespace surefoot
