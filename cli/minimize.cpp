#include <fmt/core.h>

#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/check.hpp"
#include "cli/commands.hpp"
#include "cli/fit.hpp"
#include "cli/minimize_request.hpp"
#include "cli/minimize_setup.hpp"
#include "cli/program_setup.hpp"
#include "cli/ranks.hpp"
#include "cli/repeating_command.hpp"
#include "cli/result_json.hpp"
#include "cli/run_view.hpp"
#include "cli/signals.hpp"
#include "cli/summary.hpp"
#include "cli/trouble.hpp"
#include "core/invalid_option.hpp"
#include "driver/trace/utilisation.hpp"
#include "evaluators/account_text.hpp"
#include "ranks/rank_evaluator.hpp"

namespace surefoot::cli {
namespace {

void check_options(const MinimizeRequest& request) {
  if (request.eval_timeout) require_positive("eval-timeout", *request.eval_timeout);
  require_positive("rank-timeout", request.rank_timeout);
  if (request.trace_timing && request.trace.empty()) {
    throw std::invalid_argument("trace-timing: only together with --trace FILE");
  }
  if (request.replace_command && (request.checkpoint.empty() || request.command.empty())) {
    throw std::invalid_argument("replace-command: only together with --command and --checkpoint FILE");
  }
  if (request.checkpoint_every != default_checkpoint_every && request.checkpoint.empty()) {
    throw std::invalid_argument("checkpoint-every: only together with --checkpoint FILE");
  }
  if (request.rank_timeout != default_rank_timeout && !request.mpi) {
    throw std::invalid_argument("rank-timeout: only together with --mpi");
  }
  if (request.overwrite && request.checkpoint.empty()) {
    throw std::invalid_argument("overwrite: only together with --checkpoint FILE");
  }
  if (request.mpi && request.options.batch.is_automatic()) {
    throw std::invalid_argument("batch = auto is not allowed with --mpi: give the number of all workers");
  }
}

void refuse_without_residuals(const MinimizeRequest& request) {
  const char* option = !request.loss.empty() ? "loss" : request.loss_scale.has_value() ? "loss-scale" : nullptr;
  if (option == nullptr) return;
  throw std::invalid_argument(std::string(option) + ": only together with --residuals or --data, for a fit");
}

Exit exit_of(const Result& result) {
  if (result.success) return Exit::success;
  const bool all_failed = result.nfev > 0 && result.nfailed == result.nfev;
  if (all_failed && result.stop != StopReason::interrupted) return Exit::failing;
  if (stop_info(result.stop).kind == StopKind::failing) return Exit::failing;
  return result.stop == StopReason::interrupted ? Exit::interrupted : Exit::stopped;
}

/// The options of a search that Ctrl-C ends and that shows a line about its progress.
Options watched(Options options, RunView& view) {
  options.callback = [&view](const Record& record) {
    view.show(record);
    return false;
  };
  options.interrupt = [&view] {
    view.tick();
    return interruption().load();
  };
  return options;
}

/// Candidates that are evaluated at a time. 0 where a model leaves workers idle: the summary says so elsewhere.
std::int64_t candidates_at_a_time(const Result& result, const Options& options, int workers) {
  if (options.model == "none") return result.runs.back().popsize;
  return options.batch.size < workers ? 0 : options.batch.size;
}

void tell_result(const MinimizeRequest& request, const SearchEnd& end, const Usage& usage) {
  if (request.json) return write_json(end, stdout);
  const Result& result = end.result;
  fmt::print("{}{}", summary(end),
             utilisation_line(usage, end.seconds - end.seconds_before,
                              candidates_at_a_time(result, end.options, usage.workers)));
  const StopKind kind = stop_info(result.stop).kind;
  if (kind == StopKind::target || kind == StopKind::converged || request.checkpoint.empty()) return;
  fmt::print("resume   {}surefoot resume {}\n", request.mpi ? "mpirun ... " : "", shell_text(request.checkpoint));
}

/// `ranks` do the evaluations, if there are any.
Exit search(const MinimizeRequest& request, Dispatcher* ranks) {
  const Stopwatch watch;
  RunView view(request);
  const std::optional<ProblemInstance> problem = problem_of(request);
  std::unique_ptr<Evaluator> evaluator = evaluator_of(request, problem);  // also with ranks: it checks the command
  if (ranks != nullptr) evaluator = std::make_unique<RankEvaluator>(*ranks);
  const std::unique_ptr<Session> session = session_of(request, problem, watched(request.options, view));
  if (auto* const program = dynamic_cast<ProgramEvaluator*>(evaluator.get())) {
    program->number_by([&] { return session->search().told() + 1; });
    view.ask_program([program] { return program->ends_after_answers() ? std::string(about_ends) : std::string(); });
  }
  session->watch([&] { view.begin(session->search()); }, [&](Index candidate) { view.note(candidate); });
  watch_signals();
  const Result result = session->run(*evaluator);
  view.finish();
  tell_result(request,
              {.result = result,
               .options = session->search().options(),
               .use = output_use(request),
               .seconds = view.elapsed_before() + watch.seconds(),
               .nfev_before = view.nfev_before(),
               .seconds_before = view.elapsed_before(),
               .same_values = view.same_values()},
              evaluator->usage());
  const auto* const program = dynamic_cast<ProgramEvaluator*>(evaluator.get());
  if (program != nullptr && !program->surplus().empty()) tell_trouble("minimize: " + about_surplus(program->surplus()));
  if (program != nullptr && program->ends_after_answers()) tell_trouble("minimize: " + std::string(about_ends));
  for (const std::string& sentence : session->lost()) tell_trouble("minimize: " + sentence);
  return session->lost().empty() ? exit_of(result) : Exit::output_lost;
}

/// Most methods keep matrices of dim x dim numbers.
std::string about_memory(const MinimizeRequest& request) {
  return (request.dim ? "dim = " + text(*request.dim) + ": " : "") +
         "there is not enough memory for this search; --method cr-fm-nes and snes need the least";
}

Exit run_minimize(const MinimizeRequest& request, const CLI::App& command) {
  if (request.print_config) {
    if (speaks()) fmt::print("{}", as_toml(command));
    return Exit::success;
  }
  if (is_fit(request)) {
    require_single_process();
    return run_fit(request, command);
  }
  check_options(request);
  refuse_without_residuals(request);
  if (request.check) {
    require_single_process();
    return run_check(request);
  }
  if (!request.mpi) {
    require_single_process();
    return search(request, nullptr);
  }
  return on_all_ranks(rank_work(request), request.options.workers, request.rank_timeout,
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
      "Example: surefoot minimize --command './sim params.ini' --template params.ini.in --output 'json:cost' --param "
      "'rate=real(1e-5,1e-1,log)' --check\n"
      "Exit status: 0 target reached or converged, 1 stopped before that, 2 bad usage, 3 the objective kept failing,\n"
      "4 output was lost (a full disk; the message names the file), 130 interrupted (the checkpoint is written, the "
      "best so far printed). SIGUSR1 prints the state.");
  command->callback([request, command, &status] {
    take_outputs(*request);
    request->repeating = repeating_command(*command);
    try {
      status = run_minimize(*request, *command);
    } catch (const std::bad_alloc&) {
      throw std::invalid_argument(about_memory(*request));
    }
  });
}

}  // namespace surefoot::cli
