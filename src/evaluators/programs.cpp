#include "evaluators/programs.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>

namespace surefoot {
namespace {

int poll_timeout(const Programs& programs) {
  const auto now = Program::Clock::now();
  auto next = now + longest_wait;
  for (const Program* program : programs) next = std::min(next, program->next_event(now));
  return std::max(0, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(next - now).count()));
}

}  // namespace

void await_programs(const Programs& programs) {
  std::vector<pollfd> events;
  for (const Program* program : programs) program->watch(events);
  if (poll(events.data(), events.size(), poll_timeout(programs)) < 0) {
    if (errno != EINTR) throw_shortage(errno);
    // After a signal no event has happened, but a deadline may have passed.
    for (pollfd& event : events) event.revents = 0;
  }
  auto next = events.begin();
  for (Program* program : programs) program->handle(next);
}

Programs still_running(const Programs& programs) {
  Programs running;
  std::copy_if(programs.begin(), programs.end(), std::back_inserter(running), [](Program* p) { return !p->ended(); });
  return running;
}

void cancel(const Programs& programs) {
  Programs running = still_running(programs);
  for (Program* program : running) program->stop(Program::Kind::cancelled);
  while (!(running = still_running(running)).empty()) await_programs(running);
}

void throw_shortage(int error) {
  throw std::system_error(error, std::generic_category(),
                          "a program cannot be started; is a limit too low (ulimit -n, ulimit -u)?");
}

int most_programs(bool persistent) {
  constexpr rlim_t others = 40;                   // files of the host, and the pipes of a program that is being started
  const rlim_t each = persistent ? 4 : 3;         // process, output and errors; also input where it stays open
  constexpr rlim_t countless = rlim_t{1} << 24U;  // more than a system has processes
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return static_cast<int>(countless);
  return static_cast<int>((std::clamp(limit.rlim_cur, others + each, countless) - others) / each);
}

bool is_true(const Interrupted& interrupted) { return interrupted && interrupted(); }

std::size_t worker_count(const ProgramLimits& limits) { return static_cast<std::size_t>(std::max(1, limits.workers)); }

}  // namespace surefoot
