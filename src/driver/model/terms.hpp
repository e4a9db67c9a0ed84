#pragma once

#include <vector>

#include "driver/model/quadratic.hpp"

namespace surefoot {

/// Which terms a model has: 1 and z_i; also z_i^2; also z_i z_j.
enum class ModelType { none, linear, diagonal, full };

/// Number of terms in d dimensions: d + 1, 2 d + 1, (d + 1)(d + 2)/2.
Index number_of_terms(ModelType type, Index dimension);

/// The matrix X of a least-squares problem: terms x points, the terms of point k times its weight w_k in column k.
/// Every row is divided by its norm, or by 1 if that is 0.
class Terms {
 public:
  Terms() = default;
  Terms(const Terms&) = default;
  Terms(Terms&&) = default;
  Terms& operator=(const Terms&) = default;
  Terms& operator=(Terms&&) = default;
  virtual ~Terms() = default;

  /// The lower part of X X^T; what is above the diagonal is undefined.
  virtual void gram(Matrix& result) const = 0;
  /// X v, v a number for each point.
  virtual void combine(const Vector& v, Vector& result) = 0;
  /// X^T c, c a coefficient for each term.
  virtual void evaluate(const Vector& c, Vector& result) = 0;
  /// The quadratic of coefficients c, which are changed.
  virtual void unpack(Vector& c, Quadratic& result) const = 0;
};

/// X as a matrix.
class StoredTerms : public Terms {
 public:
  void prepare(ModelType type, const Matrix& z, const Vector& w);

  [[nodiscard]] const Matrix& matrix() const { return X_; }
  void gram(Matrix& result) const override;
  void combine(const Vector& v, Vector& result) override;
  void evaluate(const Vector& c, Vector& result) override;
  void unpack(Vector& c, Quadratic& result) const override;

 private:
  ModelType type_ = ModelType::none;
  Matrix X_;
  Vector scales_;
};

/// The terms of a full model, never stored. With z_0 = 1 they are z_a z_b, 0 <= a <= b <= d, so entries of X X^T are
/// moments of fourth order. An entry does not depend on the order of its four indices: only those of
/// i <= j <= a <= b are computed, a third of the symmetric matrix.
class ProductTerms : public Terms {
 public:
  void prepare(const Matrix& z, const Vector& w);

  void gram(Matrix& result) const override;
  void combine(const Vector& v, Vector& result) override;
  void evaluate(const Vector& c, Vector& result) override;
  void unpack(Vector& c, Quadratic& result) const override;

 private:
  [[nodiscard]] Index pair(Index a, Index b) const { return a * size_ - a * (a - 1) / 2 + b - a; }
  [[nodiscard]] Index terms() const { return size_ * (size_ + 1) / 2; }
  void place();
  void write_products(Index first, Index count);
  void sum_moments();
  void measure_scales();
  [[nodiscard]] double moment(Index i, Index j, Index a, Index b) const {
    return moments_[starts_[static_cast<std::size_t>(j)] + i * (terms() - pair(j, j)) + pair(a, b) - pair(j, j)];
  }

  Index size_ = 0;             // 1 + d
  Matrix h_;                   // (1, z_k), one per column
  Vector weights_;             // w_k
  Vector inverse_scales_;      // of the terms
  Matrix by_first_;            // w_k h_a h_b of some points, in the order (0, 0), (0, 1), ... (1, 1), (1, 2), ...
  Matrix by_second_;           // the same numbers in the order (0, 0), (0, 1), (1, 1), (0, 2), ...
  Vector moments_;             // for each j a matrix: rows (a, b) from (j, j) on, columns i <= j
  std::vector<Index> starts_;  // of these matrices
  Matrix square_, product_;    // workspace
  Vector weighted_;
};

}  // namespace surefoot
