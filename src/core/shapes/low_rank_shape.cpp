#include "core/shapes/low_rank_shape.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/elementary/elementary.hpp"
#include "core/geometric_mean.hpp"
#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/dense_solvers.hpp"
#include "core/linear_algebra/symmetric_eigen.hpp"

namespace surefoot {

double LowRankShape::sigma_of(const Start& start) { return geometric_mean(start.deviations); }

LowRankShape::LowRankShape(const Start& start, double sigma) : s(start.deviations / sigma), M(s.size(), 0) {}

/// F_j (I + M K M^T) adds r e_j (e_j + K^T G e_j)^T to K, where G = M^T M and r = c_j/(1 - c_j).
void LowRankShape::update(Index n, Blocks& blocks) {
  const auto sums = blocks.sums(n * n, [&](const Block& block, auto part) {
    const auto rows = M.leftCols(n).middleRows(block.begin, block.size);
    Eigen::Map<Matrix>(part.data(), n, n) = transposed_product(rows, rows);
  });
  const Matrix G = Eigen::Map<const Matrix>(sums.data(), n, n);
  a_ = 1;
  K_.setZero(n, n);
  for (Index j = 0; j < n; ++j) {
    const double c = elementary::pow(1.5, -static_cast<double>(j)) / static_cast<double>(dimension());
    const double r = c / (1 - c);
    const Vector g = G.row(j);
    Vector row = r * (K_.transpose() * g);
    row[j] += r;
    K_.row(j) += row;
    a_ *= 1 - c;
  }
  inverse_ = -solution(Matrix::Identity(n, n) + product(K_, G), K_);
}

/// The diagonal of A A^T = a^2 (I + M S M^T) with S = K + K^T + K G K^T; 2 K in place of K + K^T has the same one.
/// Block by block: all rows of M S at once would take as much memory as M.
void LowRankShape::deviations(Vector& out) const {
  const Matrix GK = product_transposed(transposed_product(used(), used()), K_);  // G K^T
  const Matrix S = product(K_, 2 * Matrix::Identity(K_.rows(), K_.rows()) + GK);
  out.resize(s.size());
  for (Index begin = 0; begin < s.size(); begin += Blocks::size) {
    const Index n = std::min(Blocks::size, s.size() - begin);
    const auto rows = used().middleRows(begin, n);
    const Matrix cross = product(rows, S);
    const auto sums = cross.cwiseProduct(rows).rowwise().sum().array();
    out.segment(begin, n) = s.segment(begin, n).array() * a_ * (1 + sums).sqrt();
  }
}

void LowRankShape::axis(Index k, Vector& out) const {
  const Vector row = used().row(k);
  const Vector coefficients = K_ * row;
  out = used() * coefficients;
  out[k] += 1;
  out.array() *= a_ * s.array();
}

void LowRankShape::multiply(const Matrix& z, Matrix& y) const {
  const Matrix coefficients = product(K_, transposed_product(used(), z));
  if (&y != &z) y = z;
  y += product(used(), coefficients);
  y.array().colwise() *= a_ * s.array();
}

void LowRankShape::multiply(Blocks& blocks, Matrix& z) const {
  const Index n = K_.rows();
  const auto sums = blocks.sums(n * z.cols(), [&](const Block& block, auto part) {
    Eigen::Map<Matrix>(part.data(), n, z.cols()) =
        transposed_product(used().middleRows(block.begin, block.size), z.middleRows(block.begin, block.size));
  });
  const Matrix coefficients = product(K_, Eigen::Map<const Matrix>(sums.data(), n, z.cols()));
  blocks.each([&](const Block& block) {
    auto rows = z.middleRows(block.begin, block.size);
    rows += product(used().middleRows(block.begin, block.size), coefficients);
    rows.array().colwise() *= a_ * block.of(s);
  });
}

void LowRankShape::solve(Eigen::Ref<Matrix> y) const {
  y.array().colwise() /= a_ * s.array();
  const Matrix coefficients = product(inverse_, transposed_product(used(), y));
  y += product(used(), coefficients);
}

std::pair<double, double> LowRankShape::extreme_lengths() const {
  const Vector lengths = axis_lengths();
  return {lengths[0], lengths[lengths.size() - 1]};
}

/// Eigenvalues of A^T A without s: a^2 times 1, and 1 + those of S G, which are those of R^T S R with G = R R^T.
Vector LowRankShape::axis_lengths() const {
  const Index n = K_.rows();
  Vector lengths = Vector::Constant(dimension(), a_);
  if (n > 0) {
    const Matrix G = transposed_product(used(), used());
    const Matrix S = K_ + K_.transpose() + product_transposed(product(K_, G), K_);
    const Eigen::SelfAdjointEigenSolver<Matrix> gram(G);
    Matrix R = gram.eigenvectors();
    for (Index j = 0; j < n; ++j) R.col(j) *= std::sqrt(std::max(gram.eigenvalues()[j], 0.0));
    const Matrix T = product(transposed_product(R, S), R);
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(T, Eigen::EigenvaluesOnly);
    const Index some = std::min(n, dimension());
    Vector values = (1 + solver.eigenvalues().array()).max(0).sqrt();
    std::sort(values.begin(), values.end(), [](double a, double b) { return std::abs(a - 1) > std::abs(b - 1); });
    lengths.head(some).array() *= values.head(some).array();
  }
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return lengths;
}

Start LowRankShape::snapshot(const Vector& mean, double sigma) const {
  Vector out;
  deviations(out);
  return {mean, sigma * out};
}

/// M one direction a row, as files have it.
void LowRankShape::visit(StateVisitor& visitor) {
  visitor.vector("s", s);
  Matrix rows = M.transpose();
  visitor.matrix("M", rows);
  M = rows.transpose();
  std::int64_t n = K_.rows();
  visitor.integer("directions", n);
  Blocks blocks(dimension());
  update(std::clamp<Index>(static_cast<Index>(n), 0, M.cols()), blocks);
}

}  // namespace surefoot
