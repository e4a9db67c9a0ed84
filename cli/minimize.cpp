#include "surefoot/minimize.hpp"

#include <fmt/core.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/run_view.hpp"
#include "cli/signals.hpp"
#include "cli/summary.hpp"
#include "cli/trace_writer.hpp"
#include "core/invalid_option.hpp"
#include "driver/checkpointer.hpp"
#include "evaluators/program_evaluator.hpp"
#include "surefoot/problems.hpp"

namespace surefoot::cli {
namespace {

/// The command line as it was typed; the library decides what is allowed.
struct MinimizeRequest {
  std::string problem;
  std::optional<int> instance;
  std::string command;
  std::string args;
  bool persistent = false;
  std::optional<double> eval_timeout;
  std::optional<std::int64_t> dim;
  std::string x0;
  std::string sigma0;
  std::string lower;
  std::string upper;
  std::string learning_rate = "auto";
  std::string restarts = "none";
  Options options;
  std::string trace;
  std::string checkpoint;
  std::string checkpoint_every = "1s";
  std::string resume_from;
  std::string warm_start;
  bool json = false;
  bool quiet = false;
  bool print_config = false;
  std::vector<std::string> words;  // what a checkpoint needs to set the search up again
};

/// "1,2,3" as numbers; inf and -inf are numbers too.
std::vector<double> numbers_of(const std::string& option, const std::string& list) {
  std::vector<double> numbers;
  std::size_t at = 0;
  while (at <= list.size() && !list.empty()) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string item = list.substr(at, end - at);
    item.erase(0, item.find_first_not_of(" +"));
    item.erase(item.find_last_not_of(' ') + 1);
    double number = 0;
    const auto [stop, error] = std::from_chars(item.data(), item.data() + item.size(), number);
    if (error != std::errc() || stop != item.data() + item.size() || item.empty()) {
      reject(option, "'" + list + "'", fmt::format("'{}' is no number; write numbers separated by commas", item));
    }
    numbers.push_back(number);
    at = end + 1;
  }
  return numbers;
}

Vector vector_of(const std::string& option, const std::string& list) {
  return Point(numbers_of(option, list)).vector();
}

SearchDistribution warm_start_of(const MinimizeRequest& request) {
  if (!request.x0.empty() || !request.sigma0.empty() || request.dim) {
    throw std::invalid_argument("warm-start: not together with x0, sigma0 or dim, which it gives");
  }
  return distribution_of_state(read_checkpoint(request.warm_start).state);
}

/// The benchmark problem that is asked for; none for a program.
std::optional<ProblemInstance> problem_of(const MinimizeRequest& request) {
  if (request.problem.empty() == request.command.empty()) {
    throw std::invalid_argument("what to minimise: give either --problem NAME or --command 'PROGRAM ...'");
  }
  if (request.problem.empty()) {
    if (request.instance) reject("instance", *request.instance, "only a --problem has instances");
    return {};
  }
  const Index given =
      request.warm_start.empty() ? vector_of("x0", request.x0).size() : warm_start_of(request).dimension();
  if (given == 0 && !request.dim) throw std::invalid_argument("dim is missing: give --dim N or --x0 X1,X2,...");
  return make_problem(request.problem, given > 0 ? given : *request.dim, request.instance);
}

Vector start_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem) {
  const Vector given = vector_of("x0", request.x0);
  if (request.dim && *request.dim < 1) reject("dim", *request.dim, "it must be at least 1");
  if (request.dim && given.size() > 0 && *request.dim != given.size()) {
    reject("dim", *request.dim,
           fmt::format("x0 has {} coordinates; leave one of them out or make them agree", given.size()));
  }
  if (given.size() > 0) return given;
  if (!problem) throw std::invalid_argument("x0 is missing: give --x0 X1,X2,...");
  return problem->start;
}

