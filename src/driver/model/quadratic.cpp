#include "driver/model/quadratic.hpp"

#include <cmath>

#include "core/linear_algebra/dense_products.hpp"

namespace surefoot {

void Quadratic::values(const Matrix& z, Matrix& product, Vector& result) const {
  product = surefoot::product(H, z);
  product.colwise() += linear;
  result = (product.array() * z.array()).colwise().sum().transpose() + constant;
}

void Quadratic::substitute(const Vector& t, const Matrix& J, Quadratic& result) const {
  const Vector half_gradient = H * t;
  result.constant = constant + t.dot(linear + half_gradient);
  result.linear.noalias() = J.transpose() * (linear + 2 * half_gradient);
  result.H = transposed_product(J, surefoot::product(H, J));
}

bool Quadratic::is_finite() const { return std::isfinite(constant) && linear.allFinite() && H.allFinite(); }

void Quadratic::visit(StateVisitor& visitor) {
  visitor.scalar("constant", constant);
  visitor.vector("linear", linear);
  visitor.matrix("H", H);
}

}  // namespace surefoot
