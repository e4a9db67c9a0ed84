#include "evaluators/program_pool.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

namespace surefoot {
namespace {

using Kind = ProgramOutcome::Kind;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t output_limit = 65536;
constexpr std::size_t errors_limit = 4096;
constexpr milliseconds longest_wait{100};    // between two questions whether to stop
constexpr milliseconds wait_unnotified{10};  // if the kernel cannot tell us that a program has ended
constexpr milliseconds term_grace{200};      // between SIGTERM and SIGKILL
constexpr milliseconds kill_patience{2000};  // SIGKILL has no effect on what hangs in the kernel or belongs to root
constexpr milliseconds mute_patience{1000};  // for the end of a persistent program that has closed its output
constexpr milliseconds exit_patience{1000};  // for the end of a persistent program after the last candidate

std::string message_of(int error) { return std::generic_category().message(error); }

// Descriptors

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  void close() {
    if (is_open()) ::close(std::exchange(number_, -1));
  }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read, write;
  [[nodiscard]] bool is_open() const { return read.is_open() && write.is_open(); }
};

/// A host that has closed its standard streams would get 0, 1 or 2, which the child overwrites with dup2.
Descriptor above_standard_streams(Descriptor descriptor) {
  if (!descriptor.is_open() || descriptor.number() > STDERR_FILENO) return descriptor;
  return Descriptor(fcntl(descriptor.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

/// Closed ends, and errno, if there are not enough descriptors.
Pipe open_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  Descriptor read(ends[0]);
  Descriptor write(ends[1]);
  return {above_standard_streams(std::move(read)), above_standard_streams(std::move(write))};
}

/// The two ends of a pipe have flags of their own: the program's end stays as it expects it.
void make_nonblocking(const Descriptor& descriptor) { fcntl(descriptor.number(), F_SETFL, O_NONBLOCK); }

/// Bytes that lie in a pipe, asked at either end.
std::size_t bytes_in(const Descriptor& descriptor) {
  int bytes = 0;
  if (!descriptor.is_open() || ioctl(descriptor.number(), FIONREAD, &bytes) != 0) return 0;
  return static_cast<std::size_t>(bytes);
}

/// Blocks signals in this thread for as long as it lives.
class BlockedSignals {
 public:
  explicit BlockedSignals(const sigset_t& signals) { pthread_sigmask(SIG_BLOCK, &signals, &before_); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals(BlockedSignals&&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  BlockedSignals& operator=(BlockedSignals&&) = delete;
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

struct Written {
  std::size_t bytes = 0;
  int error = 0;
};

/// write() that cannot raise SIGPIPE. Not a socket with MSG_NOSIGNAL: programs could not open it as /dev/stdin.
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
  // The signal of this very write waits now; one that waited before is the host's.
  constexpr timespec at_once{};
  if (error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    while (sigtimedwait(&pipe_signal, nullptr, &at_once) < 0 && errno == EINTR) continue;
  }
  return {0, error};
}

/// The end of a text that may be endless.
class Tail {
 public:
  explicit Tail(std::size_t limit) : limit_(limit) {}

  void append(std::string_view text) {
    text_ += text;
    if (text_.size() > 2 * limit_) shorten();
  }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] bool has_line() const { return text_.find('\n') != std::string::npos; }

  /// Adds a line of our own.
  void note(std::string_view line) {
    if (!empty()) append("\n");
    append(line);
  }

  /// Half a line could be taken for a value, so what was cut begins with a whole one, if there is one.
  std::string take() {
    if (text_.size() > limit_) shorten();
    const std::size_t newline = cut_ ? text_.find('\n') : std::string::npos;
    if (newline != std::string::npos && newline + 1 < text_.size()) text_.erase(0, newline + 1);
    cut_ = false;
    return std::exchange(text_, {});
  }

  /// Removes the first line if it is complete, and returns it.
  std::optional<std::string> take_line() {
    const std::size_t newline = text_.find('\n');
    if (newline == std::string::npos) return std::nullopt;
    std::string line = text_.substr(0, newline);
    text_.erase(0, newline + 1);
    return line;
  }

 private:
  void shorten() {
    text_.erase(0, text_.size() - limit_);
    cut_ = true;
  }

  std::size_t limit_;
  bool cut_ = false;
  std::string text_;
};

// Starting a program

/// All that the child needs: it shares our memory until exec, and may neither allocate nor lock.
struct ChildPlan {
  char* const* paths;  // to be tried in turn, ends with nullptr
  char* const* arguments;
  const char* directory;  // or nullptr
  std::array<int, 3> streams;
  int report;
  pid_t parent;
};

/// What the child tells us if it could not become the program.
struct StartFailure {
  bool directory = false;
  int error = 0;
};

/// Handlers of the host must not run here, and what the host ignores the program should not.
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
    execve(*path, plan.arguments, environ);
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

/// Not inlined: it must not use the stack frame that the parent goes on with.
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

/// The child's number, or minus the errno. vfork, since copying the page tables of a large host would cost more than
/// the rest; posix_spawn knows no PR_SET_PDEATHSIG. Signals are blocked so that no handler of the host runs in the
/// child, on the host's memory.
pid_t fork_child(const ChildPlan& plan) {
  sigset_t all;
  sigfillset(&all);
  const BlockedSignals block(all);
  const pid_t pid = vfork();      // NOLINT(clang-analyzer-security.insecureAPI.vfork): see above
  if (pid == 0) run_child(plan);  // NOLINT(clang-analyzer-unix.Vfork)
  return pid < 0 ? -errno : pid;
}

/// What the search path makes of a program's name.
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

/// As exec wants it; writable, although it writes nothing.
std::vector<char*> c_list(std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (std::string& text : texts) list.push_back(text.data());
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

/// Waits until the child has become the program, which closes its end of the report, or has failed to.
std::optional<StartFailure> read_report(const Descriptor& report) {
  StartFailure failure;
  ssize_t bytes = 0;
  do bytes = read(report.number(), &failure, sizeof failure);
  while (bytes < 0 && errno == EINTR);
  if (bytes == 0) return std::nullopt;
  return failure;
}

/// Descriptor that becomes readable when the process ends; closed if the kernel has none (before Linux 5.3).
Descriptor open_process(pid_t pid) {
#ifdef SYS_pidfd_open
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
#else
  static_cast<void>(pid);
  return {};
#endif
}

// A running program

/// It runs, if both are empty.
struct StartResult {
  int shortage = 0;                       // errno, if this process is out of descriptors or processes
  std::optional<ProgramOutcome> failure;  // of the program
};

/// A program with our ends of its pipes. Its destruction kills it.
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program(Program&&) = delete;
  Program& operator=(const Program&) = delete;
  Program& operator=(Program&&) = delete;
  ~Program();

  StartResult start(ProgramJob& job);

  void send(std::string text, bool close_afterwards);
  void limit_time(std::optional<double> seconds);
  void close_input() { input_pipe_.close(); }

  /// SIGTERM now, SIGKILL after the grace.
  void stop(Kind why);

  static constexpr std::size_t watched = 4;
  void watch(std::vector<pollfd>& events) const;
  void serve(const pollfd* events);
  [[nodiscard]] Clock::time_point next_event(Clock::time_point now) const;

  [[nodiscard]] bool ended() const { return pid_ < 0; }
  ProgramOutcome outcome();

  // Of persistent programs:
  std::optional<ProgramOutcome> answer();
  bool ready();
  [[nodiscard]] bool ignored_input() const { return ignored_input_; }

 private:
  [[nodiscard]] bool exited() const;
  [[nodiscard]] bool has_answer() const { return !stopped_ && !close_afterwards_ && output_.has_line(); }
  void write_input();
  void hang_up();
  static void read_some(Descriptor& pipe, Tail& tail, std::size_t bytes);
  static void drain(Descriptor& pipe, Tail& tail);
  void enforce_time(Clock::time_point now);
  void signal_group(int signal) const;
  void collect();
  bool reap(int options);
  void release();

  pid_t pid_ = -1;
  int wait_status_ = 0;
  bool status_known_ = true;
  Descriptor process_, input_pipe_, output_pipe_, errors_pipe_;
  std::string input_;
  std::size_t sent_ = 0;
  bool close_afterwards_ = true;
  bool ignored_input_ = false;
  Tail output_{output_limit};
  Tail errors_{errors_limit};
  std::optional<Clock::time_point> deadline_;
  std::optional<Kind> stopped_;
  bool killed_ = false;
  bool mute_ = false;
};

StartResult Program::start(ProgramJob& job) {
  if (job.arguments.empty()) return {0, ProgramOutcome{Kind::not_started, EINVAL, "", "no program given"}};
  std::vector<std::string> paths = search_paths(job.arguments.front());
  const std::vector<char*> path_list = c_list(paths);
  const std::vector<char*> arguments = c_list(job.arguments);

  std::array<Pipe, 4> pipes;
  for (Pipe& pipe : pipes) {
    pipe = open_pipe();
    if (!pipe.is_open()) return {errno, {}};
  }
  auto& [input, output, errors, report] = pipes;
  for (const Descriptor* ours : {&input.write, &output.read, &errors.read}) make_nonblocking(*ours);
  const pid_t child = fork_child({path_list.data(),
                                  arguments.data(),
                                  job.directory.empty() ? nullptr : job.directory.c_str(),
                                  {input.read.number(), output.write.number(), errors.write.number()},
                                  report.write.number(),
                                  getpid()});
  if (child < 0) return {-child, {}};
  pid_ = child;
  report.write.close();
  if (const auto failure = read_report(report.read)) {
    reap(0);
    return {0, ProgramOutcome{Kind::not_started, failure->error, "", explain(*failure, job, paths)}};
  }
  process_ = open_process(pid_);
  input_pipe_ = std::move(input.write);
  output_pipe_ = std::move(output.read);
  errors_pipe_ = std::move(errors.read);
  return {};
}

Program::~Program() {
  if (ended()) return;
  signal_group(SIGKILL);
  const auto patience = Clock::now() + kill_patience;
  while (!reap(WNOHANG) && Clock::now() < patience) poll(nullptr, 0, 1);
}

void Program::limit_time(std::optional<double> seconds) {
  deadline_.reset();
  constexpr double longest = 1e9;  // what is beyond would overflow the clock
  if (!seconds || !(*seconds < longest)) return;
  const std::chrono::duration<double> limit(std::max(*seconds, 0.0));
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
}

void Program::send(std::string text, bool close_afterwards) {
  input_ = std::move(text);
  sent_ = 0;
  close_afterwards_ = close_afterwards;
  write_input();
}

void Program::write_input() {
  if (sent_ < input_.size()) {
    const Written written = write_quietly(input_pipe_.number(), std::string_view(input_).substr(sent_));
    sent_ += written.bytes;
    if (written.error != 0 && written.error != EAGAIN && written.error != EINTR) return hang_up();
  }
  if (sent_ == input_.size() && close_afterwards_) input_pipe_.close();
}

/// The program reads no more. Whether it has read anything of its last input shows in what is left in the pipe.
void Program::hang_up() {
  if (input_pipe_.is_open()) ignored_input_ = bytes_in(input_pipe_) >= sent_;
  input_pipe_.close();
}

/// Reads once, so that no program keeps us from the others.
void Program::read_some(Descriptor& pipe, Tail& tail, std::size_t bytes) {
  std::array<char, output_limit> buffer;  // NOLINT(*-member-init): read() fills it
  const ssize_t got = read(pipe.number(), buffer.data(), std::min(bytes, buffer.size()));
  if (got > 0) tail.append({buffer.data(), static_cast<std::size_t>(got)});
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) pipe.close();
}

/// Reads what is in the pipe now: somebody else may hold its other end, and never stop writing.
void Program::drain(Descriptor& pipe, Tail& tail) {
  for (std::size_t left = bytes_in(pipe); left > 0 && pipe.is_open();) {
    read_some(pipe, tail, left);
    left -= std::min(left, output_limit);
  }
}

void Program::watch(std::vector<pollfd>& events) const {
  const short writable = sent_ < input_.size() ? POLLOUT : 0;
  events.insert(events.end(), {{process_.number(), POLLIN, 0},
                               {input_pipe_.number(), writable, 0},
                               {output_pipe_.number(), POLLIN, 0},
                               {errors_pipe_.number(), POLLIN, 0}});
}

/// Takes the events of watch(), in the same order.
void Program::serve(const pollfd* events) {
  const auto happened = [&](std::size_t i) { return events[i].revents != 0; };
  if (happened(1)) (events[1].revents & POLLERR) != 0 ? hang_up() : write_input();
  if (happened(2)) read_some(output_pipe_, output_, output_limit);
  if (happened(3)) read_some(errors_pipe_, errors_, output_limit);
  if (process_.is_open() ? happened(0) : exited()) {
    collect();
  } else if (!has_answer()) {  // which may have waited longer than the limit, if the host was busy
    enforce_time(Clock::now());
  }
}

Clock::time_point Program::next_event(Clock::time_point now) const {
  const auto latest = now + (process_.is_open() ? longest_wait : wait_unnotified);
  return deadline_ ? std::min(latest, *deadline_) : latest;
}

void Program::enforce_time(Clock::time_point now) {
  if (!deadline_ || now < *deadline_) return;
  if (!stopped_) {
    stop(Kind::timed_out);
  } else if (!killed_) {
    signal_group(SIGKILL);
    killed_ = true;
    deadline_ = now + kill_patience;
  } else {
    errors_.note("the program could not be killed");
    status_known_ = false;
    release();
  }
}

void Program::stop(Kind why) {
  if (!stopped_) {
    signal_group(SIGTERM);
    deadline_ = Clock::now() + term_grace;
  }
  stopped_ = why;
}

/// A program may have left its group.
void Program::signal_group(int signal) const {
  const pid_t group = getpgid(pid_);
  if (group > 0 && group != pid_) kill(pid_, signal);
  kill(-pid_, signal);
}

/// Leaves the process as it is: its number, which is also its group's, must not be given to others yet.
bool Program::exited() const {
  siginfo_t info{};
  const int options = WEXITED | WNOHANG | WNOWAIT;
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, options) != 0) return errno == ECHILD;
  return info.si_pid == pid_;
}

/// The program has ended: takes what it left in the pipes and kills what it left running.
void Program::collect() {
  hang_up();
  drain(output_pipe_, output_);
  drain(errors_pipe_, errors_);
  signal_group(SIGKILL);
  reap(0);
}

/// Returns whether the process is gone.
bool Program::reap(int options) {
  pid_t result = -1;
  do result = waitpid(pid_, &wait_status_, options);
  while (result < 0 && errno == EINTR);
  if (result == 0) return false;
  if (result < 0) {
    status_known_ = false;
    errors_.note("exit status lost: this process ignores SIGCHLD, or waits for children that are not its own");
  }
  release();
  return true;
}

void Program::release() {
  pid_ = -1;
  for (Descriptor* descriptor : {&process_, &input_pipe_, &output_pipe_, &errors_pipe_}) descriptor->close();
}

ProgramOutcome Program::outcome() {
  if (mute_ && stopped_ == Kind::timed_out) errors_.note("standard output closed without an answer");
  ProgramOutcome outcome{Kind::exited, -1, output_.take(), errors_.take()};
  if (status_known_ && WIFSIGNALED(wait_status_)) {
    outcome.kind = Kind::crashed;
    outcome.status = WTERMSIG(wait_status_);
  } else if (status_known_) {
    outcome.status = WEXITSTATUS(wait_status_);
    outcome.kind = outcome.status == 0 ? Kind::finished : Kind::exited;
  }
  outcome.kind = stopped_.value_or(outcome.kind);
  return outcome;
}

/// The outcome of a line that was sent, once there is one.
std::optional<ProgramOutcome> Program::answer() {
  if (!stopped_) {
    if (auto line = output_.take_line()) {
      drain(errors_pipe_, errors_);
      return ProgramOutcome{Kind::finished, 0, *std::move(line), errors_.take()};
    }
  }
  if (ended()) {
    ProgramOutcome failure = outcome();
    if (failure.kind == Kind::finished) failure.kind = Kind::exited;
    return failure;
  }
  // It will not answer any more; mostly, because it is about to end.
  if (!output_pipe_.is_open() && !stopped_ && !std::exchange(mute_, true)) {
    const auto patience = Clock::now() + mute_patience;
    deadline_ = deadline_ ? std::min(*deadline_, patience) : patience;
  }
  return std::nullopt;
}

/// Whether the next line can be sent: it lives, reads, and has not printed more than it was asked for.
bool Program::ready() {
  drain(errors_pipe_, errors_);
  errors_.take();
  return !ended() && !stopped_ && input_pipe_.is_open() && output_pipe_.is_open() && output_.empty() &&
         bytes_in(output_pipe_) == 0 && !exited();
}

// Many programs

using Programs = std::vector<Program*>;

int poll_timeout(const Programs& programs) {
  const auto now = Clock::now();
  auto next = now + longest_wait;
  for (const Program* program : programs) next = std::min(next, program->next_event(now));
  return std::max(0, static_cast<int>(std::chrono::ceil<milliseconds>(next - now).count()));
}

/// Waits, for 100 ms at most, until something happens to one of the programs, and deals with it.
void serve(const Programs& programs) {
  std::vector<pollfd> events;
  events.reserve(programs.size() * Program::watched);
  for (const Program* program : programs) program->watch(events);
  // After a signal no event has happened, but a deadline may have.
  if (poll(events.data(), events.size(), poll_timeout(programs)) < 0) {
    for (pollfd& event : events) event.revents = 0;
  }
  for (std::size_t i = 0; i < programs.size(); ++i) programs[i]->serve(&events[i * Program::watched]);
}

Programs still_running(const Programs& programs) {
  Programs running;
  std::copy_if(programs.begin(), programs.end(), std::back_inserter(running), [](Program* p) { return !p->ended(); });
  return running;
}

void cancel(const Programs& programs) {
  Programs running = still_running(programs);
  for (Program* program : running) program->stop(Kind::cancelled);
  while (!(running = still_running(running)).empty()) serve(running);
}

[[noreturn]] void throw_shortage(int error) {
  throw std::system_error(error, std::generic_category(), "no resources to run a program");
}

bool is_true(const Interrupted& interrupted) { return interrupted && interrupted(); }

std::size_t worker_count(const ProgramLimits& limits) { return static_cast<std::size_t>(std::max(1, limits.workers)); }

/// One call of ProgramPool::run.
class PoolRun {
 public:
  PoolRun(const ProgramLimits& limits, std::size_t jobs, const std::function<ProgramJob(std::size_t)>& job,
          const ProgramDone& done, const Interrupted& interrupted)
      : limits_(limits), jobs_(jobs), job_(job), done_(done), interrupted_(interrupted) {}

