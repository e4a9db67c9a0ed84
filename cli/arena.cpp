#include "experiments/arena.hpp"

#include <fmt/core.h>

#include <cmath>
#include <memory>
#include <string>

#include "cli/experiment_command.hpp"
#include "cli/integer_list.hpp"

namespace surefoot::cli {
namespace {

/// A diverged run has no rates.
std::string rate_text(double rate) { return std::isfinite(rate) ? fmt::format("{:.3g}", rate) : "-"; }

struct ArenaRequest {
  std::string dims = "2,3,5,10,20,40";
  ArenaProtocol protocol;
  ExperimentRequest experiment;
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
        fmt::print("{}  sigma x{:.3g} to x{:.3g}, |m - m0|/sigma0 up to {:.3g}, rates/lowest {} {} {}\n", where,
                   s.growth.low, s.growth.high, s.largest_drift, rate_text(s.eta_m), rate_text(s.eta_sigma),
                   rate_text(s.eta_B));
        break;
    }
  }
}

ArenaProtocol protocol_of(const ArenaRequest& request) {
  ArenaProtocol protocol = request.protocol;
  protocol.methods = contender_names(protocol.methods);
  protocol.dimensions = integer_list_of<Index>("dims", request.dims);
  return protocol;
}

Exit run_arena_command(const ArenaRequest& request) {
  return run_experiment(
      request.experiment, "trials", [request] { return arena_compute(protocol_of(request)); },
      [&](const ExperimentSettings& settings) {
        const Arena arena = run_arena(protocol_of(request), settings);
        if (!arena.complete) return false;
        print_groups(arena);
        print_cells(arena);
        fmt::print("written to {}: trials.csv, traces/, summary.json, report.html\n", settings.out.string());
        return true;
      });
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
  add_experiment_options(*command, "trials", request->experiment, protocol.seed,
                         "surefoot arena --methods xnes,lra --dims 5,10 --trials 5 --blocks 1 --out arena");
  command->callback([request, &status] { status = run_arena_command(*request); });
}

}  // namespace surefoot::cli
