#include "cli/run_view.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cli/bounds_text.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/trouble.hpp"
#include "core/printable_text.hpp"
#include "search/tally.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double refresh_seconds = 0.1;  // between two lines on a terminal
constexpr double row_seconds = 30;       // without a row of the table

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Columns of the terminal behind stderr. One less, so that the cursor stays in the line.
int terminal_width() {
  struct winsize size {};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return (is_known ? size.ws_col : 80) - 1;
}

/// Breaks at blanks. A word that is longer than a line is left to the terminal.
std::string wrapped(std::string line, int width) {
  const auto most = static_cast<std::size_t>(std::max(width, 1));
  for (std::size_t begin = 0; begin + most < line.size();) {
    std::size_t blank = line.rfind(' ', begin + most);
    if (blank == std::string::npos || blank <= begin) blank = line.find(' ', begin + most);
    if (blank == std::string::npos) break;
    line[blank] = '\n';
    begin = blank + 1;
  }
  return line;
}

/// A search that the shell has put into the background must not write over what its user types.
bool is_in_foreground() { return ::tcgetpgrp(STDERR_FILENO) == ::getpgrp(); }

}  // namespace

RunView::RunView(const MinimizeRequest& request)
    : request_(request), is_quiet_(request.quiet), terminal_(!request.quiet && ::isatty(STDERR_FILENO) != 0) {}

void RunView::begin(const Optimizer& search) {
  const std::lock_guard lock(mutex_);
  search_ = &search;
  options_ = budgets_of(search, request_);
  status_ = status_of(search, request_);
  status_.state = fmt::format("running as process {}", ::getpid());
  const Progress& p = status_.progress;
  begin_ = {p.nfev, p.generation, 0};
  elapsed_before_ = search.elapsed();
  start_ = Clock::now();
  if (is_quiet_) return;
  const std::string goes_on =
      p.nfev > 0 ? fmt::format("; resumed after {} evaluations, best f = {:.6g}", p.nfev, p.best) : "";
  const std::string line = printable_line(first_line(request_, search) + goes_on);
  tell((terminal_ ? wrapped(line, terminal_width()) : line) + "\n");
}

/// Attempts of one candidate are one evaluation, which fails with the last of them.
void RunView::note(Index candidate) {
  const std::lock_guard lock(mutex_);
  if (search_ == nullptr) return;
  const Generation& generation = search_->present();
  const Outcome& outcome = generation.outcome(candidate);
  Progress& p = status_.progress;
  if (outcome.attempts <= 1) ++p.nfev;
  const bool has_failed = outcome.state == Outcome::State::failed;
  if (has_failed && outcome.attempts > options_.failures.retry) {
    const Failure& failure = generation.failures().back();
    FailureCount& kind = status_.failures[static_cast<std::size_t>(failure.kind)];
    ++p.nfailed;
    kind = {kind.count + 1, failure.reason, generation.population().col(candidate)};
  }
  if (!has_failed && is_finite(outcome.f)) {
    if (values_++ == 0) first_value_ = outcome.f;
    is_constant_ = is_constant_ && outcome.f == first_value_;
  }
  const double violation = status_.rules.violation(outcome.constraints);
  if (has_failed || !is_finite(outcome.f) || !is_finite(violation)) return;
  if (!is_better(violation, outcome.f, p.violation, p.best)) return;
  p.best = outcome.f;
  p.violation = violation;
  status_.constraints = outcome.constraints;
  status_.x = generation.population().col(candidate);
}

void RunView::show(const Record& record) {
  const std::lock_guard lock(mutex_);
  if (search_ == nullptr) return;  // a generation of the journal, which is repeated before the search continues
  Progress& p = status_.progress;
  p.generation = record.generation;
  p.nfev = record.nfev;
  p.sigma = record.sigma;
  p.run = record.run;
  if (is_round_number(p.generation)) status_.course.push_back(now());
  refresh();
}

Progress RunView::now() const {
  Progress p = status_.progress;
  Pace since = begin_;
  since.seconds = seconds_since(start_);
  p.elapsed = elapsed_before_ + since.seconds;
  estimate(p, since, options_);
  return p;
}

void RunView::refresh() {
  if (is_quiet_) return;
  const double silence = seconds_since(shown_);
  if (terminal_) {
    if (silence < refresh_seconds || !is_in_foreground()) return;
    shown_ = Clock::now();
    return tell(fmt::format("\r{}\033[K", live_line(now(), terminal_width())));
  }
  const std::int64_t generation = status_.progress.generation;
  const bool is_due = generation != rowed_ && is_round_number(generation);
  if (is_due || silence >= row_seconds) print_row();
}

void RunView::print_row() {
  if (!has_header_) tell(table_header());
  has_header_ = true;
  rowed_ = status_.progress.generation;
  shown_ = Clock::now();
  tell(table_row(now()));
}

void RunView::tick() {
  const std::unique_lock lock(mutex_, std::try_to_lock);  // whoever has it shows the search anyway
  if (!lock.owns_lock() || search_ == nullptr) return;
  if (take_state_request()) {
    SearchStatus asked = status_;
    asked.progress = now();
    asked.bounds = parameters_at_bounds(search_->space(), search_->options().bounds, asked.x);
    asked.stds.resize(0);  // the search may be at work on them
    asked.multipliers.resize(0);
    if (about_program_) asked.program = about_program_();
    tell(clear() + status_text(asked, request_, search_->space()));
  }
  refresh();
}

std::string RunView::clear() const { return terminal_ ? "\r\033[K" : ""; }

void RunView::finish() {
  const std::lock_guard lock(mutex_);
  if (terminal_) return tell(clear());
  if (!is_quiet_ && search_ != nullptr && has_header_ && rowed_ != status_.progress.generation) print_row();
}

}  // namespace surefoot::cli
