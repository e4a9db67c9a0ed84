#include <fmt/core.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/experiment_command.hpp"
#include "cli/integer_list.hpp"
#include "experiments/bbob_bench.hpp"

namespace surefoot::cli {
namespace {

struct BenchRequest {
  std::vector<std::string> methods = {"auto"};
  std::string functions = "1-24";
  std::string dims = "2,3,5,10,20,40";
  std::string instances = "1-5";
  std::string coco_data;
  bool traces = false;
  bool commands = false;
  BbobProtocol protocol;
  ExperimentRequest experiment;
};

std::string text_of(const Estimate& e) {
  return e.standard_error ? fmt::format("{:.4f} +- {:.4f}", e.mean, *e.standard_error) : fmt::format("{:.4f}", e.mean);
}

bool is_whole_dimension(const BbobRow& row) { return !row.scope.group && !row.scope.function; }

void print(const std::vector<BbobRow>& summary) {
  fmt::print("area under the ECDF of evaluations to 51 targets, share of targets hit, areas within smaller budgets\n");
  std::string smaller;
  for (const BbobAreaWithin& within : summary.front().smaller) smaller += fmt::format("  {:>4.0f} d", within.budget);
  fmt::print("{:<24} {:>4}  {:<18} {:<18}{}\n", "method", "dim", "area", "share", smaller);
  for (const BbobRow& row : summary) {
    if (!is_whole_dimension(row) || row.against) continue;
    std::string areas;
    for (const BbobAreaWithin& within : row.smaller) areas += fmt::format("  {:.4f}", within.area.mean);
    fmt::print("{:<24} {:>4}  {:<18} {:<18}{}\n", row.method,
               row.scope.dimension ? std::to_string(*row.scope.dimension) : "all", text_of(row.area),
               text_of(row.share), areas);
  }
  for (const BbobRow& row : summary) {
    if (!row.against || row.scope.dimension || !is_whole_dimension(row)) continue;
    fmt::print("{} minus {}: area {}\n", row.method, *row.against, text_of(row.area));
  }
}

BbobProtocol protocol_of(const BenchRequest& request) {
  BbobProtocol protocol = request.protocol;
  protocol.methods = contender_names(request.methods);
  protocol.functions = integer_list("functions", request.functions);
  protocol.dimensions = integer_list_of<Index>("dims", request.dims);
  protocol.instances = integer_list("instances", request.instances);
  return protocol;
}

Exit print_commands(const BenchRequest& request) {
  for (const std::string& command : bbob_commands(protocol_of(request))) fmt::print("{}\n", command);
  return Exit::success;
}

Exit run_bench(const BenchRequest& request) {
  if (request.commands) return print_commands(request);
  if (request.experiment.out.empty()) throw std::invalid_argument("out is missing: name the folder of the results");
  const std::string& coco_data = request.coco_data;
  return run_experiment(
      request.experiment, "runs",
      [request] { return bbob_compute(protocol_of(request), !request.coco_data.empty(), request.traces); },
      [&](const ExperimentSettings& settings) {
        const BbobBench result = bench_bbob(protocol_of(request), settings, coco_data, request.traces);
        if (!result.complete) return false;
        print(result.summary);
        fmt::print("written to {}: runs.csv, summary.json, report.html\n", settings.out.string());
        if (request.traces) fmt::print("written to {}: the trace of each search\n", (settings.out / "traces").string());
        if (!coco_data.empty()) fmt::print("written to {}: data for COCO's post-processing\n", coco_data);
        return true;
      });
}

}  // namespace

void add_bench(CLI::App& app, Exit& status) {
  CLI::App* bench = app.add_subcommand("bench", "Measure methods on a benchmark suite");
  bench->require_subcommand(1);
  CLI::App* command = bench->add_subcommand("bbob", "The 24 noiseless BBOB functions");
  auto request = std::make_shared<BenchRequest>();
  command->add_option("--methods", request->methods,
                      "Such as auto, xnes, lra, cma, random; with restarts as in lra/bipop, default ipop");
  command->add_option("--functions", request->functions, "Numbers and ranges")->capture_default_str();
  command->add_option("--dims", request->dims, "Dimensions")->capture_default_str();
  command->add_option("--instances", request->instances, "Instances of each function")->capture_default_str();
  command->add_option("--budget", request->protocol.budget, "Evaluations, in multiples of the dimension")
      ->capture_default_str();
  command->add_option("--coco-data", request->coco_data, "Also write data for COCO's post-processing to this folder");
  command->add_flag("--traces", request->traces,
                    "Also write the trace of each search to traces/METHOD in the folder, for 'surefoot report'");
  command->add_flag("--commands", request->commands,
                    "Print for each search the command that repeats it alone, and run nothing");
  add_experiment_options(*command, "searches", request->experiment, request->protocol.seed,
                         "surefoot bench bbob --methods xnes,random --dims 2,5 --out bbob");
  command->get_option("--out")->required(false);  // --commands has no results
  command->callback([request, &status] { status = run_bench(*request); });
  add_bench_practical(*bench, status);
}

}  // namespace surefoot::cli
