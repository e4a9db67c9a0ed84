#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "surefoot/distribution.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// Importance mixing [Sun2009]: points of the last population that might as well have been drawn from the present
/// distribution stay with their values. New ones are drawn so that all together are a sample of it.
class ImportanceMixing {
 public:
  /// Some points, one a column, with their values.
  struct Points {
    Matrix x;
    Vector f;
  };

  /// Fills a block with the normals of one generation: column k has z of candidate k, the normal that decides on it and
  /// the one that decides on point k of the last population.
  using Fill = std::function<void(Matrix& block)>;
  /// Rows of such a block, and the one that decides on the last population.
  static Index row_of_kept(Index dimension) { return dimension + 1; }
  static Index rows(Index dimension) { return dimension + 2; }

  /// At least the share `alpha` of each population is new.
  explicit ImportanceMixing(double alpha) : alpha_(alpha) {}

  /// Decides which points stay. They were a sample of `before`; `v` has one normal for each. Points that `may_stay`
  /// does not name are left out.
  void keep(const Points& population, const std::vector<bool>& may_stay, const Start& before, const Distribution& now,
            const Vector& v);
  /// The next population is all new.
  void forget();

  [[nodiscard]] bool has_kept() const { return !before_.empty(); }
  [[nodiscard]] const Points& kept() const { return kept_; }
  /// New points that complete a population of this size.
  [[nodiscard]] Matrix draw(Index popsize, const Distribution& now, const Fill& fill) const;

  /// \throws std::invalid_argument if restored points do not fit.
  void visit(StateVisitor& visitor, Index dimension, Index popsize);

 private:
  /// A normal distribution: its mean, and any root of its covariance.
  struct Factored {
    [[nodiscard]] bool empty() const { return mean.size() == 0; }

    Vector mean;
    Matrix factor;
  };

  double alpha_;
  Points kept_;
  Factored before_;  // what the last population was a sample of; empty: nothing is known
};

}  // namespace surefoot
