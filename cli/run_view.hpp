#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "surefoot/options.hpp"

namespace surefoot::cli {

/// One line about a running search on stderr: on a terminal always the newest, and whenever SIGUSR1 asks for it.
class RunView {
 public:
  RunView(const Options& options, bool quiet);

  void show(const Record& record);

  /// From any thread: answers a request by SIGUSR1.
  void answer_requests();

  /// Leaves the terminal's line clean.
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
