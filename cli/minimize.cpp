#include "surefoot/minimize.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/minimize_request.hpp"
#include "cli/ranks.hpp"
#include "cli/run_view.hpp"
#include "cli/signals.hpp"
#include "cli/summary.hpp"
#include "core/invalid_option.hpp"
#include "driver/checkpointer.hpp"
#include "driver/trace_writer.hpp"
#include "driver/utilisation.hpp"
#include "evaluators/program_evaluator.hpp"
#include "ranks/rank_evaluator.hpp"
#include "surefoot/problems.hpp"

namespace surefoot::cli {
namespace {

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

Start warm_start_of(const MinimizeRequest& request) {
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
  const std::optional<Index> dimension = given > 0 ? given : request.dim;
  return make_problem(request.problem, dimension, request.instance);
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
  if (has_box || !problem || !problem->sigma0) return {};
  return *problem->sigma0;
}

std::unique_ptr<ProgramEvaluator> program_of(const MinimizeRequest& request, int workers) {
  return std::make_unique<ProgramEvaluator>(ProgramObjective{.command = split_command(request.command),
                                                             .arguments = split_command(request.args),
                                                             .persistent = request.persistent,
                                                             .workers = workers,
                                                             .timeout = request.eval_timeout});
}

std::unique_ptr<Evaluator> evaluator_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem) {
  const int workers = request.options.workers;
  if (!problem) return program_of(request, workers);
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

/// What each worker of an MPI job does.
MakeWork rank_work(const MinimizeRequest& request) {
  return [&request]() -> Work {
    const auto problem = std::make_shared<const std::optional<ProblemInstance>>(problem_of(request));
    if (!*problem) {
      return [program = std::shared_ptr<ProgramEvaluator>(program_of(request, 1))](
                 const Task& task, const std::function<bool()>& cancelled) {
        program->number_next(task.batch, static_cast<Index>(task.number));
        return evaluate_task(*program, task, cancelled);
      };
    }
    const auto evaluator = std::make_shared<SerialEvaluator<const ProblemInstance>>(**problem);
    return [problem, evaluator](const Task& task, const std::function<bool()>& cancelled) {
      return evaluate_task(*evaluator, task, cancelled);
    };
  };
}

/// Points of a file, one a line; numbers are separated by commas or white space, and # begins a comment.
std::vector<Vector> points_of(const std::string& option, const std::string& file) {
  std::ifstream in(file);
  if (!in) reject(option, "'" + file + "'", "the file cannot be read");
  std::vector<Vector> points;
  for (std::string line; std::getline(in, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return std::isspace(c) != 0 || c == ','; }, ' ');
    std::istringstream words(line);
    std::string list;
    for (std::string word; words >> word;) list += (list.empty() ? "" : ",") + word;
    if (!list.empty()) points.push_back(vector_of(option, list));
  }
  if (points.empty()) reject(option, "'" + file + "'", "it holds no point; write one a line, as 1,2,3");
  return points;
}

/// What is given, or the problem's own.
Bounds bounds_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem) {
  Bounds bounds{vector_of("lower", request.lower), vector_of("upper", request.upper)};
  if (problem && bounds.lower.size() == 0) bounds.lower = problem->bounds.lower;
  if (problem && bounds.upper.size() == 0) bounds.upper = problem->bounds.upper;
  return bounds;
}

void check_options(const MinimizeRequest& request) {
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
  if (result.stop == StopReason::failing || result.stop == StopReason::infeasible) return Exit::failing;
  if (result.stop == StopReason::interrupted) return Exit::interrupted;
  return Exit::stopped;
}

/// A search as the command line runs it: with trace, checkpoints and a line about its progress.
class Session {
 public:
  /// `ranks` do the evaluations, if there are any.
  Session(MinimizeRequest& request, Dispatcher* ranks)
      : request_(request),
        problem_(problem_of(request)),
        evaluator_(evaluator_of(request, problem_)),  // also with ranks: it knows what is wrong with a command
        view_(request.options, request.quiet) {
    if (ranks != nullptr) evaluator_ = std::make_unique<RankEvaluator>(*ranks);
    request.options.bounds = bounds_of(request, problem_);
    if (!request.inject.empty()) request.options.inject = points_of("inject", request.inject);
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

  [[nodiscard]] Usage usage() const { return evaluator_->usage(); }
  [[nodiscard]] const Options& options() const { return search_->options(); }

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
      trace_.emplace(request_.trace, search_->told() > 0 ? search_->nit() : -1);
    }
    trace_->flush_lines(!request_.checkpoint.empty());
    if (request_.trace_timing) trace_->add_timing([this] { return usage(); });
  }

  MinimizeRequest& request_;
  std::optional<ProblemInstance> problem_;
  std::unique_ptr<Evaluator> evaluator_;
  RunView view_;
  std::optional<TraceWriter> trace_;
  std::optional<Optimizer> search_;
  std::optional<Checkpointer> checkpointer_;
};

Exit search(MinimizeRequest& request, Dispatcher* ranks) {
  check_options(request);
  parse_interval(request.checkpoint_every);
  require_folder("trace", request.trace);
  require_folder("checkpoint", request.checkpoint);
  const auto begin = std::chrono::steady_clock::now();
  Session session(request, ranks);  // wrong input must not cost an existing file
  if (!request.checkpoint.empty() && request.resume_from.empty()) require_no_foreign_file(request.checkpoint);
  const Result result = session.run();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (request.json) {
    fmt::print("{}\n", json(result));
  } else {
    fmt::print("{}{}", summary(result, session.options(), elapsed.count()),
               utilisation_line(session.usage(), elapsed.count(), result.runs.back().popsize));
    if (result.stop != StopReason::ftarget && !request.checkpoint.empty()) {
      fmt::print("resume   {}surefoot resume {}\n", request.mpi ? "mpirun ... " : "", request.checkpoint);
    }
  }
  return exit_of(result);
}

Exit run_minimize(MinimizeRequest& request, const CLI::App& command) {
  if (request.print_config) {
    if (speaks()) fmt::print("{}", as_toml(command));
    return Exit::success;
  }
  if (request.trace_timing && request.trace.empty()) {
    throw std::invalid_argument("trace-timing: only together with --trace FILE");
  }
  if (!request.mpi) {
    require_single_process();
    return search(request, nullptr);
  }
  return on_all_ranks(rank_work(request), request.options.workers,
                      [&](Dispatcher& ranks) { return search(request, &ranks); });
}

}  // namespace

void add_minimize(CLI::App& app, const std::vector<std::string>& words, Exit& status) {
  CLI::App* command = app.add_subcommand("minimize", "Minimise a function or what your own program computes");
  auto request = std::make_shared<MinimizeRequest>();
  request->words = words;
  command->option_defaults()->take_last();
  add_options(*command, *request);
  command->footer(
      "Example: surefoot minimize --command 'python3 sim.py' --x0 1,2,3 --sigma0 0.5 --workers 4 --checkpoint run.sf\n"
      "Exit status: 0 target reached or converged, 1 stopped before that, 2 bad usage, 3 the objective kept failing,\n"
      "130 interrupted (the checkpoint is written, the best so far printed). SIGUSR1 prints the state.");
  command->callback([request, command, &status] { status = run_minimize(*request, *command); });
}

}  // namespace surefoot::cli
