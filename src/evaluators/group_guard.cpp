#include "evaluators/group_guard.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

namespace surefoot {
namespace {

/// Pipes of others must not stay open because of us.
void close_all_but(int kept) {
#ifdef SYS_close_range
  const bool is_done = (kept == 0 || syscall(SYS_close_range, 0U, static_cast<unsigned>(kept) - 1U, 0U) == 0) &&
                       syscall(SYS_close_range, static_cast<unsigned>(kept) + 1U, ~0U, 0U) == 0;
  if (is_done) return;
#endif
  rlimit limit{};
  constexpr rlim_t most = 65536;
  getrlimit(RLIMIT_NOFILE, &limit);
  for (int i = 0; i < static_cast<int>(std::min(limit.rlim_cur, most)); ++i) {
    if (i != kept) close(i);
  }
}

/// The groups there are. The list has a fixed size: a process forked from one with threads had better not allocate.
class Groups {
 public:
  void apply(pid_t message) {
    if (message > 0 && count_ < groups_.size()) groups_[count_++] = message;
    if (message > 0) return;
    auto* const end = groups_.begin() + static_cast<std::ptrdiff_t>(count_);
    auto* const place = std::find(groups_.begin(), end, -message);
    if (place == end) return;
    *place = *(end - 1);
    --count_;
  }
  void kill_all() const {
    for (std::size_t i = 0; i < count_; ++i) kill(-groups_[i], SIGKILL);
  }

 private:
  std::array<pid_t, 65536> groups_{};
  std::size_t count_ = 0;
};

Groups groups;

/// Waits for the end of the other end.
[[noreturn]] void guard(int pipe) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  setsid();
  close_all_but(pipe);
  if (chdir("/") != 0) _exit(1);
  prctl(PR_SET_NAME, "surefoot-guard");
  pid_t message = 0;
  ssize_t bytes = 0;
  do {
    bytes = read(pipe, &message, sizeof message);
    if (bytes == sizeof message) groups.apply(message);
  } while (bytes == sizeof message || (bytes < 0 && errno == EINTR));
  groups.kill_all();
  _exit(0);
}

}  // namespace

GroupGuard& GroupGuard::instance() {
  static GroupGuard guard;
  return guard;
}

/// Without descriptors or processes for it there is no guard; the programs' own start will say so.
GroupGuard::GroupGuard() {
  Pipe pipe = open_pipe();
  if (!pipe.is_open()) return;
  const pid_t child = fork();
  if (child == 0) guard(pipe.read.number());
  if (child > 0) pipe_ = std::move(pipe.write);
}

void GroupGuard::send(pid_t message) {
  if (!pipe_.is_open()) return;
  const std::string_view bytes(reinterpret_cast<const char*>(&message), sizeof message);  // NOLINT(*-reinterpret-cast)
  if (write_quietly(pipe_.number(), bytes).error == EPIPE) pipe_.close();
}

}  // namespace surefoot
