#pragma once

#include <atomic>

namespace surefoot::cli {

/// Ctrl-C and SIGTERM set a flag from now on, and SIGUSR1 another one.
void watch_signals();

/// Set by Ctrl-C and SIGTERM.
[[nodiscard]] const std::atomic<bool>& interruption();

/// Whether SIGUSR1 has arrived since the last call.
[[nodiscard]] bool take_state_request();

}  // namespace surefoot::cli
