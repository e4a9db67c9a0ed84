#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "surefoot/options.hpp"

namespace surefoot::cli {

/// Shows a running search on stderr in one line: on a terminal all the time, and whenever SIGUSR1 asks for it.
class RunView {
 public:
  RunView(const Options& options, bool quiet);

  void show(const Record& record);

  /// Answers a request by SIGUSR1. May be called from any thread.
  void answer_requests();

  /// Clears the terminal's line.
  void finish();

 private:
  [[nodiscard]] std::string line(const Record& record) const;

  std::optional<std::int64_t> maxfevals_;
  std::optional<std::int64_t> maxiter_;
  std::optional<double> timeout_;
  bool terminal_;
  std::mutex mutex_;
  Record last_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = begin_;
};

}  // namespace surefoot::cli
