#include "core/methods/cma/cma_movement.hpp"

#include "core/linear_algebra/products.hpp"

namespace surefoot {

CmaMovement::CmaMovement(Index dimension)
    : m(dimension),
      Sigma(dimension, dimension),
      inverse_(dimension),
      inverse_root_(dimension, dimension),
      product_(dimension, dimension) {}

void CmaMovement::start(const Normal<FullShape>& normal, const CmaState& state) {
  old_mean = normal.mean;
  old_sigma = normal.sigma;
  old_C = state.C;
}

void CmaMovement::finish(const Normal<FullShape>& normal, const CmaState& state) {
  const double growth = normal.sigma / old_sigma;
  inverse_.transposed(normal.shape.B, inverse_root_);  // symmetric, as B is
  m.noalias() = inverse_root_ * (normal.mean - old_mean) / old_sigma;
  multiply(inverse_root_, state.C, product_);
  multiply_symmetric(product_, inverse_root_, Sigma);
  Sigma *= growth * growth;
  Sigma.diagonal().array() -= 1;
}

}  // namespace surefoot
