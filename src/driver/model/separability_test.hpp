#pragma once

#include <cstdint>

#include "surefoot/types.hpp"

namespace surefoot {

/// A box of search coordinates; infinite where there is no bound.
struct SearchBox {
  Vector lower;
  Vector upper;

  static SearchBox unbounded(Index dimension);
};

/// Whether f(x + a + b) - f(x + a) = f(x + b) - f(x) where a and b move complementary halves of the coordinates, three
/// random times. A function that couples coordinates fails the first time but by chance: it costs three evaluations.
class SeparabilityTest {
 public:
  /// At x, with value f there; steps are parts of `unit`, a length per coordinate.
  SeparabilityTest(Vector x, double f, Vector unit, SearchBox box, std::uint64_t seed);

  enum class Verdict { open, separable, coupled };
  [[nodiscard]] Verdict verdict() const { return verdict_; }

  /// x + a, x + a + b and x + b.
  [[nodiscard]] const Matrix& points() const { return points_; }
  void tell(const Vector& values);

  [[nodiscard]] int rounds() const { return rounds_; }

 private:
  void draw();
  [[nodiscard]] bool is_additive(double f_a, double f_ab, double f_b) const;

  Vector x_;
  double f_;
  Vector unit_;
  SearchBox box_;
  std::uint64_t seed_;
  Matrix points_;
  Verdict verdict_ = Verdict::open;
  int rounds_ = 0;
};

}  // namespace surefoot
