#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/linear_algebra/dense_products.hpp"
#include "core/linear_algebra/dense_solvers.hpp"
#include "core/linear_algebra/symmetric_eigen.hpp"
#include "surefoot/surefoot.hpp"

namespace surefoot::test {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Some orthogonal matrix that depends on a random one.
inline Matrix orthogonal(const Matrix& random) {
  const Matrix symmetric = random + random.transpose();
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric).eigenvectors();
}

/// |R^T R - I|_F.
inline double deviation_from_orthogonal(const Matrix& R) {
  return (transposed_product(R, R) - Matrix::Identity(R.cols(), R.cols())).norm();
}

/// The exponential of a symmetric matrix by its eigenvalues.
inline Matrix expm_by_eigenvalues(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  Matrix scaled = eigen.eigenvectors();
  for (Index j = 0; j < A.cols(); ++j) scaled.col(j) *= std::exp(eigen.eigenvalues()[j]);
  return product_transposed(scaled, eigen.eigenvectors());
}

inline double sphere(const Vector& x) { return x.squaredNorm(); }

inline double rosenbrock(const Vector& x) {
  double sum = 0;
  for (Index i = 0; i + 1 < x.size(); ++i) sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(x[i] - 1, 2);
  return sum;
}

/// Values of a ranking that has nothing to do with the candidates.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : normals_(seed, 12345) {}

  Vector operator()(Index popsize) {
    Matrix z(1, popsize);
    normals_.fill(generation_++, z);
    return z.row(0).transpose();
  }

 private:
  CounterNormals normals_;
  std::uint64_t generation_ = 0;
};

/// Text as the name of a test: a pointer's address, gtest's default, changes from run to run.
inline std::string name_of(std::string text) {
  for (char& c : text) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return text;
}

/// Every method, and xNES and SNES with every policy of their rates.
inline std::vector<std::string> all_methods() {
  std::vector<std::string> all = {"fixed",    "lra",      "lra:frame=B", "s3-lra",        "s3-lra:frame=B",
                                  "geodesic", "snes lra", "snes s3-lra", "snes geodesic", "geodesic:separate",
                                  "as",       "snes as"};
  for (const MethodInfo& method : method_table()) {
    if (method.name != "xnes") all.push_back(method.name);
  }
  return all;
}

inline Options options_of(const std::string& method) {
  if (const std::size_t space = method.find(' '); space != std::string::npos) {
    return {.learning_rate = method.substr(space + 1), .method = method.substr(0, space)};
  }
  const auto& table = method_table();
  const bool is_method =
      std::any_of(table.begin(), table.end(), [&](const MethodInfo& row) { return row.name == method; });
  if (is_method) return {.method = method};
  return {.learning_rate = method};
}

/// The row of the table that these options lead to.
inline const MethodInfo& row_of(const std::string& method, Index dimension = 10) {
  const Options options = options_of(method);
  return find_method(choose_method(options.method, options.learning_rate, {.dimension = dimension}).method);
}

#ifdef SUREFOOT_TEST_DATA
inline const std::filesystem::path fixtures = std::filesystem::path(SUREFOOT_TEST_DATA) / "fixtures";
#endif

/// One matrix of a strategy's state, by name.
class FindMatrix final : public StateVisitor {
 public:
  explicit FindMatrix(std::string name) : name_(std::move(name)) {}

  void scalar(std::string_view /*name*/, double& /*value*/) override {}
  void vector(std::string_view /*name*/, Vector& /*value*/) override {}
  void matrix(std::string_view name, Matrix& value) override {
    if (name == name_) found = value;
  }

  Matrix found;

 private:
  std::string name_;
};

inline Matrix matrix_of(Strategy& strategy, const std::string& name) {
  FindMatrix visitor(name);
  strategy.visit(visitor);
  return visitor.found;
}

/// A strategy at the origin with sigma 1, fed by hand.
inline std::unique_ptr<Strategy> make_xnes(Index d, Index popsize, const LearningRate& learning_rate, double mean = 0,
                                           double sigma = 1) {
  return make_strategy("xnes", {.start = {Vector::Constant(d, mean), Vector::Constant(d, sigma)},
                                .popsize = popsize,
                                .learning_rate = learning_rate,
                                .observed = true});
}

}  // namespace surefoot::test
