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
#include "experiments/bbob_bench.hpp"

namespace surefoot::cli {
namespace {

struct BenchRequest {
  std::vector<std::string> methods = {"auto"};
  std::string functions = "1-24";
  std::string dims = "2,3,5,10,20,40";
  std::string instances = "1-5";
  std::string coco_data;
  BbobProtocol protocol;
  ExperimentSettings settings{.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
};

std::string text_of(const Estimate& e) {
  return e.standard_error ? fmt::format("{:.4f} +- {:.4f}", e.mean, *e.standard_error) : fmt::format("{:.4f}", e.mean);
}

bool is_whole_dimension(const BbobRow& row) { return !row.scope.group && !row.scope.function; }

void print(const std::vector<BbobRow>& summary) {
  fmt::print("area under the ECDF of evaluations to 51 targets, and share of targets hit\n");
  fmt::print("{:<24} {:>4}  {:<18} {}\n", "method", "dim", "area", "share");
  for (const BbobRow& row : summary) {
    if (!is_whole_dimension(row) || row.against) continue;
    fmt::print("{:<24} {:>4}  {:<18} {}\n", row.method,
               row.scope.dimension ? std::to_string(*row.scope.dimension) : "all", text_of(row.area),
               text_of(row.share));
  }
  for (const BbobRow& row : summary) {
    if (!row.against || row.scope.dimension || !is_whole_dimension(row)) continue;
    fmt::print("{} minus {}: area {}\n", row.method, *row.against, text_of(row.area));
  }
}

Exit run_bench(BenchRequest& request) {
  if (request.settings.threads < 1) reject("threads", request.settings.threads, "it must be at least 1");
  request.protocol.methods = contender_names(request.methods);
  request.protocol.functions = integer_list("functions", request.functions);
  request.protocol.dimensions = integer_list_of<Index>("dims", request.dims);
  request.protocol.instances = integer_list("instances", request.instances);

  watch_signals();
  ProgressBar bar("runs");
  request.settings.progress = [&bar](const ExperimentProgress& p) { bar.show(p.done, p.total, p.share); };
  const BbobBench result = bench_bbob(request.protocol, request.settings, request.coco_data, interruption());
  bar.finish();
  if (!result.complete) return tell_interruption(request.settings.out);
  print(result.summary);
  fmt::print("written to {}: runs.csv, summary.json, report.html\n", request.settings.out.string());
  if (!request.coco_data.empty()) fmt::print("written to {}: data for COCO's post-processing\n", request.coco_data);
  return Exit::success;
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
  command->add_option("--threads", request->settings.threads, "Searches run at once; does not change the results")
      ->capture_default_str();
  command->add_option("--seed", request->protocol.seed, "Seed of all searches")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--out", request->settings.out, "Folder of the results; an interrupted run goes on there")
      ->required();
  command->add_option("--coco-data", request->coco_data, "Also write data for COCO's post-processing to this folder");
  command->footer(
      "Example: surefoot bench bbob --methods xnes,random --dims 2,5 --out bbob\n"
      "Exit status: 0 finished, 2 bad usage, 130 interrupted (the same command goes on).");
  command->callback([request, &status] { status = run_bench(*request); });
  add_bench_practical(*bench, status);
}

}  // namespace surefoot::cli
