#include "evaluators/program_pool.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "evaluators/program.hpp"
#include "evaluators/programs.hpp"

namespace surefoot {
namespace {

/// One call of ProgramPool::run.
class PoolRun {
 public:
  PoolRun(const ProgramLimits& limits, std::size_t jobs, const std::function<ProgramJob(std::size_t)>& job,
          const ProgramDone& done, const Interrupted& interrupted)
      : limits_(limits), jobs_(jobs), job_(job), done_(done), interrupted_(interrupted) {}

  void run() {
    while (next_ < jobs_ || !running_.empty()) {
      if (is_true(interrupted_)) return cancel_all();
      // There is nothing to wait for if a program could not be started.
      if (!start_programs()) continue;
      await_programs(programs());
      report_ended();
    }
  }

 private:
  struct Running {
    std::size_t index;
    std::unique_ptr<Program> program;
  };

  /// Returns false if a program could not be started. The caller looks at the interruption and asks again.
  bool start_programs() {
    while (next_ < jobs_ && running_.size() < worker_count(limits_)) {
      if (!waiting_) waiting_ = job_(next_);
      auto program = std::make_unique<Program>();
      auto [shortage, failure] = program->start(*waiting_);
      if (shortage != 0) {
        if (running_.empty()) throw_shortage(shortage);
        return true;  // Tried again when something has happened to the others.
      }
      ProgramJob job = *std::exchange(waiting_, std::nullopt);
      const std::size_t index = next_++;
      if (failure) {
        done_(index, *std::move(failure));
        return false;
      }
      program->limit_time(limits_.timeout_seconds);
      program->send(std::move(job.input));
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
      outcome.kind = Program::Kind::cancelled;
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
  std::optional<ProgramJob> waiting_;  // The job of next_, if it could not be started yet.
  std::vector<Running> running_;
};

}  // namespace

void ProgramPool::run(std::size_t jobs, const std::function<ProgramJob(std::size_t)>& job, const ProgramDone& done,
                      const Interrupted& interrupted) const {
  PoolRun(limits_, jobs, job, done, interrupted).run();
}

}  // namespace surefoot
