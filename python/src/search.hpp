#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "history.hpp"
#include "surefoot/session.hpp"

namespace surefoot::python {

/// An optimizer as Python holds it: populations are arrays with one candidate a row, and its own work does not hold the
/// interpreter's lock.
class SearchBinding {
 public:
  /// `origin` has x0, sigma0, space (texts of named parameters), warm_start (None, the state of a search, a
  /// checkpoint's file or a pair of mean and covariance) and vectorized. `trace` is None, True or a file: somebody
  /// wants to see all that can be measured. `log` is a file or empty.
  SearchBinding(const py::dict& origin, const py::dict& options, py::object callback, const py::object& trace,
                const std::string& log, std::vector<std::string> constraint_names);

  SearchBinding(const SearchBinding&) = delete;
  SearchBinding(SearchBinding&&) = delete;
  SearchBinding& operator=(const SearchBinding&) = delete;
  SearchBinding& operator=(SearchBinding&&) = delete;
  ~SearchBinding() = default;

  /// A copy: what the caller keeps or changes is his own. It costs popsize d of a generation's popsize d^2.
  Array ask();

  /// Values of the population; `candidates` is None or what `ask` gave, changed or not.
  void tell(const py::object& candidates, const py::object& values);

  /// With values of constraints, one row a candidate; H may be None.
  void tell_constrained(const py::object& candidates, const py::object& values, const py::object& g,
                        const py::object& h);

  // One population on its way to values, for loops with a failure policy.
  [[nodiscard]] py::list open_candidates();
  /// Who has evaluated a candidate, and in how many seconds; before its outcome.
  void took(Index candidate, double seconds, int worker);
  void took_together(double seconds);
  void set(Index candidate, const py::handle& value);
  void set_open(const py::object& values);  // in their order
  void fail(Index candidate, const std::string& kind, const std::string& reason);
  [[nodiscard]] bool reopen_failures();
  void forget_failures();
  /// Whether all evaluations of the search have failed, and those of the present generation are over.
  [[nodiscard]] bool has_never_worked();
  [[nodiscard]] bool is_cancelled();
  void finish_generation();

  void interrupt();
  void stop_because(const std::string& sentence);
  [[nodiscard]] std::string stop();
  [[nodiscard]] py::dict result();

  [[nodiscard]] py::bytes state();
  void set_state(const std::string& bytes);
  [[nodiscard]] py::dict history();
  void set_history(const py::dict& history);

  /// Opens the trace and the checkpoint, if they are named. An existing checkpoint is resumed.
  void open_files(const std::string& checkpoint, const std::string& every, bool overwrite);
  /// Writes what is still to be written; returns what could not be written, one sentence a file.
  std::vector<std::string> close_files();

  /// What `f` finds in the optimizer, if no other thread uses it.
  template <class F>
  auto read(const F& f) {
    const Use use(*this);
    return f(static_cast<const Optimizer&>(search()));
  }

 private:
  Matrix told_candidates(const py::object& candidates);
  void add_constraints(const Result& r, py::dict& d);
  /// Refuses a second thread: the interpreter's lock is not held while the search computes.
  class Use {
   public:
    explicit Use(SearchBinding& search);
    Use(const Use&) = delete;
    Use(Use&&) = delete;
    Use& operator=(const Use&) = delete;
    Use& operator=(Use&&) = delete;
    ~Use();

   private:
    SearchBinding& search_;
    bool is_outermost_;
  };

  StopRequest after_generation(const Record& record);
  Index checked(Index candidate);
  void put(Index candidate, std::span<const double> values);
  [[nodiscard]] Optimizer& search() { return session_->search(); }

  py::object callback_;
  std::atomic<unsigned long> user_{0};  // the thread that uses this object; 0: nobody
  std::unique_ptr<Session> session_;
  std::optional<History> history_;
  Index dimension_ = 0;  // of the search
};

}  // namespace surefoot::python
