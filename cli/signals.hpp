#pragma once

#include <atomic>

namespace surefoot::cli {

/// From now on Ctrl-C and SIGTERM set a flag, and SIGUSR1 sets another one.
void watch_signals();

/// Set by Ctrl-C and SIGTERM.
[[nodiscard]] const std::atomic<bool>& interruption();

/// Whether SIGUSR1 has arrived since the last call.
[[nodiscard]] bool take_state_request();

}  // namespace surefoot::cli
