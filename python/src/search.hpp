#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "driver/checkpointer.hpp"
#include "driver/trace_writer.hpp"
#include "history.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot::python {

/// An optimizer as Python holds it: populations are arrays with one candidate a row, and its own work does not hold the
/// interpreter's lock.
class Search {
 public:
  /// `start` is a pair (x0, sigma0 or None), or (mean, covariance) or (checkpoint, None) for a warm start. `trace` is
  /// None, True or a file: somebody wants to see all that can be measured.
  Search(const py::tuple& start, bool is_warm, const py::dict& options, py::object callback, const py::object& trace);

  Search(const Search&) = delete;
  Search(Search&&) = delete;
  Search& operator=(const Search&) = delete;
  Search& operator=(Search&&) = delete;
  ~Search() = default;

  /// A copy: what the caller keeps or changes is his own. It costs popsize d of a generation's popsize d^2.
  Array ask();

  /// Values of the population; `candidates` is None or what `ask` gave, changed or not.
  void tell(const py::object& candidates, const py::object& values);

  // One population on its way to values, for loops with a failure policy.
  [[nodiscard]] py::list open_candidates();
  void set(Index candidate, const py::handle& value);
  void set_open(const py::object& values);  // in their order
  void fail(Index candidate, const std::string& kind, const std::string& reason);
  [[nodiscard]] bool reopen_failures();
  [[nodiscard]] bool is_cancelled();
  void finish_generation();

  void interrupt();
  [[nodiscard]] std::string stop();
  [[nodiscard]] py::dict result();

  [[nodiscard]] py::bytes state();
  void set_state(const std::string& bytes);
  [[nodiscard]] py::dict history();
  void set_history(const py::dict& history);

  /// Keeps the search in a file from now on, if one is named. If it exists, the search goes on from it and its journal.
  void open_checkpoint(const std::string& file, const std::string& every);
  /// Writes what is still to be written.
  void close_files();

  /// What `f` finds in the optimizer, if no other thread uses it.
  template <class F>
  auto read(const F& f) {
    const Use use(*this);
    return f(static_cast<const Optimizer&>(*search_));
  }

 private:
  /// Refuses a second thread: the interpreter's lock is not held while the search computes.
  class Use {
   public:
    explicit Use(Search& search);
    Use(const Use&) = delete;
    Use(Use&&) = delete;
    Use& operator=(const Use&) = delete;
    Use& operator=(Use&&) = delete;
    ~Use();

   private:
    Search& search_;
    bool is_outermost_;
  };

  bool after_generation(const Record& record);
  Index checked(Index candidate);
  void write_trace(const Record& record);

  py::object callback_;
  std::atomic<unsigned long> user_{0};  // the thread that uses this object; 0: nobody
  std::optional<Optimizer> search_;
  std::optional<History> history_;
  Index dimension_ = 0;  // of the search
  std::string trace_file_;
  std::optional<TraceWriter> trace_;  // once there is something to write
  std::optional<Checkpointer> checkpointer_;
};

}  // namespace surefoot::python