  void run() {
    while (next_ < jobs_ || !running_.empty()) {
      if (is_true(interrupted_)) return cancel_all();
      // Without a program there is nothing to wait for: the last ones could not be started.
      if (!start_programs()) continue;
      serve(programs());
      report_ended();
    }
  }

 private:
  struct Running {
    std::size_t index;
    std::unique_ptr<Program> program;
  };

  /// Returns false, to be asked again after a look at the interruption, if a program could not be started.
  bool start_programs() {
    while (next_ < jobs_ && running_.size() < worker_count(limits_)) {
      if (!waiting_) waiting_ = job_(next_);
      auto program = std::make_unique<Program>();
      auto [shortage, failure] = program->start(*waiting_);
      if (shortage != 0) {
        if (running_.empty()) throw_shortage(shortage);
        return true;  // tried again when something has happened to the others
      }
      ProgramJob job = *std::exchange(waiting_, std::nullopt);
      const std::size_t index = next_++;
      if (failure) {
        done_(index, *std::move(failure));
        return false;
      }
      program->limit_time(limits_.timeout_seconds);
      program->send(std::move(job.input), true);
      running_.push_back({index, std::move(program)});
    }
    return true;
  }

  [[nodiscard]] Programs programs() const {
    Programs all;
    for (const Running& running : running_) all.push_back(running.program.get());
    return all;
  }

