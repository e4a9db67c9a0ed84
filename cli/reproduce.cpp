#include "experiments/reproduce.hpp"

#include <fmt/core.h>

#include <memory>
#include <sstream>
#include <string>

#include "cli/experiment_command.hpp"
#include "core/invalid_option.hpp"

namespace surefoot::cli {
namespace {

struct ReproduceRequest {
  ProtocolRequest protocol;
  std::string figure = "all";
  ExperimentRequest experiment;
};

std::set<int> figures_of(const std::string& text) {
  if (text == "all") return {};
  if (text.size() == 1 && text[0] >= '1' && text[0] <= '5') return {text[0] - '0'};
  reject("figure", "'" + text + "'", "it must be 1, 2, 3, 4, 5 or all");
}

/// A paragraph of lines that a terminal shows whole; those after the first are indented.
std::string wrapped(const std::string& text) {
  constexpr std::size_t indent = 10;
  constexpr std::size_t width = 100;
  std::istringstream words(text);
  std::string lines;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    const bool breaks = column > indent && column + 1 + word.size() > width;
    if (column > indent || breaks) lines += breaks ? "\n" + std::string(indent, ' ') : " ";
    column = (breaks ? indent : column + (column > indent ? 1 : 0)) + word.size();
    lines += word;
  }
  return lines;
}

void print(const Reproduction& result, const std::filesystem::path& out) {
  for (const Verdict& verdict : result.verdicts) {
    const char* mark = !verdict.holds ? "no verdict yet" : *verdict.holds ? "holds" : "does not hold";
    fmt::print("{}: {}\n  claim   {}\n  found   {}\n", verdict.question, mark, wrapped(verdict.claim),
               wrapped(verdict.answer));
  }
  fmt::print("written to {}: trials.csv, traces/, summary.json, report.html\n", out.string());
}

Protocol protocol_of(ReproduceRequest request) {
  request.protocol.figures = figures_of(request.figure);
  return make_protocol(request.protocol);
}

Exit run_reproduce(const ReproduceRequest& request) {
  return run_experiment(
      request.experiment, "runs", [request] { return reproduction_compute(protocol_of(request)); },
      [&](const ExperimentSettings& settings) {
        const Reproduction result = reproduce(protocol_of(request), settings);
        if (result.complete) print(result, settings.out);
        return result.complete;
      });
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
  add_experiment_options(*command, "trials", request->experiment, protocol.seed,
                         "surefoot reproduce --quick --out paper");
  command->callback([request, &status] { status = run_reproduce(*request); });
}

}  // namespace surefoot::cli
