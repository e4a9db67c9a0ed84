#include "experiments/reproduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/ranks.hpp"
#include "cli/signals.hpp"
#include "core/invalid_option.hpp"

namespace surefoot::cli {
namespace {

struct ReproduceRequest {
  ProtocolRequest protocol;
  std::string figure = "all";
  std::string out;
  std::optional<int> threads;
  bool mpi = false;
};

std::set<int> figures_of(const std::string& text) {
  if (text == "all") return {};
  if (text.size() == 1 && text[0] >= '1' && text[0] <= '5') return {text[0] - '0'};
  reject("figure", "'" + text + "'", "it must be 1, 2, 3, 4, 5 or all");
}

void print(const Reproduction& result, const std::string& out) {
  for (const Verdict& verdict : result.verdicts) {
    const char* mark = !verdict.holds ? "not measured" : *verdict.holds ? "holds" : "does not hold";
    fmt::print("{}: {}\n  claim   {}\n  found   {}\n", verdict.question, mark, verdict.claim, verdict.answer);
  }
  fmt::print("written to {}: trials.csv, traces/, summary.json, report.html\n", out);
}

/// Ranks share processors, so each has one thread unless more are wanted.
int threads_of(const ReproduceRequest& request) {
  if (request.threads && *request.threads < 1) reject("threads", *request.threads, "it must be at least 1");
  if (request.threads || request.mpi) return request.threads.value_or(1);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Protocol protocol_of(ReproduceRequest& request) {
  request.protocol.figures = figures_of(request.figure);
  return make_protocol(request.protocol);
}

Exit reproduce_with(ReproduceRequest& request, const Spread& spread) {
  const int threads = threads_of(request);
  const Protocol protocol = protocol_of(request);
  watch_signals();
  ProgressBar bar("runs");
  const auto show = [&bar](const ExperimentProgress& p) { bar.show(p.done, p.total, p.share); };
  const Reproduction result = reproduce(protocol, {request.out, threads, show, spread}, interruption());
  bar.finish();
  if (!result.complete) return tell_interruption(request.out);
  print(result, request.out);
  return Exit::success;
}

/// What each worker of an MPI job does.
MakeWork trial_work(ReproduceRequest request) {
  return [request]() mutable -> Work {
    return [compute = reproduction_work(protocol_of(request))](const Task& task, const std::function<bool()>&) {
      return std::optional(compute(task.number));
    };
  };
}

Spread over(Dispatcher& ranks) {
  return [&ranks](const std::vector<std::int64_t>& jobs, const Dispatcher::Done& done) {
    ranks.run(
        jobs, [](std::int64_t) { return std::string(); }, done, [] { return interruption().load(); });
  };
}

Exit run_reproduce(ReproduceRequest& request) {
  if (!request.mpi) {
    require_single_process();
    return reproduce_with(request, {});
  }
  return on_all_ranks(trial_work(request), request.threads.value_or(1),
                      [&](Dispatcher& ranks) { return reproduce_with(request, over(ranks)); });
}

}  // namespace

void add_reproduce(CLI::App& app, Exit& status) {
  CLI::App* command = app.add_subcommand("reproduce", "Run the paper's experiments beside the paper's numbers");
  auto request = std::make_shared<ReproduceRequest>();
  ProtocolRequest& protocol = request->protocol;
  command->add_option("--figure", request->figure, "One figure, 1 to 5, or all")->capture_default_str();
  command->add_option("--functions", protocol.functions, "Only these: sphere,ellipsoid,rastrigin,bohachevsky")
      ->delimiter(',');
  command->add_option("--popsizes", protocol.popsizes, "Only these population sizes of the paper")->delimiter(',');
  command->add_option("--methods", protocol.methods, "Only these: adaptive,x1,x2,x4,x6,x8,x10")->delimiter(',');
  command->add_option("--trials", protocol.trials,
                      "Trials a cell; default 50 (sphere, ellipsoid) and 200, as in the paper");
  command->add_flag("--quick", protocol.quick, "10 trials a cell: all figures within about a minute");
  command->add_option("--threads", request->threads,
                      "Trials run at once; does not change the results; default all processors, with --mpi 1 a rank");
  command->add_flag("--mpi", request->mpi, "Spread the trials over all ranks of mpirun");
  command->add_option("--seed", protocol.seed, "Seed of all trials")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--out", request->out, "Folder of the results; an interrupted run goes on there")->required();
  command->footer(
      "Example: surefoot reproduce --quick --out paper\n"
      "Exit status: 0 finished, 2 bad usage, 130 interrupted (the same command goes on).");
  command->callback([request, &status] { status = run_reproduce(*request); });
}

}  // namespace surefoot::cli
