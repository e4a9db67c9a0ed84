#pragma once

#include <array>
#include <cctype>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "surefoot/surefoot.hpp"

namespace surefoot::test {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

inline double sphere(const Vector& x) { return x.squaredNorm(); }

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

/// Every way to set the rates: policies of xNES, and the strategies that do it themselves.
inline constexpr std::array all_methods = {
    "fixed", "lra", "lra:frame=B", "s3-lra", "s3-lra:frame=B", "geodesic", "geodesic:separate", "cma", "ig-xnes"};

inline Options options_of(const std::string& method) {
  if (method == "cma" || method == "ig-xnes") return {.method = method};
  return {.learning_rate = method};
}

/// A strategy at the origin with sigma 1, fed by hand.
inline std::unique_ptr<Strategy> make_xnes(Index d, Index popsize, const LearningRate& learning_rate, double mean = 0,
                                           double sigma = 1) {
  return make_strategy(
      "xnes", {.start = SearchDistribution::axis_parallel(Vector::Constant(d, mean), Vector::Constant(d, sigma)),
               .popsize = popsize,
               .learning_rate = learning_rate,
               .observed = true});
}

}  // namespace surefoot::test
