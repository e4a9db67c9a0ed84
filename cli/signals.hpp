#pragma once

namespace surefoot::cli {

/// Ctrl-C and SIGTERM set a flag from now on, and SIGUSR1 another one.
void watch_signals();

[[nodiscard]] bool is_interrupted();

/// Whether SIGUSR1 has arrived since the last call.
[[nodiscard]] bool take_state_request();

}  // namespace surefoot::cli
