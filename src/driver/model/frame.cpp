#include "driver/model/frame.hpp"

#include "core/linear_algebra/dense_products.hpp"

namespace surefoot {

Frame::Frame(Index dimension)
    : center_(Vector::Zero(dimension)),
      axes_(Matrix::Identity(dimension, dimension)),
      inverse_transposed_(Matrix::Identity(dimension, dimension)),
      inverse_(dimension) {}

void Frame::set(const Vector& center, const Matrix& axes) {
  center_ = center;
  axes_ = axes;
  invert();
}

void Frame::set_axis_parallel(const Vector& center, const Vector& lengths) {
  center_ = center;
  axes_ = lengths.asDiagonal();
  inverse_transposed_ = lengths.cwiseInverse().asDiagonal();
}

void Frame::to_local(const Eigen::Ref<const Matrix>& x, Matrix& z) const {
  z = transposed_product(inverse_transposed_, x.colwise() - center_);
}

Vector Frame::to_local(const Vector& x) const { return inverse_transposed_.transpose() * (x - center_); }

void Frame::see(const Frame& other, Vector& t, Matrix& J) const {
  t.noalias() = inverse_transposed_.transpose() * (other.center_ - center_);
  J = transposed_product(inverse_transposed_, other.axes_);
}

std::optional<Index> Frame::rounded_coordinate() const {
  for (Index j = 0; j < center_.size(); ++j) {
    const double deviation = 1 / inverse_transposed_.row(j).norm();
    if (center_[j] + 0.2 * deviation == center_[j]) return j;
  }
  return std::nullopt;
}

void Frame::visit(StateVisitor& visitor) {
  visitor.vector("center", center_);
  visitor.matrix("axes", axes_);
  invert();
}

/// The same bits for the same axes: a restored frame is the frame that was saved.
void Frame::invert() {
  if (axes_.isDiagonal(0)) {
    inverse_transposed_ = axes_.diagonal().cwiseInverse().asDiagonal();
  } else {
    inverse_.transposed(axes_, inverse_transposed_);
  }
}

}  // namespace surefoot
