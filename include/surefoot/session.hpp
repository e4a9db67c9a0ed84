#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// A search with everything around it: trace, checkpoints, resumption, retries.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "surefoot/limit.hpp"
#include "surefoot/minimize.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {

/// Where a search is written down. All of it may be left out.
struct SessionFiles {
  std::string about = {};               // kept in the checkpoint: whatever sets the search up again
  std::string checkpoint = {};          // the file in which the search is kept; FILE.journal and FILE.prev go with it
  std::string checkpoint_every = "1s";  // generations, as "20", or seconds, as "5s"
  std::string command = {};             // what repeats the search, for the trace
  std::vector<std::string> constraint_names = {};  // of g, then of h; those without one are g[0], h[0]
  std::vector<Limit> limits = {};  // on outputs, which the first inequalities say: for traces and their pages
  std::string log = {};            // the file that gets one row an evaluation: .csv or .jsonl
  std::string objective = {};      // what is minimised, in words: a checkpoint of another objective is refused
  bool overwrite = false;          // start anew even if there is a checkpoint
  bool replace_objective = false;  // go on although the checkpoint minimises something else: it was repaired
  std::string trace = {};          // the file that gets one JSON line a generation
  bool trace_timing = false;       // with seconds and the evaluator's utilisation in each line
};

/// One search that survives its process:
///
///     surefoot::Session session({3, 3, 3}, 2, {.seed = 1}, {.checkpoint = "run.sf", .trace = "run.jsonl"});
///     const surefoot::Result best = session.minimize(f);
///
/// A checkpoint that exists is gone on with: the result is bit for bit that of a search which was never interrupted.
/// Budgets, tolerances and functions may be others; a checkpoint of a different search is refused, and so is a file
/// that is no checkpoint. A trace is cut back to where the search goes on.
///
/// As long as a session is open its checkpoint is locked: a second search is told who has it. A full disk does not end
/// the search: `lost` says in the end which files are not complete. docs/reference/reliability.md has the rules.
class Session {
 public:
  /// \throws std::invalid_argument naming the option, its value and what is allowed.
  Session(const Point& x0, const Sigma0& sigma0, Options options = {}, SessionFiles files = {});
  explicit Session(const Start& start, Options options = {}, SessionFiles files = {});
  explicit Session(const Space& space, Options options = {}, SessionFiles files = {});
  /// Warm start by name from a state, as `Optimizer` does it.
  Session(const Space& space, const std::string& warm_state, Options options, SessionFiles files = {});

  Session(const Session&) = delete;
  Session(Session&&) = delete;
  Session& operator=(const Session&) = delete;
  Session& operator=(Session&&) = delete;
  ~Session();

  /// Runs to the end: open, evaluate and tell until the search stops, close.
  Result run(Evaluator& evaluator);

  /// The same with an objective as `surefoot::minimize` takes it.
  template <Objective F>
  Result minimize(F&& f) {
    const auto evaluator = make_evaluator<std::remove_reference_t<F>>(f, search().options().workers);
    return run(*evaluator);
  }
  /// With an objective that takes named values.
  template <NamedObjective F>
  Result minimize(F&& f) {
    NamedPointObjective<std::remove_reference_t<F>> objective{f, search().space()};
    const auto evaluator = make_evaluator(objective, search().options().workers);
    return run(*evaluator);
  }

  [[nodiscard]] Optimizer& search();
  [[nodiscard]] const Optimizer& search() const;

  // The parts of `run`, for callers who own the loop.

  /// Names the checkpoint; before `open`.
  void keep_in(std::string checkpoint, std::string checkpoint_every = "1s", bool overwrite = false);

  /// Watches a search: `opened` is called once the search stands where it begins or goes on, `outcome` for each outcome
  /// of the present generation, one at a time, from the thread that brings it. Before `open`.
  void watch(std::function<void()> opened, std::function<void(Index)> outcome);

  /// Opens the files and takes the search to where its checkpoint and journal end.
  /// \throws std::invalid_argument naming the file and what is wrong with it. No file is changed then.
  void open();

  /// Learns from the finished generation and, when it is time, writes a checkpoint.
  /// \throws std::invalid_argument if there is a checkpoint to write and the session is not open.
  void tell();

  /// The same with values, and points, that the caller brings, as `Optimizer::tell` takes them.
  void tell(const Vector& values);
  void tell(const Matrix& candidates, const Vector& values);
  void tell(const std::vector<Evaluation>& evaluations);
  void tell(const Matrix& candidates, const std::vector<Evaluation>& evaluations);

  /// Writes what is still to be written.
  void close();

  /// What could not be written although it was asked for, one sentence a file, with its name and the system's reason.
  /// Empty if all is well.
  [[nodiscard]] const std::vector<std::string>& lost() const;

 private:
  class Books;
  std::unique_ptr<Books> books_;
};

}  // namespace surefoot
