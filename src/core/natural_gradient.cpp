#include "surefoot/natural_gradient.hpp"

namespace surefoot {

Matrix NaturalGradient::B() const {
  Matrix G = z * w.asDiagonal() * z.transpose();
  G.diagonal().array() -= sigma;
  return G;
}

}  // namespace surefoot