  void report_ended() {
    const auto lives = [](const Running& running) { return !running.program->ended(); };
    const auto ended = std::stable_partition(running_.begin(), running_.end(), lives);
    const std::vector<Running> reported(std::make_move_iterator(ended), std::make_move_iterator(running_.end()));
    running_.erase(ended, running_.end());
    for (const Running& one : reported) done_(one.index, one.program->outcome());
  }

  void cancel_all() {
    cancel(programs());
    for (const Running& one : running_) {
      ProgramOutcome outcome = one.program->outcome();
      outcome.kind = Kind::cancelled;
      done_(one.index, std::move(outcome));
    }
    for (; next_ < jobs_; ++next_) done_(next_, ProgramOutcome{});
  }

  const ProgramLimits& limits_;
  std::size_t jobs_;
  const std::function<ProgramJob(std::size_t)>& job_;
  const ProgramDone& done_;
  const Interrupted& interrupted_;
  std::size_t next_ = 0;
  std::optional<ProgramJob> waiting_;  // of next_, if it could not be started yet
  std::vector<Running> running_;
};

}  // namespace

void ProgramPool::run(std::size_t jobs, const std::function<ProgramJob(std::size_t)>& job, const ProgramDone& done,
                      const Interrupted& interrupted) const {
  PoolRun(limits_, jobs, job, done, interrupted).run();
}

