#include "evaluators/program_evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "evaluators/programs.hpp"

namespace surefoot {
namespace {

/// With the last lines that the program wrote to standard error. Several begin a line of their own, so that the first
/// line of a reason is ours.
std::string with_errors(std::string reason, const ProgramOutcome& outcome) {
  const std::string_view errors = trimmed(outcome.errors);
  const bool is_line = errors.find('\n') == std::string_view::npos;
  if (!errors.empty()) reason.append(is_line ? ": " : ":\n").append(errors);
  return reason;
}

ProgramAnswer failed(FailureKind kind, const std::string& reason, const ProgramOutcome& outcome) {
  return {{}, kind, with_errors(reason, outcome)};
}

/// The values in the last line of the output.
ProgramAnswer read_last_line(const std::string& output, std::size_t count) {
  std::vector<double> values = last_numbers(output);
  if (values.size() == count) return {std::move(values), {}, {}};
  const std::string line = excerpt(last_line(output));
  const std::string wanted = count == 1 ? "not a number" : "not " + text(count) + " numbers";
  return {{}, FailureKind::unparsable, line.empty() ? "it printed nothing" : "'" + line + "' is " + wanted};
}

/// The same for residuals, however many there are.
ProgramAnswer read_residuals(const std::string& output) {
  std::vector<double> values = last_numbers(output, " \t,");
  if (!values.empty()) return {std::move(values), {}, {}};
  const std::string line = excerpt(last_line(output));
  return {{}, FailureKind::unparsable, line.empty() ? "it printed nothing" : "'" + line + "' has no numbers"};
}

/// Why residuals cannot be used; empty if they can.
std::string defect_of_residuals(const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return "residual " + text(i + 1) + " is " + text(values[i]);
  }
  return {};
}

}  // namespace

std::vector<std::string> split_command(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      in_word = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) reject("command", "'" + text + "'", std::string("it has an open ") + quote);
  if (in_word) words.push_back(word);
  return words;
}

ProgramEvaluator::ProgramEvaluator(ProgramObjective objective)
    : objective_(std::move(objective)),
      placeholders_(objective_.space),
      folders_(objective_.folders, objective_.keep, objective_.rules, objective_.owner) {
  if (objective_.command.empty()) reject("command", "''", "it must name a program");
  for (const std::string& argument : objective_.arguments) placeholders_.check("args", argument);
  for (const std::string& word : objective_.command) placeholders_.check_command(word);
  if (const int most = most_programs(objective_.persistent); objective_.workers > most) {
    reject("workers", objective_.workers,
           "the limit of open files lets " + text(most) + (most == 1 ? " program" : " programs") +
               " run at a time; 'ulimit -n' shows the limit and raises it");
  }
  if (objective_.persistent) {
    const auto has_placeholder = [&](const std::string& word) { return !placeholders_.names_in(word).empty(); };
    if (!objective_.arguments.empty()) {
      throw std::invalid_argument("args: not together with persistent, which starts the program once");
    }
    if (std::any_of(objective_.command.begin(), objective_.command.end(), has_placeholder)) {
      throw std::invalid_argument("command: placeholders are not allowed with persistent, which starts it once");
    }
    persistent_ =
        std::make_unique<PersistentPrograms>(objective_.command, ProgramLimits{objective_.workers, objective_.timeout});
  }
}

ProgramEvaluator::~ProgramEvaluator() = default;

/// The open candidates of a generation while programs evaluate them.
class ProgramEvaluator::Round {
  /// The numbers of workers that have nothing to do; the lowest works first.
  class FreeWorkers {
   public:
    explicit FreeWorkers(int workers) {
      for (int worker = 0; worker < workers; ++worker) free_.insert(worker);
    }
    int take() {
      if (free_.empty()) return -1;  // not known
      const int worker = *free_.begin();
      free_.erase(free_.begin());
      return worker;
    }
    void give_back(int worker) {
      if (worker >= 0) free_.insert(worker);
    }

