#pragma once

#include <atomic>

namespace surefoot::cli {

/// From now on Ctrl-C, SIGTERM and SIGHUP set a flag, SIGUSR1 sets another one, and output that is lost is an error of
/// writing instead of the end of the process.
void watch_signals();

/// Set by Ctrl-C, SIGTERM and SIGHUP.
[[nodiscard]] const std::atomic<bool>& interruption();

/// Whether SIGUSR1 has arrived since the last call.
[[nodiscard]] bool take_state_request();

}  // namespace surefoot::cli