// Persistent programs

struct PersistentPrograms::Worker {
  std::unique_ptr<Program> program;
  std::optional<std::size_t> candidate;  // that it works on
  bool has_answered = false;             // since the program was started
};

/// One call of PersistentPrograms::run.
class PersistentPrograms::Run {
 public:
  Run(PersistentPrograms& owner, std::size_t jobs, const std::function<std::string(std::size_t)>& line,
      const ProgramDone& done, const Interrupted& interrupted)
      : owner_(owner), jobs_(jobs), line_(line), done_(done), interrupted_(interrupted) {}
  Run(const Run&) = delete;
  Run(Run&&) = delete;
  Run& operator=(const Run&) = delete;
  Run& operator=(Run&&) = delete;
  /// If a callback threw, programs still work on candidates that nobody waits for.
  ~Run() {
    for (Worker& worker : owner_.workers_) {
      if (worker.candidate) worker = {};
    }
  }

  void run() {
    while (jobs_left() || any_busy()) {
      if (is_true(interrupted_)) return cancel_all();
      if (!hand_out()) continue;
      serve(busy_programs());
      for (Worker& worker : owner_.workers_) {
        if (worker.candidate) take_answer(worker);
      }
    }
  }

 private:
  [[nodiscard]] bool jobs_left() const { return next_ < jobs_ || !again_.empty(); }

