#include <algorithm>
#include <cmath>

#include "core/linear_algebra/block_products.hpp"
#include "core/linear_algebra/products.hpp"
#include "driver/model/terms.hpp"

namespace surefoot {
namespace {

constexpr Index points_at_once = 32;  // their products stay in the cache

}  // namespace

void ProductTerms::prepare(const Matrix& z, const Vector& w) {
  if (size_ != z.rows() + 1) {
    size_ = z.rows() + 1;
    place();
  }
  h_.resize(size_, z.cols());
  h_.row(0).setOnes();
  h_.bottomRows(z.rows()) = z;
  weights_ = w;
  sum_moments();
  measure_scales();
}

void ProductTerms::place() {
  by_first_.resize(terms(), points_at_once);
  by_second_.resize(terms(), points_at_once);
  starts_.assign(static_cast<std::size_t>(size_), 0);
  Index next = 0;
  for (Index j = 0; j < size_; ++j) {
    starts_[static_cast<std::size_t>(j)] = next;
    next += (j + 1) * (terms() - pair(j, j));
  }
  moments_.resize(next);
  square_.resize(size_, size_);
}

void ProductTerms::write_products(Index first, Index count) {
  for (Index k = 0; k < count; ++k) {
    const double* const h = h_.data() + (first + k) * size_;
    double* const by_first = by_first_.data() + k * terms();
    double* const by_second = by_second_.data() + k * terms();
    for (Index a = 0; a < size_; ++a) {
      const double factor = weights_[first + k] * h[a];
      for (Index b = a; b < size_; ++b) by_first[pair(a, b)] = factor * h[b];
      for (Index b = 0; b <= a; ++b) by_second[a * (a + 1) / 2 + b] = factor * h[b];
    }
  }
}

void ProductTerms::sum_moments() {
  moments_.setZero();
  for (Index first = 0; first < h_.cols(); first += points_at_once) {
    const Index count = std::min(points_at_once, h_.cols() - first);
    write_products(first, count);
    for (Index j = 0; j < size_; ++j) {
      const Index rows = terms() - pair(j, j);
      accumulate_outer(by_first_.block(pair(j, j), 0, rows, count), by_second_.block(j * (j + 1) / 2, 0, j + 1, count),
                       Eigen::Map<Matrix>(moments_.data() + starts_[static_cast<std::size_t>(j)], rows, j + 1));
    }
  }
}

void ProductTerms::measure_scales() {
  inverse_scales_.resize(terms());
  for (Index a = 0; a < size_; ++a) {
    for (Index b = a; b < size_; ++b) {
      const double square = moment(a, a, b, b);
      inverse_scales_[pair(a, b)] = square > 0 ? 1 / std::sqrt(square) : 1;
    }
  }
}

/// Column (i, j) has the rows (a, b) from itself on: those of a >= j as they are in the moments, those before with
/// their indices in order.
void ProductTerms::gram(Matrix& result) const {
  result.resize(terms(), terms());
  for (Index i = 0; i < size_; ++i) {
    for (Index j = i; j < size_; ++j) {
      const Index column = pair(i, j);
      double* const to = result.data() + column * terms();
      for (Index a = i; a < j; ++a) {
        for (Index b = a == i ? j : a; b < size_; ++b) to[pair(a, b)] = moment(i, a, std::min(b, j), std::max(b, j));
      }
      const double* const from = &moments_[starts_[static_cast<std::size_t>(j)] + i * (terms() - pair(j, j))];
      std::copy_n(from, terms() - pair(j, j), to + pair(j, j));
      const double scale = inverse_scales_[column];
      for (Index row = column; row < terms(); ++row) to[row] *= scale * inverse_scales_[row];
    }
  }
}

/// sum_k w_k v_k h_k h_k^T.
void ProductTerms::combine(const Vector& v, Vector& result) {
  weighted_ = weights_.cwiseProduct(v);
  multiply_weighted(h_, weighted_, square_);
  result.resize(terms());
  for (Index a = 0; a < size_; ++a) {
    for (Index b = a; b < size_; ++b) result[pair(a, b)] = square_(b, a) * inverse_scales_[pair(a, b)];
  }
}

/// w_k h_k^T C h_k with a triangular C.
void ProductTerms::evaluate(const Vector& c, Vector& result) {
  square_.setZero();
  for (Index a = 0; a < size_; ++a) {
    for (Index b = a; b < size_; ++b) square_(b, a) = c[pair(a, b)] * inverse_scales_[pair(a, b)];
  }
  product_.resize(size_, h_.cols());
  multiply(square_, h_, product_);
  result = (product_.array() * h_.array()).colwise().sum().transpose() * weights_.array();
}

void ProductTerms::unpack(Vector& c, Quadratic& result) const {
  c.array() *= inverse_scales_.array();
  result.constant = c[0];
  result.linear = c.segment(1, size_ - 1);
  for (Index a = 1; a < size_; ++a) {
    result.H(a - 1, a - 1) = c[pair(a, a)];
    for (Index b = a + 1; b < size_; ++b) result.H(a - 1, b - 1) = result.H(b - 1, a - 1) = c[pair(a, b)] / 2;
  }
}

}  // namespace surefoot