   private:
    std::set<int> free_;
  };

 public:
  Round(ProgramEvaluator& owner, Generation& generation)
      : owner_(owner),
        generation_(generation),
        open_(generation.open_candidates()),
        running_(open_.size()),
        free_(owner.objective_.workers) {}

  [[nodiscard]] std::size_t size() const { return open_.size(); }

  ProgramJob job(std::size_t k) {
    const Index i = open_[k];
    const std::string id = owner_.id_of(generation_, i);
    start(k);
    ProgramJob& job = running_[k]->job;
    try {
      job = owner_.job({generation_.population().col(i), id, [this, id] { return owner_.folders_.open(id); }});
    } catch (const std::runtime_error& error) {  // no folder or file can be made: another one may find room
      job.arguments = owner_.objective_.command;
      job.defect = error.what();
    }
    return job;
  }

  std::string line(std::size_t k) {
    start(k);
    running_[k]->job.arguments = owner_.objective_.command;
    running_[k]->job.input = owner_.input(generation_.population().col(open_[k]));
    return running_[k]->job.input;
  }

  void done(std::size_t k, ProgramOutcome outcome) {
    ProgramAccount account{owner_.id_of(generation_, open_[k]), {}, std::move(outcome), {}};
    if (running_[k]) {
      account.seconds = running_[k]->watch.seconds();
      account.job = std::move(running_[k]->job);
      generation_.took(open_[k], account.seconds, running_[k]->worker);
      free_.give_back(running_[k]->worker);
      running_[k].reset();
    }
    owner_.take(generation_, open_[k], std::move(account));
  }

 private:
  struct Running {
    explicit Running(int by) : worker(by) {}
    Stopwatch watch = {};
    ProgramJob job = {};
    int worker;
  };

  /// A persistent program that missed its line is asked again: its worker was not given back.
  void start(std::size_t k) {
    const int worker = running_[k] ? running_[k]->worker : free_.take();
    running_[k].emplace(worker);
  }

  ProgramEvaluator& owner_;
  Generation& generation_;
  std::vector<Index> open_;
  std::vector<std::optional<Running>> running_;  // those that were started and have not ended
  FreeWorkers free_;
};

void ProgramEvaluator::evaluate(Generation& generation) {
  evaluated_ = number_ ? number_() : evaluated_ + 1;
  Round round(*this, generation);
  const auto done = [&](std::size_t k, ProgramOutcome outcome) { round.done(k, std::move(outcome)); };
  const auto cancelled = [&] { return generation.cancelled(); };
  if (persistent_) {
    persistent_->run(
        round.size(), [&](std::size_t k) { return round.line(k); }, done, cancelled,
        [&](const ProgramOutcome& outcome) { return !answer({}, outcome).failure; });
  } else {
    ProgramPool({objective_.workers, objective_.timeout})
        .run(
            round.size(), [&](std::size_t k) { return round.job(k); }, done, cancelled);
  }
}

std::string ProgramEvaluator::surplus() const { return persistent_ ? excerpt(last_line(persistent_->surplus())) : ""; }

bool ProgramEvaluator::ends_after_answers() const { return persistent_ && persistent_->ends_after_answers(); }

void ProgramEvaluator::number_next(std::int64_t evaluation, Index first_candidate) {
  evaluated_ = evaluation - 1;
  first_ = first_candidate;
}

/// Where evaluations are counted, that of a retry has a number of its own.
std::string ProgramEvaluator::id_of(const Generation& generation, Index candidate) const {
  const std::string id = text(evaluated_) + "-" + text(first_ + candidate);
  const int attempts = generation.outcome(candidate).attempts;
  return number_ && attempts > 0 ? id + "-" + text(attempts + 1) : id;
}

std::string ProgramEvaluator::input(const Vector& x) const {
  return objective_.simulation ? objective_.simulation->input(x) : input_line(objective_.space, x);
}