  [[nodiscard]] bool any_busy() const {
    const auto busy = [](const Worker& worker) { return worker.candidate.has_value(); };
    return std::any_of(owner_.workers_.begin(), owner_.workers_.end(), busy);
  }

  std::size_t take_job() {
    if (again_.empty()) return next_++;
    const std::size_t job = again_.back();
    again_.pop_back();
    return job;
  }

  /// Gives every idle worker a candidate; false if a program could not be started, as in PoolRun.
  bool hand_out() {
    for (Worker& worker : owner_.workers_) {
      if (!jobs_left()) return true;
      if (worker.candidate) continue;
      auto [shortage, failure] = make_ready(worker);
      if (shortage != 0) {
        if (no_programs()) throw_shortage(shortage);
        continue;  // the others share the work
      }
      if (failure) {
        done_(take_job(), *std::move(failure));
        return false;
      }
      give(worker, take_job());
    }
    return true;
  }

  void give(Worker& worker, std::size_t job) {
    std::string text = line_(job);
    if (text.empty() || text.back() != '\n') text += '\n';
    worker.candidate = job;
    worker.program->limit_time(owner_.limits_.timeout_seconds);
    worker.program->send(std::move(text), false);
  }

  /// Starts the worker's program if it does not run.
  StartResult make_ready(Worker& worker) {
    if (worker.program && worker.program->ready()) return {};
    worker = {};
    auto program = std::make_unique<Program>();
    StartResult result = program->start(owner_.program_);
    if (!program->ended()) worker.program = std::move(program);
    return result;
  }

