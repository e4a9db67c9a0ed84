#pragma once

#include <cmath>

#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// Exponential forgetting. A path p := (1 - beta) p + sqrt(beta (2 - beta)) u of uncorrelated terms with E|u|^2 = 1 has
/// E|p|^2 = gamma, which begins at 0 and tends to 1 [NomuraOno2022, eqs. 2 and 4].
struct Forgetting {
  double beta;

  /// For terms whose squared length is expected to be this.
  [[nodiscard]] Cumulation cumulation(double expected_square) const {
    return {1 - beta, std::sqrt(beta * (2 - beta) / expected_square)};
  }

  /// Squares are forgotten like those of a path: gamma itself is the average of ones.
  [[nodiscard]] double average(double before, double square) const {
    return (1 - beta) * (1 - beta) * before + beta * (2 - beta) * square;
  }
};

}  // namespace surefoot
