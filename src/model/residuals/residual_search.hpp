#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/residuals/coordinates.hpp"
#include "model/residuals/fit_run.hpp"
#include "model/residuals/loss.hpp"

namespace surefoot {

struct FitSettings {
  std::int64_t batch = 1;      // points of a round
  double ftol = 1e-9;          // a run has converged when no step promises a decrease of f by this factor
  bool tests_noise = true;     // evaluates the first point twice
  double noise = 0;            // known standard deviation of the noise of each residual; 0: not known
  std::int64_t restarts = -1;  // runs after the first; -1: as many as the budget allows
  bool starts_at_x0 = true;    // else the first run begins at the best of a few random points
  std::uint64_t seed = 1;
  ResidualLoss loss = {};
};

/// A run that has ended.
struct FitRunSummary {
  std::int64_t evaluations = 0;
  double f = 0;  // its least value; NaN if there is none
  FitRun::End end = FitRun::End::none;
  bool is_rough = false;  // it was continued with noise chosen by the likelihood
};

/// Least squares: minimises f(x) = sum of r_i(x)^2 by rounds of points. Runs begin at x0 and then at random points; all
/// share what was evaluated. With more workers than one run can use there are several at a time.
///
/// The state between any two calls can be saved, and what follows does not depend on it.
class ResidualSearch {
 public:
  /// \throws std::invalid_argument naming the option, its value and what is allowed.
  ResidualSearch(const FitDomain& domain, const FitSettings& settings);

  /// The points of the next round, one per column, in the user's coordinates; none at the end.
  [[nodiscard]] Matrix ask() const;
  /// The residuals of the points that `ask` gave, one column each; a column with a number that is not finite is a
  /// failed evaluation. Of the last points some may be missing, which are asked for again.
  /// \throws std::invalid_argument if the number of residuals has changed.
  void tell(const Matrix& residuals);
  [[nodiscard]] bool is_finished() const { return is_finished_; }

  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }
  [[nodiscard]] std::int64_t failed() const { return failed_; }
  [[nodiscard]] std::int64_t rounds() const { return rounds_; }
  [[nodiscard]] const std::vector<FitRunSummary>& runs() const { return runs_; }
  [[nodiscard]] const MeasuredNoise& noise() const { return world_.noise; }
  [[nodiscard]] const FitCoordinates& coordinates() const { return coordinates_; }

  [[nodiscard]] bool has_best() const { return best_ >= 0; }
  /// The best point that was evaluated; x0 if there is none.
  [[nodiscard]] Vector x() const;
  /// The best f, after weights and loss; infinite if there is none.
  [[nodiscard]] double f() const;
  /// The residuals at the best point as they were told.
  [[nodiscard]] const Vector& residuals() const { return best_residuals_; }
  /// How the run ended that found the best point; none if it has not.
  [[nodiscard]] FitRun::End best_end() const;

  /// The Jacobian at the best point, after weights and loss, of the free parameters, from the last fit.
  struct Slopes {
    Matrix jacobian;
    Vector deviations;       // of the lengths of its columns
    double uncertainty = 1;  // of the gradient: above 0.1 the Jacobian is not known
  };
  [[nodiscard]] std::optional<Slopes> slopes() const;
  /// Which free parameters are on a bound at the best point.
  [[nodiscard]] std::vector<int> active() const;

  /// The run that is going on, the first of them: length scale and knowledge of the gradient for displays.
  [[nodiscard]] const FitRun& run() const { return lanes_[0].run; }

  void visit(StateVisitor& visitor);

 private:
  struct Lane {
    FitRun run;
    bool is_idle = false;
  };
  struct Ended {  // what the fit of the run needs that found the best point
    KernelFit::Request request;
    FitRun::End end = FitRun::End::none;
  };

  void begin(Lane& lane);
  void follow(Lane& lane);
  void take_lane(Lane& lane, const Matrix& residuals);
  Index take_point(const Vector& u, const Vector& told);
  [[nodiscard]] Matrix drawn(Index count);
  [[nodiscard]] Vector drawn_point();
  [[nodiscard]] const FitRun* run_of_best() const;
  [[nodiscard]] std::vector<Index> in_use() const;
  void visit_counts(StateVisitor& visitor);
  void visit_runs(StateVisitor& visitor);
  void visit_ended(StateVisitor& visitor);
  void check_restored() const;

  FitCoordinates coordinates_;
  FitSettings settings_;
  FitWorld world_;
  std::vector<Lane> lanes_;
  std::vector<FitRunSummary> runs_;
  std::int64_t begun_ = 0;
  std::int64_t draws_ = 0;
  std::int64_t evaluations_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t rounds_ = 0;
  std::int64_t residuals_count_ = 0;
  bool is_finished_ = false;
  Index best_ = -1;
  double first_f_ = 0;
  Vector best_residuals_;
  std::optional<Ended> ended_;
};

}  // namespace surefoot