Sigma0 sigma_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem) {
  const std::vector<double> given = numbers_of("sigma0", request.sigma0);
  if (given.size() == 1) return given.front();
  if (!given.empty()) return given;
  const bool has_box = !request.lower.empty() && !request.upper.empty();
  if (has_box || !problem) return {};
  return problem->sigma0;
}

std::unique_ptr<Evaluator> evaluator_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem) {
  const int workers = request.options.workers;
  if (!problem) {
    return std::make_unique<ProgramEvaluator>(ProgramObjective{.command = split_command(request.command),
                                                               .arguments = split_command(request.args),
                                                               .persistent = request.persistent,
                                                               .workers = workers,
                                                               .timeout = request.eval_timeout});
  }
  if (workers > 1) {
    return std::make_unique<ThreadEvaluator>(
        [&problem](Generation& g, Index i) {
          const auto x = g.population().col(i);
          g.set(i, (*problem)(std::span(x.data(), static_cast<std::size_t>(x.size()))));
        },
        workers);
  }
  return std::make_unique<SerialEvaluator<const ProblemInstance>>(*problem);
}

void complete_options(MinimizeRequest& request) {
  Options& options = request.options;
  options.learning_rate = request.learning_rate;
  options.restarts = request.restarts;
  options.bounds = {vector_of("lower", request.lower), vector_of("upper", request.upper)};
  if (request.eval_timeout) require_positive("eval-timeout", *request.eval_timeout);
}

/// Parents of output files must exist before hours of search, not after.
void require_folder(const char* option, const std::string& file) {
  const std::filesystem::path parent = std::filesystem::path(file).parent_path();
  if (!parent.empty() && !std::filesystem::is_directory(parent)) reject(option, file, "there is no such folder");
}

/// A file that exists and is no checkpoint is somebody's work.
void require_no_foreign_file(const std::string& file) {
  if (!std::filesystem::exists(file)) return;
  try {
    read_checkpoint(file);
  } catch (const std::invalid_argument& error) {
    reject("checkpoint", file, fmt::format("it exists and would be overwritten ({})", error.what()));
  }
}

Exit exit_of(const Result& result) {
  if (result.success) return Exit::success;
  if (result.stop == StopReason::failing) return Exit::failing;
  if (result.stop == StopReason::interrupted) return Exit::interrupted;
  return Exit::stopped;
}

/// A search as the command line runs it: with trace, checkpoints and a line about its progress.
class Session {
 public:
  explicit Session(MinimizeRequest& request)
      : request_(request),
        problem_(problem_of(request)),
        evaluator_(evaluator_of(request, problem_)),
        view_(request.options, request.quiet) {
    Options options = request.options;
    // Observers cost: the condition and a path that `fixed` would not need.
    if (!request.trace.empty()) options.observer = [this](const Record& record) { (*trace_)(record); };
    options.callback = [this](const Record& record) {
      view_.show(record);
      return false;
    };
    options.interrupt = [this] {
      view_.answer_requests();
      return interruption().load();
    };
    if (request.warm_start.empty()) {
      search_.emplace(start_of(request, problem_), sigma_of(request, problem_), options);
    } else {
      search_.emplace(warm_start_of(request), options);
    }
    if (!request.resume_from.empty()) search_->set_state(read_checkpoint(request.resume_from).state);
  }

  Result run() {
    watch_signals();
    if (!request_.trace.empty()) open_trace();
    if (!request_.resume_from.empty()) replay_journal(request_.resume_from, *search_);
    if (!request_.checkpoint.empty()) {
      const auto interval = parse_interval(request_.checkpoint_every);
      checkpointer_.emplace(request_.checkpoint, interval, nlohmann::ordered_json(request_.words).dump());
      checkpointer_->watch(*search_);
    }
    const Result result = surefoot::run(*search_, *evaluator_, [this] {
      if (checkpointer_) checkpointer_->after_generation();
    });
    if (checkpointer_) checkpointer_->save();
    view_.finish();
    if (trace_) trace_->close();
    return result;
  }

