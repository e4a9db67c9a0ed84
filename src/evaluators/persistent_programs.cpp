#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "evaluators/program.hpp"
#include "evaluators/program_pool.hpp"
#include "evaluators/programs.hpp"

namespace surefoot {
namespace {

constexpr std::chrono::milliseconds exit_patience{1000};  // for the end of a program after the last candidate

}  // namespace

struct PersistentPrograms::Worker {
  std::unique_ptr<Program> program;
  std::optional<std::size_t> candidate;  // that it works on
  bool has_answered = false;             // since the program was started
};

/// One call of PersistentPrograms::run.
class PersistentPrograms::Run {
 public:
  Run(PersistentPrograms& owner, std::size_t jobs, const std::function<std::string(std::size_t)>& line,
      const ProgramDone& done, const Interrupted& interrupted, const IsAnswer& is_answer)
      : owner_(owner), jobs_(jobs), line_(line), done_(done), interrupted_(interrupted), is_answer_(is_answer) {}
  Run(const Run&) = delete;
  Run(Run&&) = delete;
  Run& operator=(const Run&) = delete;
  Run& operator=(Run&&) = delete;
  /// Ends programs that still work on candidates nobody waits for, because a callback threw.
  ~Run() {
    for (Worker& worker : owner_.workers_) {
      if (worker.candidate) worker = {};
    }
  }

  void run() {
    while (jobs_left() || any_busy()) {
      if (is_true(interrupted_)) return cancel_all();
      if (!hand_out()) continue;
      await_programs(busy_programs());
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

  /// Gives every idle worker a candidate. Returns false if a program could not be started, as in PoolRun.
  bool hand_out() {
    for (Worker& worker : owner_.workers_) {
      if (!jobs_left()) return true;
      if (worker.candidate) continue;
      auto [shortage, failure] = make_ready(worker);
      if (shortage != 0) {
        if (no_programs()) throw_shortage(shortage);
        continue;  // The others share the work.
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
    worker.program->ask(std::move(text));
  }

  /// Starts the worker's program if it does not run.
  StartResult make_ready(Worker& worker) {
    if (worker.program && worker.program->ready()) return {};
    if (worker.program) {
      const std::string surplus = worker.program->surplus();
      note_surplus(surplus);
      if (surplus.empty() && worker.has_answered) ++owner_.ends_;
    }
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

  /// Whether a program that has answered before may not have answered this line. It ended of its own accord while the
  /// line was on its way, or it printed more than its answers: then nobody knows which of its lines are the answers.
  static bool has_missed(const Program& program, Program::Kind kind) {
    if (kind == Program::Kind::timed_out) return false;
    return kind == Program::Kind::finished ? program.has_surplus() : program.missed_line();
  }

  void note_surplus(const std::string& text) {
    if (!text.empty() && owner_.surplus_.empty()) owner_.surplus_ = text;
  }

  /// What cannot be understood may belong to another line.
  [[nodiscard]] bool is_answer(const ProgramOutcome& outcome) const {
    return outcome.kind != Program::Kind::finished || !is_answer_ || is_answer_(outcome);
  }

  void take_answer(Worker& worker) {
    auto outcome = worker.program->answer();
    if (!outcome) return;
    const std::size_t job = *std::exchange(worker.candidate, std::nullopt);
    const bool missed = worker.has_answered && has_missed(*worker.program, outcome->kind);
    if (missed && !worker.program->ended()) note_surplus(outcome->output);
    worker.has_answered = true;
    if (!missed && outcome->kind == Program::Kind::finished) ++owner_.answers_;
    if (worker.program->ended() && (missed || outcome->kind == Program::Kind::finished)) ++owner_.ends_;
    if (worker.program->ended() || missed || outcome->kind == Program::Kind::unasked || !is_answer(*outcome)) {
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
      outcome.kind = Program::Kind::cancelled;
      done_(*ended.candidate, std::move(outcome));
    }
    while (jobs_left()) done_(take_job(), ProgramOutcome{});
  }

  PersistentPrograms& owner_;
  std::size_t jobs_;
  const std::function<std::string(std::size_t)>& line_;
  const ProgramDone& done_;
  const Interrupted& interrupted_;
  const IsAnswer& is_answer_;
  std::size_t next_ = 0;
  std::vector<std::size_t> again_;  // candidates that their program has not seen, or not surely answered
};

PersistentPrograms::PersistentPrograms(std::vector<std::string> arguments, const ProgramLimits& limits,
                                       std::filesystem::path directory)
    : program_{std::move(arguments), "", std::move(directory)}, limits_(limits), workers_(worker_count(limits)) {}

PersistentPrograms::~PersistentPrograms() {
  try {
    end();
  } catch (...) {  // Whatever still runs is killed by its destructor.
  }
}

void PersistentPrograms::end() {
  Programs programs;
  for (const Worker& worker : workers_) {
    if (!worker.program) continue;
    worker.program->close_input();
    programs.push_back(worker.program.get());
  }
  const auto patience = Program::Clock::now() + exit_patience;
  while (!(programs = still_running(programs)).empty() && Program::Clock::now() < patience) await_programs(programs);
}

void PersistentPrograms::run(std::size_t jobs, const std::function<std::string(std::size_t)>& line,
                             const ProgramDone& done, const Interrupted& interrupted, const IsAnswer& is_answer) {
  Run(*this, jobs, line, done, interrupted, is_answer).run();
}

}  // namespace surefoot
