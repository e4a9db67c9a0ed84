#include "evaluators/programs.hpp"

#include <algorithm>
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
  for (Program* program : running) program->stop(Program::Kind::cancelled);
  while (!(running = still_running(running)).empty()) serve(running);
}

void throw_shortage(int error) {
  throw std::system_error(error, std::generic_category(), "no resources to run a program");
}

bool is_true(const Interrupted& interrupted) { return interrupted && interrupted(); }

std::size_t worker_count(const ProgramLimits& limits) { return static_cast<std::size_t>(std::max(1, limits.workers)); }

}  // namespace surefoot
