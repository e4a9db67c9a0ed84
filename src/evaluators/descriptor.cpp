#include "evaluators/descriptor.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "evaluators/blocked_signals.hpp"

namespace surefoot {
namespace {

/// A host that has closed its standard streams would get 0, 1 or 2, which the child overwrites with dup2.
Descriptor above_standard_streams(Descriptor descriptor) {
  if (!descriptor.is_open() || descriptor.number() > STDERR_FILENO) return descriptor;
  return Descriptor(fcntl(descriptor.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

}  // namespace

void Descriptor::close() {
  if (is_open()) ::close(std::exchange(number_, -1));
}

Pipe open_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  Descriptor read(ends[0]);
  Descriptor write(ends[1]);
  return {above_standard_streams(std::move(read)), above_standard_streams(std::move(write))};
}

void make_nonblocking(const Descriptor& descriptor) { fcntl(descriptor.number(), F_SETFL, O_NONBLOCK); }

bool hold_one_page(const Descriptor& writing) { return fcntl(writing.number(), F_SETPIPE_SZ, 1) >= 0; }

std::size_t bytes_in(const Descriptor& descriptor) {
  int bytes = 0;
  if (!descriptor.is_open() || ioctl(descriptor.number(), FIONREAD, &bytes) != 0) return 0;
  return static_cast<std::size_t>(bytes);
}

Written write_quietly(int descriptor, std::string_view text) {
  sigset_t pipe_signal;
  sigset_t pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const BlockedSignals block(pipe_signal);
  const ssize_t bytes = write(descriptor, text.data(), text.size());
  if (bytes >= 0) return {static_cast<std::size_t>(bytes), 0};
  const int error = errno;
  // The signal of this write is pending now. One that was pending before belongs to the host.
  constexpr timespec at_once{};
  if (error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    while (sigtimedwait(&pipe_signal, nullptr, &at_once) < 0 && errno == EINTR) continue;
  }
  return {0, error};
}

}  // namespace surefoot
