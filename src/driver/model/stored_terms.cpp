#include "core/linear_algebra/products.hpp"
#include "driver/model/terms.hpp"

namespace surefoot {
namespace {

/// The terms of a point, times a weight.
void write_terms(ModelType type, const Eigen::Ref<const Vector>& z, double w, Eigen::Ref<Vector> terms) {
  const Index d = z.size();
  terms[0] = w;
  terms.segment(1, d) = w * z;
  if (type == ModelType::linear) return;
  terms.segment(1 + d, d) = w * z.cwiseAbs2();
  if (type == ModelType::diagonal) return;
  Index next = 1 + 2 * d;
  for (Index i = 0; i + 1 < d; ++i) {
    terms.segment(next, d - 1 - i) = (w * z[i]) * z.tail(d - 1 - i);
    next += d - 1 - i;
  }
}

}  // namespace

Index number_of_terms(ModelType type, Index dimension) {
  switch (type) {
    case ModelType::none: return 0;
    case ModelType::linear: return dimension + 1;
    case ModelType::diagonal: return 2 * dimension + 1;
    case ModelType::full: return (dimension + 1) * (dimension + 2) / 2;
  }
  return 0;
}

void StoredTerms::prepare(ModelType type, const Matrix& z, const Vector& w) {
  type_ = type;
  X_.resize(number_of_terms(type_, z.rows()), z.cols());
  for (Index k = 0; k < z.cols(); ++k) write_terms(type_, z.col(k), w[k], X_.col(k));
  scales_ = X_.rowwise().norm();
  for (double& s : scales_) s = s > 0 ? s : 1;
  X_.array().colwise() /= scales_.array();
}

void StoredTerms::gram(Matrix& result) const {
  result.resize(X_.rows(), X_.rows());
  multiply_symmetric(X_, X_, result);
}

void StoredTerms::combine(const Vector& v, Vector& result) { result.noalias() = X_ * v; }

void StoredTerms::evaluate(const Vector& c, Vector& result) { result.noalias() = X_.transpose() * c; }

void StoredTerms::unpack(Vector& c, Quadratic& result) const {
  const Index d = result.linear.size();
  c.array() /= scales_.array();
  result.constant = c[0];
  result.linear = c.segment(1, d);
  result.H.setZero();
  if (type_ == ModelType::linear) return;
  result.H.diagonal() = c.segment(1 + d, d);
  if (type_ == ModelType::diagonal) return;
  Index next = 1 + 2 * d;
  for (Index i = 0; i + 1 < d; ++i) {
    for (Index j = i + 1; j < d; ++j) result.H(i, j) = result.H(j, i) = c[next++] / 2;
  }
}

}  // namespace surefoot
