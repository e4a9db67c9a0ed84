#include "cli/run_view.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/trouble.hpp"

namespace surefoot::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

RunView::RunView(const Options& options, bool quiet)
    : maxfevals_(options.maxfevals),
      maxiter_(options.maxiter),
      timeout_(options.timeout),
      terminal_(!quiet && isatty(STDERR_FILENO) != 0) {}

/// The time left, by the budget that will be used up first.
std::string RunView::line(const Record& r) const {
  const double elapsed = seconds_since(begin_);
  double share = 0;
  if (maxfevals_) share = std::max(share, static_cast<double>(r.nfev) / static_cast<double>(*maxfevals_));
  if (maxiter_) share = std::max(share, static_cast<double>(r.generation) / static_cast<double>(*maxiter_));
  double left = share > 0 && share < 1 ? elapsed * (1 - share) / share : 0;
  if (timeout_) left = share > 0 ? std::min(left, *timeout_ - elapsed) : *timeout_ - elapsed;
  std::string text = fmt::format("{} evaluations, best f {:.6g}, sigma {:.3g}, rates {:.2g} {:.2g}", r.nfev, r.best,
                                 r.sigma, r.eta_sigma, r.eta_B);
  if (r.run > 1) text += fmt::format(", run {} popsize {}", r.run, r.popsize);
  if (share > 0 || timeout_) text += fmt::format(", at most {} left", clock_time(std::max(left, 0.0)));
  return text;
}

void RunView::show(const Record& record) {
  const std::lock_guard lock(mutex_);
  last_ = record;
  if (!terminal_ || seconds_since(shown_) < 0.1) return;
  shown_ = Clock::now();
  tell(fmt::format("\r{}\033[K", line(record)));
}

void RunView::answer_requests() {
  if (!take_state_request()) return;
  const std::lock_guard lock(mutex_);
  tell(fmt::format("{}{}\n", terminal_ ? "\r\033[K" : "", line(last_)));
}

void RunView::finish() {
  if (terminal_) tell("\r\033[K");
}

}  // namespace surefoot::cli
