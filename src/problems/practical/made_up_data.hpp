#pragma once

#include <cstdint>

namespace surefoot::practical {

/// Generates data where there are no measurements: uniforms by splitmix64 and normals as sums of twelve uniforms, which
/// are the same on every machine.
class MadeUpData {
 public:
  explicit MadeUpData(std::uint64_t seed) : state_(seed) {}

  /// A uniform number in [0, 1).
  double uniform() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    x ^= x >> 31U;
    return static_cast<double>(x >> 11U) * 0x1p-53;
  }

  /// A normal number with mean 0 and variance 1.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

 private:
  std::uint64_t state_;
};

}  // namespace surefoot::practical
