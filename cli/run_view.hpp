#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cli/minimize_request.hpp"
#include "cli/progress_table.hpp"
#include "cli/search_status.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot::cli {

/// Shows a running search on stderr: at once a line about it, then on a terminal one line that is always new, elsewhere
/// a table that grows slowly; and whenever SIGUSR1 asks for it, everything.
class RunView {
 public:
  explicit RunView(const MinimizeRequest& request);

  /// The search is ready to begin or continue. It must outlive this object's other calls.
  void begin(const Optimizer& search);

  /// A candidate of the present generation has an outcome; one at a time, from any thread.
  void note(Index candidate);

  /// A generation has ended.
  void show(const Record& record);

  /// To be called often, from any thread: time passes, and SIGUSR1 may have arrived.
  void tick();

  /// Evaluations of this process that all gave the same value; 0 if two of them differed.
  [[nodiscard]] std::int64_t same_values() const { return is_constant_ ? values_ : 0; }

  /// Evaluations and seconds of the search before this process.
  [[nodiscard]] std::int64_t nfev_before() const { return begin_.nfev; }
  [[nodiscard]] double elapsed_before() const { return elapsed_before_; }

  /// `about` says what the user should know of the program; nothing if all is well. It may be called from any thread.
  void ask_program(std::function<std::string()> about) { about_program_ = std::move(about); }

  /// Clears the terminal's line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Progress now() const;
  void refresh();
  void print_row();
  [[nodiscard]] std::string clear() const;

  const MinimizeRequest& request_;
  bool is_quiet_;
  bool terminal_;
  std::mutex mutex_;
  const Optimizer* search_ = nullptr;
  SearchStatus status_;
  Options options_;  // with budgets
  Pace begin_;       // where this process began
  double elapsed_before_ = 0;
  std::function<std::string()> about_program_ = {};
  std::int64_t rowed_ = -1;  // generation of the last row
  bool has_header_ = false;
  std::int64_t values_ = 0;
  double first_value_ = 0;
  bool is_constant_ = true;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

}  // namespace surefoot::cli
