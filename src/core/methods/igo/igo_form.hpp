#pragma once

namespace surefoot {

/// How a step along the natural gradient of the ranking moves mean and covariance [Ollivier2017].
enum class IgoForm {
  rank_mu,  // CMA-ES without step-size control, paths and negative weights [Hansen2003]
  igo,      // a straight step in (m, C), one rate for both
  ml,       // maximum of the weighted log-likelihood, one rate for both
  gigo,     // along the geodesic of the Fisher metric [Bensadon2015]
};

}  // namespace surefoot
