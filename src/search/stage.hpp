#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "search/noise/noise_found.hpp"
#include "search/stop/stop.hpp"
#include "search/tally.hpp"
#include "surefoot/generation.hpp"
#include "surefoot/measures.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

class Run;

/// A generation with its values, as a stage learns from it.
struct GenerationValues {
  const Generation& generation;
  const Vector& values;            // of all candidates
  std::span<const Index> changed;  // candidates that the caller has replaced
};

/// What a stage has learned from a generation.
struct Consequence {
  Stop run_over = {};                    // why the present run is over; none: it continues
  Stop search_over = {};                 // why the search is over
  std::optional<Vector> begins_at = {};  // the run begins anew at this point, search coordinates
  bool is_for_model = false;             // the run's model does not know these points yet
};

/// What a search does next: it hands out points and learns from their values. One generation consists of the points of
/// one stage. A stage knows neither the search nor the other stages.
class Stage {
 public:
  Stage() = default;
  Stage(const Stage&) = delete;
  Stage(Stage&&) = delete;
  Stage& operator=(const Stage&) = delete;
  Stage& operator=(Stage&&) = delete;
  virtual ~Stage() = default;

  /// The name by which a checkpoint finds it.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual Counting counting() const = 0;

  /// How many points the next ask can hand out at most.
  [[nodiscard]] virtual Index size() const = 0;
  /// Whether it hands out all of them or none.
  [[nodiscard]] virtual bool is_indivisible() const { return false; }
  /// The first `count` points, the user's coordinates: written to `room`, or kept elsewhere until the next call.
  virtual const Matrix& ask(Index count, const Tally& tally, Matrix& room) = 0;
  /// The caller has evaluated other points, the user's coordinates, in place of these candidates.
  virtual void replace(const Matrix& /*points*/, std::span<const Index> /*changed*/) {}
  /// Learns from a complete generation.
  [[nodiscard]] virtual Consequence learn(const GenerationValues& told, const Tally& tally) = 0;

  /// A stage of the whole search: whether it comes before the next generation of the run.
  [[nodiscard]] virtual bool is_due(const Tally& /*tally*/) const { return false; }
  /// A stage of the whole search: it may begin now, after a generation of this run.
  virtual void look(const Run& /*run*/, const Tally& /*tally*/) {}
  /// A stage of the whole search: points of a generation that counts so have been evaluated, the user's coordinates.
  virtual void see(const Matrix& /*points*/, const Generation& /*generation*/, const Counting& /*counting*/) {}
  /// A stage of the whole search: whether it uses what is left of a budget, in place of the run.
  [[nodiscard]] virtual bool takes_rest() const { return false; }
  /// What it knows about noise of the objective.
  [[nodiscard]] virtual std::optional<NoiseFound> noise() const { return std::nullopt; }

  /// The lowest value that the present population has from an earlier generation; NaN if it has none.
  [[nodiscard]] virtual double best_kept() const { return Tally::nan; }

  // A generation may be evaluated in parts.

  [[nodiscard]] virtual bool is_in_parts() const { return false; }
  /// Whether some parts of the present generation have values and others have not.
  [[nodiscard]] virtual bool has_begun() const { return false; }
  /// Takes the values of one part, and says whether the generation is complete.
  virtual bool take(const Vector& /*values*/, const std::vector<Failure>& /*failures*/) { return true; }
  /// Keeps the state before the next `take`, until `take_back` returns to it or `drop` forgets it. What is visited
  /// after the last part is the state that was kept.
  virtual void keep() {}
  virtual void take_back() {}
  virtual void drop() {}

  // What others show of it.

  /// The number of a candidate within its population.
  [[nodiscard]] virtual Index number_of(Index candidate) const { return candidate; }
  /// Whether the candidate of this number has a value from an earlier part.
  [[nodiscard]] virtual bool has_value(Index /*number*/) const { return false; }
  /// Failures of the whole generation so far.
  [[nodiscard]] virtual std::vector<Failure> failures(const Generation& present) const { return present.failures(); }

  virtual void visit(StateVisitor& /*visitor*/) {}
};

}  // namespace surefoot
