#include "evaluators/program.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "evaluators/child.hpp"
#include "evaluators/group_guard.hpp"

namespace surefoot {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds wait_unnotified{10};  // where the kernel cannot tell us that a program has ended
constexpr milliseconds wait_unread{1};       // where it cannot tell us that a pipe has been read
constexpr milliseconds term_grace{200};      // between SIGTERM and SIGKILL
constexpr milliseconds kill_patience{2000};  // SIGKILL has no effect on what hangs in the kernel or belongs to root
constexpr milliseconds mute_patience{1000};  // for the end of a persistent program that has closed its output

}  // namespace

StartResult Program::start(ProgramJob& job) {
  if (!job.defect.empty()) return {0, ProgramOutcome{Kind::not_started, EIO, "", job.defect}};
  if (job.arguments.empty()) return {0, ProgramOutcome{Kind::not_started, EINVAL, "", "no program given"}};
  std::vector<std::string> paths = search_paths(job.arguments.front());
  const std::vector<char*> path_list = c_list(paths);
  const std::vector<char*> arguments = c_list(job.arguments);
  const std::vector<char*> environment = environment_with(job.environment);

  std::array<Pipe, 4> pipes;
  for (Pipe& pipe : pipes) {
    pipe = open_pipe();
    if (!pipe.is_open()) return {errno, {}};
  }
  auto& [input, output, errors, report] = pipes;
  for (const Descriptor* ours : {&input.write, &output.read, &errors.read}) make_nonblocking(*ours);
  const pid_t child = fork_child({path_list.data(),
                                  arguments.data(),
                                  environment.data(),
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
  GroupGuard::instance().add(pid_);
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

void Program::send(std::string text) {
  input_ = std::move(text);
  sent_ = 0;
  write_input();
}

/// The last character stays back with the end of the line: some programs take an object of JSON for whole without it.
void Program::ask(std::string line) {
  if (close_afterwards_) tells_of_reader_ = hold_one_page(input_pipe_);
  close_afterwards_ = false;
  input_ = std::move(line);
  sent_ = 0;
  held_back_ = input_.size() > 2 ? 2 : input_.size() - 1;
  write_input();
}

void Program::write_input() {
  const std::size_t end = input_.size() - held_back_;
  if (sent_ < end) {
    const Written written = write_quietly(input_pipe_.number(), std::string_view(input_).substr(sent_, end - sent_));
    sent_ += written.bytes;
    if (written.error != 0 && written.error != EAGAIN && written.error != EINTR) return hang_up();
  }
  if (sent_ == input_.size() && close_afterwards_) input_pipe_.close();
}

/// Sends the end of the line once the program has read the rest, unless it has printed something before. What it prints
/// before it reads is in our pipe by then, so that this order is certain.
void Program::write_rest() {
  if (bytes_in(input_pipe_) > 0) {
    tells_of_reader_ = false;
    return;
  }
  drain(output_pipe_, output_);
  if (!output_.empty()) return;
  held_back_ = 0;
  write_input();
}

/// Closes the input of a program that reads no more. What is left in the pipe shows whether it has read anything of its
/// last input.
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

void Program::watch(Events& events) const {
  const bool waits = sent_ < input_.size() && (tells_of_reader_ || !awaits_reader());
  const short writable = waits ? POLLOUT : 0;
  for (const auto& [descriptor, event] : {std::pair(&process_, short{POLLIN}),
                                          {&input_pipe_, writable},
                                          {&output_pipe_, POLLIN},
                                          {&errors_pipe_, POLLIN}}) {
    if (descriptor->is_open()) events.push_back({descriptor->number(), event, 0});
  }
}

void Program::handle(Events::iterator& next) {
  const auto happened = [&](const Descriptor& descriptor) -> int {
    return descriptor.is_open() ? (next++)->revents : 0;
  };
  // All are asked before anything is closed, in the order of watch().
  const bool process = happened(process_) != 0;
  const int input = happened(input_pipe_);
  const bool output = happened(output_pipe_) != 0;
  const bool errors = happened(errors_pipe_) != 0;
  if (input != 0 && (input & POLLERR) != 0) hang_up();
  if (input_pipe_.is_open() && awaits_reader()) {
    if (input != 0 || !tells_of_reader_) write_rest();
  } else if (input != 0 && input_pipe_.is_open()) {
    write_input();
  }
  if (output && output_pipe_.is_open()) read_some(output_pipe_, output_, output_limit);
  if (errors) read_some(errors_pipe_, errors_, output_limit);
  if (process_.is_open() ? process : exited()) {
    collect();
  } else if (!has_answer()) {  // An answer may have waited longer than the limit, if the host was busy.
    enforce_time(Clock::now());
  }
}

Program::Clock::time_point Program::next_event(Clock::time_point now) const {
  const bool looks = awaits_reader() && !tells_of_reader_;
  const auto latest = now + (looks ? wait_unread : process_.is_open() ? longest_wait : wait_unnotified);
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

/// Signals the program's group, and the program itself if it has left the group.
void Program::signal_group(int signal) const {
  const pid_t group = getpgid(pid_);
  if (group > 0 && group != pid_) kill(pid_, signal);
  kill(-pid_, signal);
}

/// Whether the process has ended. It is not reaped: its number, which is also its group's, must not be given to others
/// yet.
bool Program::exited() const {
  siginfo_t info{};
  const int options = WEXITED | WNOHANG | WNOWAIT;
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, options) != 0) return errno == ECHILD;
  return info.si_pid == pid_;
}

/// Takes what an ended program left in the pipes and kills what it left running.
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
  GroupGuard::instance().remove(pid_);
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
  if (!stopped_ && !ended() && held_back_ > 0 && !output_.empty()) {
    drain(errors_pipe_, errors_);
    return ProgramOutcome{Kind::unasked, 0, output_.take(), errors_.take()};
  }
  if (!stopped_ && held_back_ == 0) {
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
  // A program that has closed its output will not answer any more; mostly it is about to end.
  if (!output_pipe_.is_open() && !stopped_ && !std::exchange(mute_, true)) {
    const auto patience = Clock::now() + mute_patience;
    deadline_ = deadline_ ? std::min(*deadline_, patience) : patience;
  }
  return std::nullopt;
}

std::string Program::surplus() {
  drain(output_pipe_, output_);
  return output_.take();
}

/// Whether the next line can be sent: the program lives, reads, and has not printed more than it was asked for.
bool Program::ready() {
  drain(errors_pipe_, errors_);
  errors_.take();
  return !ended() && !stopped_ && input_pipe_.is_open() && output_pipe_.is_open() && !has_surplus() && !exited();
}

}  // namespace surefoot
