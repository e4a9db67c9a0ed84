#include "experiments/arena.hpp"

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

namespace surefoot::cli {
namespace {

struct ArenaRequest {
  std::string dims = "2,3,5,10,20,40";
  ArenaProtocol protocol;
  ExperimentSettings settings{.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
};

void print_groups(const Arena& arena) {
  fmt::print("unimodal functions: evaluations per success relative to {}, geometric mean, median of the blocks\n",
             arena.against);
  fmt::print("{:<20} {:>4} {:>8} {:>6} {:>7}  {:<26} {}\n", "method", "dim", "popsize", "ratio", "faster", "worst",
             "failing");
  for (const ArenaGroup& g : arena.report.groups) {
    if (g.method == arena.against) continue;
    fmt::print("{:<20} {:>4} {:>8} {:>6} {:>7}  {:<26} {}\n", g.method, g.dimension, g.popsize,
               g.median ? fmt::format("{:.2f}", *g.median) : "-", fmt::format("{}/{}", g.faster, g.cells),
               g.worst_function.empty() ? "-" : fmt::format("{:.2f} {}", g.worst, g.worst_function), g.failures);
  }
}

void print_cells(const Arena& arena) {
  for (const ArenaSummary& s : arena.report.cells) {
    const std::string where =
        fmt::format("{:<20} {:<20} {:>4} {:>8}", s.method, s.cell.function, s.cell.dimension, s.cell.popsize);
    switch (find_arena_function(s.cell.function).kind) {
      case ArenaKind::unimodal: break;
      case ArenaKind::multimodal:
        fmt::print("{}  success {:.2f}, evaluations per success {}\n", where, s.success_rate,
                   s.evaluations_per_success ? fmt::format("{:.0f}", *s.evaluations_per_success) : "-");
        break;
      case ArenaKind::noisy: fmt::print("{}  distance of the mean {:.3g}\n", where, s.median_distance); break;
      case ArenaKind::random:
        fmt::print("{}  sigma x{:.3g} to x{:.3g}, |m - m0|/sigma0 up to {:.3g}, rates/lowest {:.3g} {:.3g} {:.3g}\n",
                   where, s.growth.low, s.growth.high, s.largest_drift, s.eta_m, s.eta_sigma, s.eta_B);
        break;
    }
  }
}

Exit run(ArenaRequest& request) {
  if (request.settings.threads < 1) reject("threads", request.settings.threads, "it must be at least 1");
  request.protocol.methods = contender_names(request.protocol.methods);
  request.protocol.dimensions = integer_list_of<Index>("dims", request.dims);

  watch_signals();
  ProgressBar bar("trials");
  request.settings.progress = [&bar](const ExperimentProgress& p) { bar.show(p.done, p.total, p.share); };
  const Arena arena = run_arena(request.protocol, request.settings, interruption());
  bar.finish();
  if (!arena.complete) return tell_interruption(request.settings.out);
  print_groups(arena);
  print_cells(arena);
  fmt::print("written to {}: trials.csv, traces/, summary.json, report.html\n", request.settings.out.string());
  return Exit::success;
}

}  // namespace

void add_arena(CLI::App& app, Exit& status) {
  CLI::App* command = app.add_subcommand("arena", "Compare learning rates on unimodal, multimodal and noisy functions");
  auto request = std::make_shared<ArenaRequest>();
  ArenaProtocol& protocol = request->protocol;
  command
      ->add_option("--methods", protocol.methods, "Such as auto,cma,s3-lra, as in 'surefoot bench'; without restarts")
      ->capture_default_str();
  command->add_option("--against", protocol.against, "The method that ratios refer to; default cma");
  command->add_option("--functions", protocol.functions, "Only these; default all")->delimiter(',');
  command->add_option("--dims", request->dims, "Dimensions")->capture_default_str();
  command->add_option("--popsize", protocol.popsizes, "default, and multiples of it")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--trials", protocol.trials, "Trials of a block; default 25, and 10 above dimension 20");
  command->add_option("--blocks", protocol.blocks, "Blocks of trials; the ratio that counts is their median")
      ->capture_default_str();
  command->add_option("--threads", request->settings.threads, "Trials run at once; does not change the results")
      ->capture_default_str();
  command->add_option("--seed", protocol.seed, "Seed of all trials")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--out", request->settings.out, "Folder of the results; an interrupted run goes on there")
      ->required();
  command->footer(
      "Example: surefoot arena --methods xnes,lra --dims 5,10 --trials 5 --blocks 1 --out arena\n"
      "Exit status: 0 finished, 2 bad usage, 130 interrupted (the same command goes on).");
  command->callback([request, &status] { status = run(*request); });
}

}  // namespace surefoot::cli
