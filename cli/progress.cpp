#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "cli/trouble.hpp"

namespace surefoot::cli {
namespace {

std::string bar(double share) {
  constexpr int width = 30;
  const int filled = static_cast<int>(share * width);
  return fmt::format("[{}{}]", std::string(static_cast<std::size_t>(filled), '#'),
                     std::string(static_cast<std::size_t>(width - filled), '.'));
}

}  // namespace

std::string clock_time(double seconds) {
  const long s = std::lround(seconds);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

ProgressBar::ProgressBar(std::string what) : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressBar::show(std::size_t done, std::size_t total, double share) {
  if (done == total) return finish();  // Whatever is printed next begins on a clean line.
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> since_last = now - last_;
  if (since_last.count() < (terminal_ ? 0.1 : 10.0)) return;
  last_ = now;
  const std::chrono::duration<double> elapsed = now - begin_;
  const double left = share > 0 ? elapsed.count() * (1 - share) / share : 0;
  if (terminal_) {
    tell(fmt::format("\r{} {:3.0f} %  {} of {} {}, {} left \033[K", bar(share), 100 * share, done, total, what_,
                     clock_time(left)));
  } else {
    tell(fmt::format("{} of {} {}, {:.0f} %, {} left\n", done, total, what_, 100 * share, clock_time(left)));
  }
}

void ProgressBar::finish() const {
  if (terminal_) tell("\r\033[K");
}

}  // namespace surefoot::cli
