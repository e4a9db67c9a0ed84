#pragma once

#include <vector>

#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// The evaluated points of a fit with their residuals, those of all runs. Failed evaluations never enter. An archive
/// that is full replaces the point with the largest f; the others keep their index.
class FitArchive {
 public:
  FitArchive(Index dimension, Index least_capacity);

  /// The index of the point. A full archive keeps those that `in_use` lists, so it must hold more points than that.
  Index add(const Vector& u, Vector r, const std::vector<Index>& in_use);

  [[nodiscard]] Index dimension() const { return u_.rows(); }
  [[nodiscard]] Index size() const { return static_cast<Index>(r_.size()); }
  /// Residuals of each point; 0 as long as there is no point.
  [[nodiscard]] Index residuals() const { return r_.empty() ? 0 : r_[0].size(); }
  [[nodiscard]] auto u(Index i) const { return u_.col(i); }
  [[nodiscard]] const Vector& r(Index i) const { return r_[static_cast<std::size_t>(i)]; }
  /// The sum of squared residuals.
  [[nodiscard]] double f(Index i) const { return f_[i]; }

  void visit(StateVisitor& visitor);

 private:
  [[nodiscard]] Index capacity() const;
  [[nodiscard]] Index slot(const std::vector<Index>& in_use);

  Index least_capacity_;
  Matrix u_;  // as many columns as there is room for
  Vector f_;
  std::vector<Vector> r_;
};

}  // namespace surefoot