ProgramJob ProgramEvaluator::job(const ProgramCandidate& candidate) {
  ProgramJob job;
  for (const auto* words : {&objective_.command, &objective_.arguments}) {
    for (const std::string& word : *words) job.arguments.push_back(placeholders_.filled(word, candidate));
  }
  job.input = input(candidate.x) + "\n";
  if (objective_.simulation) {
    if (objective_.simulation->needs_folder()) job.directory = candidate.folder();
    objective_.simulation->prepare(candidate, job);
  }
  return job;
}

ProgramAnswer ProgramEvaluator::answer(const ProgramJob& job, const ProgramOutcome& outcome) const {
  using Kind = ProgramOutcome::Kind;
  switch (outcome.kind) {
    case Kind::cancelled: return {};
    case Kind::not_started: return failed(FailureKind::start, "the program cannot be started", outcome);
    case Kind::crashed: return failed(FailureKind::crash, "signal " + text(outcome.status), outcome);
    case Kind::exited: return failed(FailureKind::exit, "exit status " + text(outcome.status), outcome);
    case Kind::timed_out: return failed(FailureKind::timeout, "it took too long", outcome);
    case Kind::unasked:
      return failed(FailureKind::unparsable,
                    "it printed '" + excerpt(last_line(outcome.output)) + "' before it had read its line to the end",
                    outcome);
    case Kind::finished: break;
  }
  const std::size_t count = 1 + static_cast<std::size_t>(objective_.rules.size());
  ProgramAnswer answer = objective_.simulation        ? objective_.simulation->read(outcome.output, job.directory)
                         : objective_.gives_residuals ? read_residuals(outcome.output)
                                                      : read_last_line(outcome.output, count);
  if (!answer.failure && !objective_.gives_residuals && answer.values.size() != count) {
    answer = {{}, FailureKind::unparsable, text(answer.values.size()) + " values, not " + text(count)};
  }
  if (answer.failure) answer.reason = with_errors(answer.reason, outcome);
  return answer;
}

/// What no other candidate would do better is a mistake of the user, not a failed evaluation.
void ProgramEvaluator::refuse_mistake(const ProgramAccount& account, bool is_start) const {
  using Kind = ProgramOutcome::Kind;
  const Kind kind = account.outcome.kind;
  if (has_started_) return;
  if (!account.job.defect.empty()) throw std::invalid_argument(account.job.defect);
  if (kind == Kind::not_started) reject("command", "'" + objective_.command.front() + "'", account.outcome.errors);
  if (kind == Kind::unasked) {
    throw std::invalid_argument(
        "persistent: " + account.answer.reason +
        "; a program that is kept alive waits for a line, reads it to its end and prints one line");
  }
  if (kind == Kind::finished && is_start && objective_.is_new && account.answer.failure) {
    throw std::invalid_argument("the program ended well at the start point, but " + account.answer.reason +
                                "; --check shows the whole evaluation");
  }
}

void ProgramEvaluator::take(Generation& generation, Index candidate, ProgramAccount account) {
  account.answer = answer(account.job, account.outcome);
  busy_ += account.seconds;
  if (objective_.observer) objective_.observer(account);
  folders_.close(account);
  refuse_mistake(account, evaluated_ == 1 && first_ + candidate == 0);
  if (account.outcome.kind == ProgramOutcome::Kind::cancelled) return;  // The candidate stays open.
  has_started_ = true;
  const ProgramAnswer& answer = account.answer;
  if (answer.failure) return generation.fail(candidate, *answer.failure, answer.reason);
  const std::string defect = objective_.gives_residuals ? defect_of_residuals(answer.values)
                                                        : defect_of(answer.values, objective_.rules.all_names());
  if (!defect.empty()) return generation.fail(candidate, FailureKind::nan, defect);
  generation.set(candidate, answer.values);
}

}  // namespace surefoot
