#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "driver/model/ball_minimum.hpp"
#include "driver/model/model_choice.hpp"
#include "driver/model/quadratic_model.hpp"

namespace surefoot {

/// Constants of a surrogate; the defaults are the measured ones.
struct SurrogateRules {
  Index batch = 1;      // evaluations at a time are a multiple of it
  double growth = 1.5;  // of the number of evaluations, as long as the model ranks badly
  double accepted_tau = 0.85;
  double promise = 1e-10;  // what is not worth continuing for, in units of f
  int promises = 2;        // in a row that are as poor, by other fits: the end of the run
  ModelType largest = ModelType::full;
  bool injects = true;
  int patience = 0;       // generations in a row that were evaluated whole before the model rests; 0: it never does
  bool observed = false;  // somebody reads the condition of the fits
  ModelBudget budget = {.seconds = std::numeric_limits<double>::infinity()};
};

/// Evaluates as few candidates of a population as a quadratic model needs to rank them all [Hansen2019]. It is
/// between a strategy's ask and tell during one run and knows neither the strategy nor the objective:
///
///     surrogate.propose(population, mean, sigma_B);       // may replace the first two candidates
///     surrogate.begin(points);                            // the population as it is evaluated, within bounds
///     while (!surrogate.is_complete()) surrogate.take(values of surrogate.wanted());
///     strategy.tell(population, surrogate.values());
///
/// Values that are not finite are failures: they stay as they are, never enter the model, and another candidate is
/// evaluated in their place.
class Surrogate {
 public:
  Surrogate(Index dimension, Index popsize, const SurrogateRules& rules = {});

  /// A point that was evaluated outside of a population, for example the start.
  void remember(const Vector& x, double value) { archive_.add(x, value); }

  /// Replaces candidate 0 by the model's minimum. After a generation in which the model ranked too badly candidate 1
  /// is the mirror image: without it the mean of a strategy with positive weights drifts the model's way even where
  /// the values are random.
  void propose(Matrix& population, const Vector& mean, const Matrix& axes);

  /// Starts a generation with the points that stand for the population.
  void begin(const Matrix& points);

  /// Another point than that of `begin` stands for a candidate, which is one of the wanted.
  void replace(Index candidate, const Vector& point) { points_.col(candidate) = point; }

  /// How many candidates a generation that began now would want first.
  [[nodiscard]] Index first_round() const;

  [[nodiscard]] bool is_complete() const { return is_complete_ != 0; }
  /// Candidates to be evaluated now.
  [[nodiscard]] const std::vector<Index>& wanted() const { return wanted_; }
  /// The values of the wanted candidates, in their order.
  void take(const Vector& values);

  // Of a complete generation.

  /// What the strategy learns from: true values if all candidates were evaluated, else the model's for all of them,
  /// shifted so that the lowest is the lowest true one. Failures stay.
  [[nodiscard]] const Vector& values() const { return told_; }
  /// True values; NaN where nothing was evaluated.
  [[nodiscard]] const Vector& true_values() const { return true_values_; }
  [[nodiscard]] bool is_evaluated(Index candidate) const { return is_known_[candidate] != 0; }
  [[nodiscard]] Index evaluated() const { return static_cast<Index>(known_); }
  /// Kendall's tau of the model and the newest true values; NaN if it was not asked for.
  [[nodiscard]] double tau() const { return tau_; }
  [[nodiscard]] bool is_accepted() const { return known_ < popsize_; }
  /// Whether full models have promised next to nothing several times in a row: the end of the run.
  [[nodiscard]] bool has_converged() const { return poor_promises_ >= rules_.promises; }

  [[nodiscard]] const QuadraticModel& model() const { return model_; }
  /// Of the distribution that the last population with a model came from.
  [[nodiscard]] const Frame& frame() const { return frame_; }
  [[nodiscard]] const Archive& archive() const { return archive_; }

  /// By how much the fits have taken more than the evaluations allow, in counted seconds.
  [[nodiscard]] double overdraft() const;
  /// Whether the next generation has no model, because a fit would take more than is left.
  [[nodiscard]] bool is_off() const { return is_off_ != 0; }
  /// Whether the next generation is searched without the model, which ranked too badly several times in a row. Its
  /// values enter the archive. The last one of a rest is a test: the model must rank what it has not seen.
  [[nodiscard]] bool is_resting() const { return rest_ > 0; }

  /// Between any two of the calls above.
  void visit(StateVisitor& visitor);

 private:
  void refresh_model();
  [[nodiscard]] bool can_afford_fit() const;
  [[nodiscard]] bool is_injection_due() const;
  void inject(Matrix& population);
  [[nodiscard]] Vector model_minimum(const Vector& candidate);
  void judge_injection();
  void choose();
  void order_candidates();
  void grow_number();
  [[nodiscard]] std::int64_t rounded(std::int64_t number, std::int64_t known) const;
  [[nodiscard]] double rank_correlation();
  void finish();
  void plan_rest();
  void rest_longer();
  [[nodiscard]] bool ranks_unseen();
  void tell_model_values();
  void test_promise();
  [[nodiscard]] double promise();

  SurrogateRules rules_;
  std::int64_t popsize_;
  Archive archive_;
  QuadraticModel model_;
  Frame frame_;  // of the present distribution

  // Between generations.
  std::int64_t is_rejected_ = 0;    // the last generation was evaluated whole
  std::int64_t injected_fits_ = 0;  // fits at the last injection
  std::int64_t pause_ = 0;          // generations without injection still to come
  std::int64_t next_pause_ = 1;
  std::int64_t rejections_ = 0;  // in a row
  std::int64_t rest_ = 0;        // generations without the model still to come
  std::int64_t next_rest_ = 1;
  std::int64_t promised_fits_ = 0;  // fits at the last promise
  std::int64_t poor_promises_ = 0;  // in a row
  double fitted_seconds_ = 0;       // counted, of all fits
  std::int64_t is_off_ = 0;

  // The present generation.
  Matrix points_;
  Vector true_values_;
  Vector told_;
  Vector is_known_;
  std::int64_t has_injection_ = 0;
  std::int64_t known_ = 0;
  std::int64_t number_ = 0;  // to be known before the model is asked
  std::int64_t is_complete_ = 1;
  double tau_ = std::numeric_limits<double>::quiet_NaN();

  // Follow from the rest.
  std::vector<Index> wanted_;
  std::vector<Index> order_;
  Vector predicted_;
  Quadratic local_model_;
  BallMinimum minimum_;
  Frame other_frame_;
};

}  // namespace surefoot
