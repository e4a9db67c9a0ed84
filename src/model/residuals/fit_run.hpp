#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/residuals/fit_step.hpp"
#include "model/residuals/kernel_fit.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// The noise that two evaluations of one point have shown.
struct MeasuredNoise {
  bool is_tested = false;
  double variance = 0;  // summed over residuals
  double f = 0;         // where it was measured; 0: it is known, and never measured again

  void visit(StateVisitor& visitor);
};

/// What all runs of a fit share.
struct FitWorld {
  FitArchive archive;
  Vector lower;  // bounds of u
  Vector upper;
  double ftol = 1e-9;
  MeasuredNoise noise = {};
};

/// One local search: differences around a start, then Gauss-Newton steps of a `KernelFit`, and differences where the
/// gradient is not known well enough. It hands out rounds of at most `batch` points.
class FitRun {
 public:
  enum class End : std::uint8_t {
    none,
    converged,  // no step promises more than ftol
    stuck,      // steps do not keep what they promise
    failed      // no evaluation around the start has succeeded
  };

  FitRun(Index dimension, Index batch);

  /// Begins from the best of these points.
  void begin(const FitWorld& world, std::int64_t number, const Matrix& starts);
  /// Begins anew at its best point, for a rough fit: the likelihood chooses the noise too.
  void begin_rough(const FitWorld& world);

  [[nodiscard]] bool is_rough() const { return is_rough_; }
  [[nodiscard]] End end() const { return end_; }
  [[nodiscard]] std::int64_t number() const { return number_; }
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

  /// The next points, one per column; none if the run has ended.
  [[nodiscard]] Matrix round() const;
  /// What came of the points of a round: indices in the archive, -1 for those that have failed.
  void learn(FitWorld& world, std::span<const Index> told);

  /// The best point of the run; -1 if there is none.
  [[nodiscard]] Index best() const { return best_; }
  /// Adds the points that the archive must keep.
  void list_in_use(std::vector<Index>& in_use) const;

  /// What a fit about this point is built from.
  [[nodiscard]] KernelFit::Request request(const FitWorld& world, Index centre) const;

  [[nodiscard]] const KernelScale& scale() const { return scale_; }
  /// The largest eigenvalue of the gradient's covariance: 0 if it is known, 1 if not at all.
  [[nodiscard]] double uncertainty() const { return uncertainty_; }

  void visit(StateVisitor& visitor);

 private:
  enum class Phase : std::uint8_t { start, repeat, differences, retries, geometry, step, later_repeat };
  enum class Last : std::uint8_t { good_step, poor_step, geometry };

  void restart_at(Index centre);
  void finish(End end);

  // What is evaluated next.
  void plan(Phase phase, Matrix points);
  void plan_differences(const FitWorld& world);
  void plan_next(FitWorld& world);
  void plan_geometry(const FitWorld& world, const KernelFit& fit);
  void plan_step(const FitWorld& world, const KernelFit& fit, const Vector& w);
  [[nodiscard]] Matrix differences(const FitWorld& world, const Vector& at) const;

  // What evaluated points have taught.
  void finish_phase(FitWorld& world);
  void finish_start(FitWorld& world);
  void finish_differences(FitWorld& world, Index first);
  void begin_steps(FitWorld& world);
  void finish_step(FitWorld& world);
  void finish_round_of_steps(FitWorld& world);
  void measure_noise(FitWorld& world, Index again) const;
  void find_centre_under_noise(const FitWorld& world);
  void note_best(const FitArchive& archive, Index i);

  [[nodiscard]] double first_length(const FitWorld& world) const;
  [[nodiscard]] double difference_length(double step_length) const;
  [[nodiscard]] bool is_step_tiny(const FitWorld& world, double step_length) const;
  std::optional<KernelFit> fit_at(const FitWorld& world, Index centre);
  void check_restored();

  Index d_;
  Index batch_;
  std::int64_t number_ = 0;
  Phase phase_ = Phase::start;
  Last last_ = Last::good_step;
  End end_ = End::none;
  bool is_rough_ = false;
  bool begins_with_differences_ = false;  // the first round has the start and the differences around it

  Matrix queue_;             // points of this phase
  std::vector<Index> told_;  // those that are evaluated

  Index centre_ = -1;
  Index best_ = -1;
  Vector slopes_;      // |dr/du_i| at the last centre; empty before the first fit
  KernelScale scale_;  // of the last fit
  double cap_ = 0;     // of the next step's length
  double uncertainty_ = 1;

  double predicted_ = 0;    // decrease of f by the step that is planned
  double step_length_ = 0;  // |D du|
  std::int64_t idle_steps_ = 0;
  std::int64_t evaluations_ = 0;
  double progress_f_ = 0;
  std::int64_t progress_at_ = 0;
};

}  // namespace surefoot
