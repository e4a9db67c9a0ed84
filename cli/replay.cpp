#include "experiments/replay.hpp"

#include <fmt/core.h>

#include <memory>
#include <string>

#include "cli/commands.hpp"

namespace surefoot::cli {
namespace {

Exit run_replay(const std::string& file) {
  const ReplayReport report = replay(file);
  fmt::print("{} ({}), {} iterations\n", report.algorithm, report.variant, report.iterations);
  for (const auto& [quantity, deviation] : report.deviations) fmt::print("  {:<10} {:.1e}\n", quantity, deviation);
  const bool same = report.same_order && report.largest() <= replay_tolerance;
  fmt::print("{}: largest relative deviation {:.1e}, allowed {:.0e}{}\n", same ? "same trajectory" : "DEVIATES",
             report.largest(), replay_tolerance, report.same_order ? "" : ", and populations rank differently");
  return same ? Exit::success : Exit::stopped;
}

}  // namespace

void add_replay(CLI::App& app, Exit& status) {
  CLI::App* command = app.add_subcommand("replay", "Compare a reference trajectory with this program's");
  auto file = std::make_shared<std::string>();
  command->add_option("FIXTURE", *file, "Trajectory file (JSON, format in tests/data/fixtures/README.md)")->required();
  command->footer(
      "Example: surefoot replay tests/data/fixtures/xnes_lra_sym_d10_l12.json\nExit status: 0 same, 1 deviates by more "
      "than 1e-9, 2 not a trajectory that can be replayed.");
  command->callback([file, &status] { status = run_replay(*file); });
}

}  // namespace surefoot::cli
