#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// A search with its files: trace, log, checkpoints, resumption, retries.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "surefoot/limit.hpp"
#include "surefoot/minimize.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {

/// The files of a search. Each may be left out.
struct SessionFiles {
  std::string about = {};                          // kept in the checkpoint, for whoever sets the search up again
  std::string checkpoint = {};                     // the file with the state; FILE.journal and FILE.prev are beside it
  std::string checkpoint_every = "1s";             // generations, as "20", or seconds, as "5s"
  std::string command = {};                        // what repeats the search, for the trace
  std::vector<std::string> constraint_names = {};  // of g, then of h; those without one are g[0], h[0]
  std::vector<Limit> limits = {};  // on outputs, which the first inequalities say: for traces and their pages
  std::string log = {};            // one row per evaluation: .csv or .jsonl
  std::string objective = {};      // what is minimised, in words: a checkpoint of another objective is refused
  bool overwrite = false;          // start anew even if there is a checkpoint
  bool replace_objective = false;  // resume although the checkpoint has another objective, which was repaired
  std::string trace = {};          // one JSON line per generation
  bool trace_timing = false;       // with seconds and the evaluator's utilisation in each line
};

/// One search that survives its process:
///
///     surefoot::Session session({3, 3, 3}, 2, {.seed = 1}, {.checkpoint = "run.sf", .trace = "run.jsonl"});
///     const surefoot::Result best = session.minimize(f);
///
/// An existing checkpoint is resumed. The result is bit for bit that of an uninterrupted search. Budgets, tolerances
/// and functions may change; a checkpoint of a different search is refused, and so is any other file. The trace is cut
/// back to the point of resumption.
///
/// An open session locks its checkpoint: a second search is refused with the name of the holder. A full disk does not
/// end the search: `lost` lists incomplete files at the end. docs/reference/reliability.md has the rules.
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

  /// Runs the whole search: open, evaluate and tell until it stops, close.
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

  // The parts of `run`, for callers who write the loop themselves.

  /// Sets the checkpoint's file. Call it before `open`.
  void keep_in(std::string checkpoint, std::string checkpoint_every = "1s", bool overwrite = false);

  /// Watches a search: `opened` is called once the search is ready to begin or continue, `outcome` for each outcome,
  /// one at a time, from the thread that delivers it. Call it before `open`.
  void watch(std::function<void()> opened, std::function<void(Index)> outcome);

  /// Opens the files and restores the search from its checkpoint and journal.
  /// \throws std::invalid_argument naming the file and what is wrong with it. No file is changed then.
  void open();

  /// Learns from the finished generation and writes a checkpoint if one is due.
  /// \throws std::invalid_argument if a checkpoint is due and the session is not open.
  void tell();

  /// The same with the caller's values, and points, as `Optimizer::tell` takes them.
  void tell(const Vector& values);
  void tell(const Matrix& candidates, const Vector& values);
  void tell(const std::vector<Evaluation>& evaluations);
  void tell(const Matrix& candidates, const std::vector<Evaluation>& evaluations);

  /// Writes everything that is pending.
  void close();

  /// Files that are incomplete: one sentence per file, with its name and the system's reason. Empty if everything was
  /// written.
  [[nodiscard]] const std::vector<std::string>& lost() const;

 private:
  class Books;
  std::unique_ptr<Books> books_;
};

}  // namespace surefoot
