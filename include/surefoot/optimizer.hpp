#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// A search by ask and tell, for callers who write the loop themselves.

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

/// The place of an evaluation in a search.
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
/// Restarts are automatic: after the last generation of a run, `ask` returns the first population of the next one.
class Optimizer {
 public:
  /// \throws std::invalid_argument naming the option, its value and what is allowed.
  Optimizer(const Point& x0, const Sigma0& sigma0, Options options = {});

  /// Warm start: from a distribution with any covariance, such as that of an earlier search.
  explicit Optimizer(const Start& start, Options options = {});

  /// The same with another source of normals, for replays and tests. Restarts use it too.
  Optimizer(const Point& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals);

  /// With named parameters; the space holds their start. Points have one number per parameter, in the user's units; a
  /// choice is the index of its value.
  explicit Optimizer(const Space& space, Options options = {});
  /// Warm start by name, from the state of a search with named parameters: parameters that both searches have start
  /// where that search ended, the others as the space says.
  Optimizer(const Space& space, const std::string& warm_state, Options options);

  Optimizer(const Optimizer&) = delete;
  Optimizer(Optimizer&& other) noexcept;
  Optimizer& operator=(const Optimizer&) = delete;
  Optimizer& operator=(Optimizer&& other) noexcept;
  ~Optimizer();

  /// The points to evaluate, one per column; the same until the next `tell`. The first call returns x0 and the injected
  /// points, later ones populations of popsize candidates, or fewer at the end of maxfevals. With a model it returns
  /// one round: the candidates of a population to evaluate next.
  const Matrix& ask();

  /// Values of the population that `ask` returned. NaN and -infinity are failed evaluations, +infinity is infeasible.
  void tell(const Vector& values);

  /// Values of candidates that the caller has changed. Within bounds, if there are any.
  void tell(const Matrix& candidates, const Vector& values);

  /// The same with values of constraints.
  void tell(const std::vector<Evaluation>& evaluations);
  void tell(const Matrix& candidates, const std::vector<Evaluation>& evaluations);

  /// The population with its outcomes so far, for evaluators. Calls `ask` if necessary.
  Generation& generation();

  /// Learns from the outcomes in `generation()`, which must be complete or cancelled.
  void tell();

  /// Whether `ask` has been called for the current generation, and `tell` has not.
  [[nodiscard]] bool is_asked() const;
  /// The current generation; without points before `ask`.
  [[nodiscard]] const Generation& present() const;
  /// The place of a candidate of the current generation, in its last attempt.
  [[nodiscard]] Place place_of(Index candidate) const;
  /// Whether the search has received the outcome of this evaluation.
  [[nodiscard]] bool has_counted(const Place& place) const;

  /// `listener` is called for each outcome, one at a time, from the thread that delivers it.
  void on_outcome(std::function<void(Index)> done);

  /// Names of the constraints in messages and results, inequalities first. Constraints without a name are g[0], ...,
  /// h[0], ...
  void name_constraints(std::vector<std::string> names);

  /// Stops the search for a reason of your own, also in the middle of a generation. The result's `stop` is `requested`,
  /// and its message begins with the sentence. Do not call it from other threads, such as an objective with workers.
  /// \throws std::invalid_argument if the sentence is empty.
  void stop_because(const std::string& sentence);

  /// The same with `interrupted` or `timeout`. \throws std::invalid_argument for any other reason: a search must not
  /// claim what did not happen.
  void abandon(StopReason reason);

  /// True once a stop criterion holds and no restart remains. `tell` then throws.
  [[nodiscard]] bool stop() const { return stop_reason() != StopReason::none; }
  [[nodiscard]] StopReason stop_reason() const;

  /// The best so far, also in the middle of a generation.
  [[nodiscard]] Result result() const;

  [[nodiscard]] Index dimension() const;  // of points
  [[nodiscard]] Index popsize() const;    // candidates of the generation that ask gives
  [[nodiscard]] std::int64_t nfev() const;
  [[nodiscard]] std::int64_t nit() const;
  /// Finished generations, including that of x0 and the injected points.
  [[nodiscard]] std::int64_t told() const;
  /// Seconds that the search has run, over all resumptions.
  [[nodiscard]] double elapsed() const;
  /// Failed evaluations by FailureKind, without those of the current generation.
  [[nodiscard]] const FailureCounts& failures() const;
  [[nodiscard]] std::uint64_t seed() const;
  [[nodiscard]] const Options& options() const;  // with every default filled in
  /// The distribution of the run that found the best point, in the user's coordinates, without choices and fixed
  /// coordinates; parameters on a log scale by their logarithms. A copy: O(d^2) numbers for a method with a full
  /// covariance. The mean may lie outside the bounds by up to a standard deviation; it then means the nearest point
  /// inside.
  [[nodiscard]] Start distribution() const;
  /// The same for the current or last run.
  [[nodiscard]] Start last_run_distribution() const;
  [[nodiscard]] const Strategy& strategy() const;
  /// The named parameters; empty without any.
  [[nodiscard]] const Space& space() const;
  /// Names of the coordinates of points: those of the space, or x0, x1, ...
  [[nodiscard]] std::vector<std::string> names() const;

  /// The whole state, including the outcomes of an unfinished generation. A search that loads it continues bit for bit.
  /// Versioned and checksummed.
  void save(std::ostream& out) const;
  /// Load into an optimizer with the same start and options; budgets, tolerances and functions may differ. A search
  /// that ended by a target or a budget stays finished unless that target or budget has changed. Then it continues, and
  /// observers receive its last generation again, with what it taught.
  /// \throws std::invalid_argument if the bytes are damaged or belong to another search. The optimizer is then
  /// unchanged. On success, references to its generation become invalid.
  void load(std::istream& in);

  /// The same without the container.
  [[nodiscard]] std::string state() const;
  void set_state(const std::string& bytes);

 private:
  friend class Session;
  /// Sets the state; a generation that ended the search waits for `tell`.
  void restore(const std::string& bytes);

  std::unique_ptr<Search> search_;
};

/// The distribution that a saved search had reached, for a warm start.
/// \throws std::invalid_argument if the bytes are not a state, or if bounds fix coordinates in that search.
Start distribution_of_state(const std::string& state);

}  // namespace surefoot
