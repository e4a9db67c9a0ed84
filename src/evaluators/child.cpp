#include "evaluators/child.hpp"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "evaluators/blocked_signals.hpp"

namespace surefoot {
namespace {

std::string message_of(int error) { return std::generic_category().message(error); }

/// Resets all signals: handlers of the host must not run here, and the program should not ignore what the host ignores.
void reset_signals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Tries the paths as execvp does; returns the errno that says most.
int execute(const ChildPlan& plan) {
  int failure = ENOENT;
  for (char* const* path = plan.paths; *path != nullptr; ++path) {
    execve(*path, plan.arguments, plan.environment);
    if (errno == EACCES) failure = EACCES;
    if (errno != EACCES && errno != ENOENT && errno != ENOTDIR) return errno;
  }
  return failure;
}

StartFailure become_program(const ChildPlan& plan) {
  setpgid(0, 0);
  for (int stream = 0; stream < 3; ++stream) {
    if (dup2(plan.streams[static_cast<std::size_t>(stream)], stream) < 0) return {false, errno};
  }
  if (plan.directory != nullptr && chdir(plan.directory) != 0) return {true, errno};
  reset_signals();
  return {false, execute(plan)};
}

/// This function is not inlined: it must not use the stack frame that the parent continues with.
[[noreturn, gnu::noinline]] void run_child(const ChildPlan& plan) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // If the parent died before prctl, nobody would send the signal any more.
  if (getppid() == plan.parent) {
    const StartFailure failure = become_program(plan);
    const ssize_t ignored = write(plan.report, &failure, sizeof failure);
    static_cast<void>(ignored);
  }
  _exit(127);
}

}  // namespace

/// Uses vfork, because copying the page tables of a large host would cost more than the rest; posix_spawn knows no
/// PR_SET_PDEATHSIG. Signals are blocked so that no handler of the host runs in the child, on the host's memory.
pid_t fork_child(const ChildPlan& plan) {
  sigset_t all;
  sigfillset(&all);
  const BlockedSignals block(all);
  const pid_t pid = vfork();      // NOLINT(clang-analyzer-security.insecureAPI.vfork): see above
  if (pid == 0) run_child(plan);  // NOLINT(clang-analyzer-unix.Vfork)
  return pid < 0 ? -errno : pid;
}

std::vector<std::string> search_paths(const std::string& program) {
  if (program.find('/') != std::string::npos) return {program};
  const char* const variable = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): as execvp
  std::string_view rest = variable != nullptr ? variable : "/bin:/usr/bin";
  std::vector<std::string> paths;
  while (true) {
    const std::size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    paths.push_back(std::string(folder.empty() ? "." : folder) + '/' + program);
    if (colon == std::string_view::npos) return paths;
    rest.remove_prefix(colon + 1);
  }
}

std::vector<char*> c_list(std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::vector<char*> environment_with(std::vector<std::string>& more) {
  std::vector<char*> list;
  for (char** variable = environ; *variable != nullptr; ++variable) list.push_back(*variable);
  for (std::string& variable : more) list.push_back(variable.data());
  list.push_back(nullptr);
  return list;
}

std::string explain(const StartFailure& failure, const ProgramJob& job, const std::vector<std::string>& paths) {
  if (failure.directory) return "cannot enter directory '" + job.directory.string() + "': " + message_of(failure.error);
  const std::string& program = job.arguments.front();
  const std::string cannot = "cannot start '" + program + "': ";
  const auto exists = [&](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(job.directory / path, ignored);
  };
  if (failure.error == ENOEXEC) return cannot + "neither a binary for this machine nor a script that begins with #!";
  if (failure.error != ENOENT) return cannot + message_of(failure.error);
  if (std::any_of(paths.begin(), paths.end(), exists)) return cannot + "the interpreter of the script does not exist";
  return cannot + (program.find('/') == std::string::npos ? "command not found in PATH" : message_of(ENOENT));
}

std::optional<StartFailure> read_report(const Descriptor& report) {
  StartFailure failure;
  ssize_t bytes = 0;
  do bytes = read(report.number(), &failure, sizeof failure);
  while (bytes < 0 && errno == EINTR);
  if (bytes == 0) return std::nullopt;
  return failure;
}

Descriptor open_process(pid_t pid) {
#ifdef SYS_pidfd_open
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
#else
  static_cast<void>(pid);
  return {};
#endif
}

}  // namespace surefoot