  [[nodiscard]] bool no_programs() const {
    const auto none = [](const Worker& worker) { return !worker.program; };
    return std::all_of(owner_.workers_.begin(), owner_.workers_.end(), none);
  }

  [[nodiscard]] Programs busy_programs() const {
    Programs programs;
    for (const Worker& worker : owner_.workers_) {
      if (worker.candidate) programs.push_back(worker.program.get());
    }
    return programs;
  }

  void take_answer(Worker& worker) {
    auto outcome = worker.program->answer();
    if (!outcome) return;
    const std::size_t job = *std::exchange(worker.candidate, std::nullopt);
    // It ended of its own accord after the answer before, while this line was on its way.
    const bool missed = outcome->kind != Kind::finished && outcome->kind != Kind::timed_out &&
                        worker.program->ignored_input() && worker.has_answered;
    worker.has_answered = true;
    if (worker.program->ended()) {
      worker = {};
    } else {
      worker.program->limit_time(std::nullopt);
    }
    if (missed) {
      again_.push_back(job);
    } else {
      done_(job, *std::move(outcome));
    }
  }

  void cancel_all() {
    Programs programs;
    for (const Worker& worker : owner_.workers_) {
      if (worker.program) programs.push_back(worker.program.get());
    }
    cancel(programs);
    for (Worker& worker : owner_.workers_) {
      const Worker ended = std::exchange(worker, {});
      if (!ended.candidate) continue;
      ProgramOutcome outcome = ended.program->outcome();
      outcome.kind = Kind::cancelled;
      done_(*ended.candidate, std::move(outcome));
    }
    while (jobs_left()) done_(take_job(), ProgramOutcome{});
  }

  PersistentPrograms& owner_;
  std::size_t jobs_;
  const std::function<std::string(std::size_t)>& line_;
  const ProgramDone& done_;
  const Interrupted& interrupted_;
  std::size_t next_ = 0;
  std::vector<std::size_t> again_;  // candidates that their program has not seen
};

PersistentPrograms::PersistentPrograms(std::vector<std::string> arguments, const ProgramLimits& limits,
                                       std::filesystem::path directory)
    : program_{std::move(arguments), "", std::move(directory)}, limits_(limits), workers_(worker_count(limits)) {}

PersistentPrograms::~PersistentPrograms() {
  Programs programs;
  for (const Worker& worker : workers_) {
    if (!worker.program) continue;
    worker.program->close_input();
    programs.push_back(worker.program.get());
  }
  const auto patience = Clock::now() + exit_patience;
  while (!(programs = still_running(programs)).empty() && Clock::now() < patience) serve(programs);
}

void PersistentPrograms::run(std::size_t jobs, const std::function<std::string(std::size_t)>& line,
                             const ProgramDone& done, const Interrupted& interrupted) {
  Run(*this, jobs, line, done, interrupted).run();
}

}  // namespace surefoot
