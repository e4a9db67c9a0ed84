#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/commands.hpp"
#include "cli/integer_list.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "core/invalid_option.hpp"
#include "experiments/contender.hpp"
#include "experiments/practical_bench.hpp"

namespace surefoot::cli {
namespace {

struct PracticalRequest {
  std::vector<std::string> methods = {"auto"};
  std::string budgets = "20,100,1000";
  std::string peers;
  PracticalProtocol protocol;
  ExperimentSettings settings{.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
};

/// One line a method, two columns a budget.
void print_practical(const PracticalBench& bench, const std::vector<int>& budgets) {
  fmt::print("share of the runs within 1 % and within 1e-4 of the best known value\n{:<20}", "method");
  for (const int budget : budgets) fmt::print("  {:<31}", fmt::format("{} d", budget));
  fmt::print("\n");
  std::vector<std::string> methods;
  for (const PracticalRow& row : bench.summary) {
    if (std::find(methods.begin(), methods.end(), row.method) == methods.end()) methods.push_back(row.method);
  }
  for (const std::string& method : methods) {
    fmt::print("{:<20}", method);
    for (const int budget : budgets) {
      const auto row = std::find_if(bench.summary.begin(), bench.summary.end(), [&](const PracticalRow& r) {
        return !r.problem && r.method == method && r.budget == budget;
      });
      const bool was_run = row != bench.summary.end();
      fmt::print("  {:>14} {:>16}", was_run ? percent_text(row->within[0]) : "-",
                 was_run ? percent_text(row->within[1]) : "-");
    }
    fmt::print("\n");
  }
  for (const PracticalVerdict& verdict : bench.verdicts) fmt::print("{}\n", verdict.sentence);
}

Exit run_practical_bench(PracticalRequest& request) {
  if (request.settings.threads < 1) reject("threads", request.settings.threads, "it must be at least 1");
  request.protocol.methods = contender_names(request.methods);
  request.protocol.budgets = integer_list("budgets", request.budgets);

  watch_signals();
  ProgressBar bar("runs");
  request.settings.progress = [&bar](const ExperimentProgress& p) { bar.show(p.done, p.total, p.share); };
  const PracticalBench result = bench_practical(request.protocol, request.settings, request.peers, interruption());
  bar.finish();
  if (!result.complete) return tell_interruption(request.settings.out);
  print_practical(result, request.protocol.budgets);
  fmt::print("written to {}: runs.csv, summary.json, report.html\n", request.settings.out.string());
  return Exit::success;
}

}  // namespace

void add_bench_practical(CLI::App& bench, Exit& status) {
  CLI::App* command = bench.add_subcommand("practical", "Fits, designs and controllers as users have them");
  auto request = std::make_shared<PracticalRequest>();
  PracticalProtocol& protocol = request->protocol;
  command->add_option("--methods", request->methods,
                      "Such as auto, xnes, lra, cma, random; with restarts as in cma/bipop, default none");
  command->add_option("--problems", protocol.problems, "Only these; default all")->delimiter(',');
  command
      ->add_option("--budgets", request->budgets,
                   "Evaluations of a search, in multiples of the dimension; each is a search of its own")
      ->capture_default_str();
  command->add_option("--seeds", protocol.seeds, "Searches of each problem, method and budget")->capture_default_str();
  command->add_option("--peers", request->peers,
                      "Runs of other programs, as benchmarks/practical_peers.py writes them, to stand beside ours");
  command->add_option("--threads", request->settings.threads, "Searches run at once; does not change the results")
      ->capture_default_str();
  command->add_option("--seed", protocol.seed, "Seed of all searches")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--out", request->settings.out, "Folder of the results; an interrupted run goes on there")
      ->required();
  command->footer(
      "Example: surefoot bench practical --methods auto,cma/bipop --problems spring,pid --out practical\n"
      "Exit status: 0 finished, 2 bad usage, 130 interrupted (the same command goes on).");
  command->callback([request, &status] { status = run_practical_bench(*request); });
}

}  // namespace surefoot::cli