 private:
  void open_trace() {
    if (request_.resume_from.empty()) {
      trace_.emplace(request_.trace);
    } else {
      trace_.emplace(request_.trace, search_->nit());
    }
    trace_->flush_lines(!request_.checkpoint.empty());
  }

  MinimizeRequest& request_;
  std::optional<ProblemInstance> problem_;
  std::unique_ptr<Evaluator> evaluator_;
  RunView view_;
  std::optional<TraceWriter> trace_;
  std::optional<Optimizer> search_;
  std::optional<Checkpointer> checkpointer_;
};

Exit run_minimize(MinimizeRequest& request, const CLI::App& command) {
  if (request.print_config) {
    fmt::print("{}", as_toml(command));
    return Exit::success;
  }
  complete_options(request);
  parse_interval(request.checkpoint_every);
  require_folder("trace", request.trace);
  require_folder("checkpoint", request.checkpoint);
  const auto begin = std::chrono::steady_clock::now();
  Session session(request);  // wrong input must not cost an existing file
  if (!request.checkpoint.empty() && request.resume_from.empty()) require_no_foreign_file(request.checkpoint);
  const Result result = session.run();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (request.json) {
    fmt::print("{}\n", json(result));
  } else {
    fmt::print("{}", summary(result, request.options, elapsed.count()));
    if (result.stop != StopReason::ftarget && !request.checkpoint.empty()) {
      fmt::print("resume   surefoot resume {}\n", request.checkpoint);
    }
  }
  return exit_of(result);
}

void add_objective(CLI::App& command, MinimizeRequest& request) {
  command.add_option("--problem", request.problem, "Benchmark function: see 'surefoot list problems'");
  command.add_option("--instance", request.instance, "Instance of a BBOB problem; default 1");
  command.add_option("--command", request.command,
                     "Your program: coordinates on stdin as one line, the last line of stdout is the value");
  command.add_option("--args", request.args,
                     "More arguments for it, with {x}, {x0}, {x1}, ..., {id}, {dir} replaced for each candidate");
  command.add_flag("--persistent", request.persistent, "Keep it alive: one line in, one line out for each candidate");
  command.add_option("--eval-timeout", request.eval_timeout, "Seconds for one evaluation by it");
  command.add_option("--workers", request.options.workers, "Evaluations at a time; does not change the result");
}

void add_start(CLI::App& command, MinimizeRequest& request) {
  command.add_option("--dim", request.dim, "Number of coordinates");
  command.add_option("--x0", request.x0, "Start point X1,X2,...; default from the problem's table");
  command.add_option("--sigma0", request.sigma0,
                     "Start standard deviation, one or one per coordinate; default a quarter of the bounds' width");
  command.add_option("--warm-start", request.warm_start, "Start from the distribution of this checkpoint instead");
  command.add_option("--lower", request.lower, "Lower bounds, one or one per coordinate; -inf for none");
  command.add_option("--upper", request.upper, "Upper bounds; equal bounds fix a coordinate");
  command.add_option("--seed", request.options.seed, "Same seed, same result; default: drawn and shown")
      ->check(CLI::NonNegativeNumber);
}

void add_method(CLI::App& command, MinimizeRequest& request) {
  Options& options = request.options;
  command.add_option("--method", options.method, "Strategy: see 'surefoot list methods'")->capture_default_str();
  command.add_option("--learning-rate", request.learning_rate, "Policy, e.g. fixed:8, lra, lra:frame=B")
      ->capture_default_str();
  command.add_option("--popsize", options.popsize, "Candidates a generation; default 4 + floor(3 ln dim)");
  command.add_option("--restarts", request.restarts, "none, same, ipop or bipop, with a number as in ipop:5")
      ->capture_default_str();
}

