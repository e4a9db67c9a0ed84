#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/experiment_command.hpp"
#include "cli/integer_list.hpp"
#include "experiments/contender.hpp"
#include "experiments/practical_bench.hpp"

namespace surefoot::cli {
namespace {

struct PracticalRequest {
  std::vector<std::string> methods = {"auto"};
  std::string budgets = "20,100,1000";
  std::string peers;
  PracticalProtocol protocol;
  ExperimentRequest experiment;
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

PracticalProtocol protocol_of(const PracticalRequest& request) {
  PracticalProtocol protocol = request.protocol;
  protocol.methods = contender_names(request.methods);
  protocol.budgets = integer_list("budgets", request.budgets);
  return protocol;
}

Exit run_practical_bench(const PracticalRequest& request) {
  return run_experiment(
      request.experiment, "runs", [request] { return practical_compute(protocol_of(request)); },
      [&](const ExperimentSettings& settings) {
        const PracticalProtocol protocol = protocol_of(request);
        const PracticalBench result = bench_practical(protocol, settings, request.peers);
        if (!result.complete) return false;
        print_practical(result, protocol.budgets);
        fmt::print("written to {}: runs.csv, summary.json, report.html\n", settings.out.string());
        return true;
      });
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
                      "Runs of other programs, as benchmarks/practical_peers.py writes them, for comparison");
  add_experiment_options(*command, "searches", request->experiment, protocol.seed,
                         "surefoot bench practical --methods auto,cma/bipop --problems spring,pid --out practical");
  command->callback([request, &status] { status = run_practical_bench(*request); });
}

}  // namespace surefoot::cli
