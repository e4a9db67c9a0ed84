#include "cli/signals.hpp"

#include <csignal>

namespace surefoot::cli {
namespace {

std::atomic<bool> interrupted = false;
std::atomic<bool> state_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void on_interrupt(int /*signal*/) { interrupted = true; }
void on_request(int /*signal*/) { state_requested = true; }

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;  // without SA_RESTART, so that a wait ends and the flag is seen at once
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void watch_signals() {
  handle(SIGINT, on_interrupt);
  handle(SIGTERM, on_interrupt);
  if (!is_ignored(SIGHUP)) handle(SIGHUP, on_interrupt);  // nohup ignores it
  handle(SIGUSR1, on_request);
  handle(SIGXFSZ, SIG_IGN);  // a file at its size limit is a full disk: writing fails, the search continues
  handle(SIGPIPE, SIG_IGN);  // and so is a pipe that nobody reads any more
}

const std::atomic<bool>& interruption() { return interrupted; }

bool take_state_request() { return state_requested.exchange(false); }

}  // namespace surefoot::cli
