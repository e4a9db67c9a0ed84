#include <fmt/core.h>

#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "surefoot/bbob.hpp"
#include "surefoot/learning_rate.hpp"
#include "surefoot/problems.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot::cli {
namespace {

void list_bbob() {
  fmt::print("\n{:<12} {:<16} the BBOB suite [HansenFinck2009], many instances each (--instance)\n", "problem",
             "group");
  for (const BbobFunction& f : bbob_table()) fmt::print("{:<12} {:<16} {}\n", f.name, f.group, f.title);
}

void list_problems() {
  fmt::print("{:<12} {:>6} {:>6} {:>5}  {:<15} {}\n", "problem", "start", "sigma0", "x*", "citation",
             "f(x), f(x*) = 0");
  for (const Problem& p : problem_table()) {
    fmt::print("{:<12} {:>6} {:>6} {:>5}  {:<15} {}\n", p.name, p.start, p.sigma0, p.optimum, p.citation, p.formula);
  }
  list_bbob();
}

void list_methods() {
  fmt::print("strategies (--method)\n");
  for (const StrategyInfo& s : strategy_table()) fmt::print("  {:<8} {} [{}]\n", s.name, s.summary, s.citation);
  fmt::print("learning rates of the NES strategies (--learning-rate NAME[:KEY=VALUE,...])\n");
  for (const LearningRateInfo& l : learning_rate_table()) {
    fmt::print("  {:<8} {} [{}]\n           keys: {}\n", l.name, l.summary, l.citation, l.parameters);
  }
}

}  // namespace

void add_list(CLI::App& app, Exit& /*status*/) {
  CLI::App* command = app.add_subcommand("list", "Show what there is to choose from");
  command->require_subcommand(1);
  command->add_subcommand("problems", "Benchmark functions with start and optimum")->callback(list_problems);
  command->add_subcommand("methods", "Strategies and learning-rate policies with citations")->callback(list_methods);
  command->footer("Example: surefoot list problems");
}

}  // namespace surefoot::cli
