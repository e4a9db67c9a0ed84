#pragma once

#include <cstdint>
#include <optional>

#include "core/methods/xnes/ig_constants.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// How long ig-xnes may wait on ground that explains little (docs/explanation/information-gate.md). Urgency grows as
/// the evaluations that are planned get few, or once sigma has stood still behind a shut gate for long. A look at a
/// smaller scale keeps it from noise: there information falls with sigma, on rugged ground it rises.
class Patience {
 public:
  Patience(const IgConstants& constants, Index dimension, Index popsize, std::optional<std::int64_t> budget);

  void count(Index evaluations) { told_ += static_cast<double>(evaluations); }

  /// Urgency u of the last generation; 0 without time pressure.
  double urgency(double gate, double sigma);

  /// Factor of sigma for the next population.
  [[nodiscard]] double scale() const { return is_probing() ? constants_.probe_scale : 1; }
  [[nodiscard]] bool is_probing() const { return probing_ != 0; }
  /// What a population at the smaller scale says.
  void probe(double information, double sigma);

  void visit(StateVisitor& visitor);

 private:
  enum class Ground : std::uint8_t { unknown, rugged, noisy };

  [[nodiscard]] bool is(Ground ground) const { return ground_ == static_cast<std::int64_t>(ground); }
  [[nodiscard]] double planned_urgency() const;
  [[nodiscard]] bool stands_still(double ln_sigma) const;
  void watch(double ln_sigma);
  void begin_probe();
  void conclude(Ground ground, double sigma);

  IgConstants constants_;
  double d_;
  double fewest_to_probe_;  // evaluations of a plan that can spare a probe

  double told_ = 0;        // evaluations
  double plan_begin_ = 0;  // in evaluations
  double plan_length_;     // 0: no plan
  double patience_;        // evaluations behind a shut gate until a probe
  double watched_since_ = 0;
  double watched_from_ = 0;  // ln sigma then
  std::int64_t probing_ = 0;
  double evidence_ = 0;  // for ruggedness
  std::int64_t ground_ = 0;
  double ground_sigma_ = 0;  // where it was probed
  double ground_told_ = 0;
};

}  // namespace surefoot
