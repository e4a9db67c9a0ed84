#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// The driver of a search: ask and tell for callers who own the loop.

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "surefoot/evaluator.hpp"
#include "surefoot/options.hpp"
#include "surefoot/result.hpp"
#include "surefoot/space.hpp"
#include "surefoot/start.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

class Search;

/// Where an evaluation stands in a search.
struct Place {
  std::int64_t run = 1;         // 1, and one more for each restart
  std::int64_t generation = 0;  // 0: x0 and the injected points; 1, 2, ...: as in Record
  std::int64_t candidate = 0;   // 0, 1, ... in its population
  std::int64_t attempt = 1;     // 1, and one more for each retry
};

/// Minimises by ask and tell:
///
///     surefoot::Optimizer search(x0, 0.5, {.seed = 1});
///     while (!search.stop()) {
///       const auto& population = search.ask();
///       search.tell(evaluate(population));
///     }
///
/// Restarts happen inside: after the last generation of a run, ask gives the first population of the next one.
class Optimizer {
 public:
  /// \throws std::invalid_argument naming the option, its value and what is allowed.
  Optimizer(const Point& x0, const Sigma0& sigma0, Options options = {});

  /// Warm start: from a distribution with any covariance, such as that of an earlier search.
  explicit Optimizer(const Start& start, Options options = {});

  /// The same with another source of normals, for replays and tests. Restarts draw from it too.
  Optimizer(const Point& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals);

  /// Named parameters, whose start is part of the space. Points have one number a parameter, in the user's units; a
  /// choice is the number of its value.
  explicit Optimizer(const Space& space, Options options = {});
  /// Warm start by name, from the state of a search with named parameters: those that both searches have start with
  /// what it had reached, the others as the space says.
  Optimizer(const Space& space, const std::string& warm_state, Options options);

  Optimizer(const Optimizer&) = delete;
  Optimizer(Optimizer&& other) noexcept;
  Optimizer& operator=(const Optimizer&) = delete;
  Optimizer& operator=(Optimizer&& other) noexcept;
  ~Optimizer();

  /// The points to evaluate, one a column; the same until the next tell. First x0 and the injected points, then
  /// populations of popsize candidates; where maxfevals leaves no room for one, fewer. With a model it gives the
  /// candidates of one round: those of a population that are to be evaluated next.
  const Matrix& ask();

  /// Values of the population that `ask` gave. NaN and -infinity are failed evaluations, +infinity is infeasible.
  void tell(const Vector& values);

  /// Values of candidates that the caller has changed, in whatever way; with bounds, within them.
  void tell(const Matrix& candidates, const Vector& values);

  /// The same with values of constraints.
  void tell(const std::vector<Evaluation>& evaluations);
  void tell(const Matrix& candidates, const std::vector<Evaluation>& evaluations);

  /// The population with its outcomes so far, for evaluators; calls `ask` if need be.
  Generation& generation();

  /// Values and failures that were collected in `generation()`, which must be complete or cancelled.
  void tell();

  /// Whether the present generation has been asked for and not been told yet.
  [[nodiscard]] bool is_asked() const;
  /// The present generation as it is; without points before it has been asked for.
  [[nodiscard]] const Generation& present() const;
  /// The place of a candidate of the present generation, in its last attempt.
  [[nodiscard]] Place place_of(Index candidate) const;
  /// Whether the search has had the outcome of this evaluation.
  [[nodiscard]] bool has_counted(const Place& place) const;

  /// Called for each outcome of any generation, one at a time, from the thread that brings it.
  void on_outcome(std::function<void(Index)> done);

  /// What messages and results call the constraints, inequalities first. Those without a name are g[0], ..., h[0], ...
  void name_constraints(std::vector<std::string> names);

  /// Ends the search with a reason of your own, in the middle of a generation if need be: the result's `stop` is
  /// `requested`, its message begins with the sentence. Not from other threads, as an objective with workers.
  /// \throws std::invalid_argument if the sentence is empty.
  void stop_because(const std::string& sentence);

  /// The same with `interrupted` or `timeout`.
  /// \throws std::invalid_argument for any other reason: a search must not claim what has not happened.
  void abandon(StopReason reason);

  /// True once a stop criterion holds and no restart is left; tell then refuses to go on.
  [[nodiscard]] bool stop() const { return stop_reason() != StopReason::none; }
  [[nodiscard]] StopReason stop_reason() const;

  /// Best so far, at any time; in the middle of a generation too.
  [[nodiscard]] Result result() const;

  [[nodiscard]] Index dimension() const;  // of points
  [[nodiscard]] Index popsize() const;    // candidates of the generation that ask gives
  [[nodiscard]] std::int64_t nfev() const;
  [[nodiscard]] std::int64_t nit() const;
  /// Generations told so far, that of x0 and the injected points included.
  [[nodiscard]] std::int64_t told() const;
  /// Seconds that the search has run, in all processes together.
  [[nodiscard]] double elapsed() const;
  /// Evaluations that failed, by the number of their FailureKind, without those of the present generation.
  [[nodiscard]] const FailureCounts& failures() const;
  [[nodiscard]] std::uint64_t seed() const;
  [[nodiscard]] const Options& options() const;  // with every default filled in
  /// What the run that found the best point has reached, in the user's coordinates, without those that bounds fix and
  /// without choices; parameters on a log scale by their logarithms. A copy, of O(d^2) numbers for a method with a full
  /// covariance. Within bounds the mean may be outside by up to a standard deviation; it then stands for the nearest
  /// point inside.
  [[nodiscard]] Start distribution() const;
  /// The same of the present run, which gives the next population, or of the last one.
  [[nodiscard]] Start last_run_distribution() const;
  [[nodiscard]] const Strategy& strategy() const;
  /// The named parameters; empty without any.
  [[nodiscard]] const Space& space() const;
  /// Names of the coordinates of points: those of the space, or x0, x1, ...
  [[nodiscard]] std::vector<std::string> names() const;

  /// Everything that a search needs to go on bit for bit as if it had never been interrupted, the outcomes of an
  /// unfinished generation included; versioned and checksummed.
  void save(std::ostream& out) const;
  /// Into an optimizer that was constructed with the same start and options; budgets, tolerances and functions may
  /// differ. A search that had ended by a target or a budget has ended again, unless it is another one now: then the
  /// search goes on, and observers are told of its last generation once more, with what was learned from it.
  /// \throws std::invalid_argument if the bytes are damaged or belong to another search. This one is then as it was.
  /// Otherwise references to its generation are no longer valid.
  void load(std::istream& in);

  /// The same without the container.
  [[nodiscard]] std::string state() const;
  void set_state(const std::string& bytes);

 private:
  friend class Session;
  /// Sets the state; a generation that had ended the search waits to be told.
  void restore(const std::string& bytes);

  std::unique_ptr<Search> search_;
};

/// The distribution that a saved search had reached, for a warm start.
/// \throws std::invalid_argument if the bytes are no state, or of a search in which bounds fix coordinates.
Start distribution_of_state(const std::string& state);

}  // namespace surefoot