void add_stop(CLI::App& command, Options& options) {
  command.add_option("--ftarget", options.ftarget, "Stop when f <= ftarget");
  command.add_option("--maxfevals", options.maxfevals,
                     "Stop after so many evaluations; a generation is always finished");
  command.add_option("--maxiter", options.maxiter,
                     "Stop after so many generations; default without budget: 100 + 150 (dim+3)^2/sqrt(popsize) a run");
  command.add_option("--timeout", options.timeout, "Stop after so many seconds");
  command.add_option("--tolx", options.tolx, "Stop when all standard deviations have shrunk below it; 0: never")
      ->capture_default_str();
  command.add_option("--tolfun", options.tolfun, "Stop when values of population and recent bests are as close")
      ->capture_default_str();
  command.add_option("--tolfunhist", options.tolfunhist, "Stop when recent best values are as close")
      ->capture_default_str();
  command.add_option("--tolupsigma", options.tolupsigma, "Stop when sigma has grown by more")->capture_default_str();
  command.add_option("--tolconditioncov", options.tolconditioncov, "Stop when the covariance's condition is above")
      ->capture_default_str();
  command.add_option("--tolflatfitness", options.tolflatfitness, "Generations of equal values that are tolerated")
      ->capture_default_str();
  command.add_option("--tolstagnation", options.tolstagnation,
                     "Generations without progress; default 100 + 100 dim^1.5/popsize");
  command.add_option("--noeffectaxis", options.noeffectaxis, "Stop when a step along an axis changes nothing")
      ->capture_default_str();
  command.add_option("--noeffectcoord", options.noeffectcoord, "Stop when a step along a coordinate changes nothing")
      ->capture_default_str();
}

void add_failures(CLI::App& command, FailurePolicy& failures) {
  command.add_option("--retry", failures.retry, "Evaluate a failed candidate again, at most so often")
      ->capture_default_str();
  command.add_option("--failed-generations", failures.generations, "Stop after so many in a row without any success")
      ->capture_default_str();
  command
      .add_option("--failed-fraction", failures.fraction, "Stop when more than this share of evaluations has failed")
      ->capture_default_str();
}

void add_output(CLI::App& command, MinimizeRequest& request) {
  command.add_option("--trace", request.trace, "Write one JSON line a generation to this file");
  command.add_option("--checkpoint", request.checkpoint, "Keep the search in this file; see 'surefoot resume'");
  command.add_option("--checkpoint-every", request.checkpoint_every, "Generations, as 20, or seconds, as 5s")
      ->capture_default_str();
  command.add_flag("--json", request.json, "Print one JSON object instead of a summary");
  command.add_flag("--quiet", request.quiet, "No progress line on the terminal");
  command.add_flag("--print-config", request.print_config, "Print these options as a TOML file and end");
  static std::string documented;
  command.add_option("--config", documented, "TOML file with options; the command line wins");
  command.add_option("--resume-from", request.resume_from)->group("");
}

}  // namespace

void add_minimize(CLI::App& app, const std::vector<std::string>& words, Exit& status) {
  CLI::App* command = app.add_subcommand("minimize", "Minimise a function or what your own program computes");
  auto request = std::make_shared<MinimizeRequest>();
  request->words = words;
  command->option_defaults()->take_last();
  add_objective(*command, *request);
  add_start(*command, *request);
  add_method(*command, *request);
  add_stop(*command, request->options);
  add_failures(*command, request->options.failures);
  add_output(*command, *request);
  command->footer(
      "Example: surefoot minimize --command 'python3 sim.py' --x0 1,2,3 --sigma0 0.5 --workers 4 --checkpoint run.sf\n"
      "Exit status: 0 target reached or converged, 1 stopped before that, 2 bad usage, 3 the objective kept failing,\n"
      "130 interrupted (the checkpoint is written, the best so far printed). SIGUSR1 prints the state.");
  command->callback([request, command, &status] { status = run_minimize(*request, *command); });
}

}  // namespace surefoot::cli
