#pragma once

#include <cstdint>

#include "core/shapes/normal.hpp"

namespace surefoot {

/// All that CMA-ES moves: a value that can be copied, and stepped without touching the original.
///
/// The shape of the normal is the symmetric root of C as last decomposed: B = C^{1/2}, so that C^{-1/2} y_i is z_i.
/// Other roots depend on the signs of eigenvectors, which rounding may turn over.
struct CmaState {
  /// The normal's own shape may be any root of C until it is decomposed.
  explicit CmaState(const Normal<FullShape>& normal);

  void visit(StateVisitor& visitor);

  /// Changes C and the path of C, which lives in the same coordinates.
  void scale_coordinates(const Vector& factors);

  Matrix C;
  Vector p_sigma;
  Vector p_c;
  std::int64_t g = 0;      // generations
  bool h_sigma = true;     // of the last generation
  double gamma_sigma = 1;  // variance of a component of p_sigma under a random ranking; 1 if paths are not normalised
  double gamma_c = 1;      // the same of p_c
};

}  // namespace surefoot
