#include "surefoot/natural_gradient.hpp"

#include "core/linear_algebra/products.hpp"

namespace surefoot {

Matrix NaturalGradient::B() const {
  Matrix G(z.rows(), z.rows());
  multiply_weighted(z, w, G);
  G.diagonal().array() -= sigma;
  return G;
}

}  // namespace surefoot
