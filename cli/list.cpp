#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.hpp"
#include "surefoot/bbob.hpp"
#include "surefoot/constrained.hpp"
#include "surefoot/learning_rate.hpp"
#include "surefoot/method.hpp"
#include "surefoot/option_table.hpp"
#include "surefoot/practical.hpp"
#include "surefoot/problems.hpp"
#include "surefoot/stop.hpp"

namespace surefoot::cli {
namespace {

void list_bbob() {
  fmt::print("\n{:<12} {:<16} the BBOB suite [HansenFinck2009], many instances each (--instance)\n", "problem",
             "group");
  for (const BbobFunction& f : bbob_table()) fmt::print("{:<12} {:<16} {}\n", f.name, f.group, f.title);
}

void list_practical() {
  fmt::print("\n{:<16} {:>3}  {:<12} problems as users have them, with bounds\n", "problem", "dim", "best known");
  for (const PracticalProblem& p : practical_table()) {
    fmt::print("{:<16} {:>3}  {:<12.6g} {}. {}\n", p.name, p.dimension(), p.best_value, p.title, p.story);
  }
}

void list_constrained() {
  fmt::print("\n{:<9} {:>3} {:>3} {:>3}  {:<12} problems with constraints g <= 0 and h = 0\n", "problem", "dim", "g",
             "h", "best known");
  for (const ConstrainedProblem& p : constrained_table()) {
    fmt::print("{:<9} {:>3} {:>3} {:>3}  {:<12.7g} {} [{}]\n", p.name,
               p.dimension > 0 ? fmt::to_string(p.dimension) : "any", p.constraints, p.equalities, p.best_value,
               p.title, p.citation);
  }
}

void list_problems() {
  fmt::print("{:<12} {:>6} {:>6} {:>5}  {:<15} {}\n", "problem", "start", "sigma0", "x*", "citation",
             "f(x), f(x*) = 0");
  for (const Problem& p : problem_table()) {
    fmt::print("{:<12} {:>6} {:>6} {:>5}  {:<15} {}\n", p.name, p.start, p.sigma0, p.optimum, p.citation, p.formula);
  }
  list_practical();
  list_constrained();
  list_bbob();
}

void print_keys(const std::string& keys) {
  if (!keys.empty()) fmt::print("           keys: {}\n", keys);
}

void list_methods() {
  fmt::print("methods (--method NAME[:KEY=VALUE;...])\n");
  for (const MethodInfo& m : method_table()) {
    fmt::print("  {:<9} {} [{}]\n", m.name, m.summary, m.citation);
    print_keys(m.keys);
  }
  fmt::print("  {:<9} {}\n", "auto", summary_of_auto());
  fmt::print("learning rates of xnes (--learning-rate NAME[:KEY=VALUE,...])\n");
  for (const LearningRateInfo& l : learning_rate_table()) {
    fmt::print("  {:<9} {} [{}]\n", l.name, l.summary, l.citation);
    print_keys(l.parameters);
  }
}

/// For programs: scripts/test goes through the methods with it.
void print_methods_as_json() {
  using Json = nlohmann::ordered_json;
  Json methods = Json::array();
  for (const MethodInfo& m : method_table()) {
    methods.push_back({{"name", m.name},
                       {"summary", m.summary},
                       {"citation", m.citation},
                       {"keys", m.keys},
                       {"scale", name(m.scale)},
                       {"takes_learning_rate", m.takes_learning_rate},
                       {"wants_even_popsize", m.wants_even_popsize},
                       {"sets_popsize", m.sets_popsize},
                       {"default_popsize_10", m.default_popsize(10)}});
  }
  Json rates = Json::array();
  for (const LearningRateInfo& l : learning_rate_table()) {
    rates.push_back({{"name", l.name}, {"summary", l.summary}, {"citation", l.citation}, {"keys", l.parameters}});
  }
  fmt::print("{}\n", Json{{"methods", methods}, {"learning_rates", rates}}.dump(2));
}

void list_options() {
  std::string group;
  for (const OptionInfo& o : option_table()) {
    if (o.group != group) fmt::print("{}{}\n", group.empty() ? "" : "\n", o.group);
    group = o.group;
    fmt::print("  {:<18} {}{}\n", o.name, o.meaning, o.standard.empty() ? "" : fmt::format("; default {}", o.standard));
  }
}

std::string cell(const std::string& name, const char* dashes = "") {
  return name.empty() ? "" : fmt::format("`{}{}`", dashes, name);
}

/// docs/reference/options.md.
void print_options_page() {
  fmt::print(
      "# Options\n\nOptions have the same names in C++ (members of `Options`), on the command line and in Python "
      "(keyword arguments\nof `surefoot.minimize` and `surefoot.Optimizer`). C takes the names of the command line "
      "without the dashes, as in\n`sf_set(search, \"popsize\", \"20\")`; [how-to/c.md](../how-to/c.md) says which. "
      "`surefoot list options --markdown`\nprints this page. A test compares it with all three.\n");
  std::string group;
  for (const OptionInfo& o : option_table()) {
    if (o.group != group) {
      fmt::print("\n## {}\n\n| C++ | command line | Python | takes | default | meaning |\n|---|---|---|---|---|---|\n",
                 o.group);
    }
    group = o.group;
    fmt::print("| {} | {} | {} | {} | {} | {} |\n", cell(o.cpp), cell(o.cli, "--"), cell(o.python), o.takes, o.standard,
               o.meaning + (o.in_python.empty() ? "" : ". Python: " + o.in_python));
  }
}

void list_stops() {
  fmt::print("{:<16} {:>6}  {:<10}  {:<32} {}\n", "stop", "status", "kind", "options", "meaning");
  for (const StopInfo& s : stop_table()) {
    if (s.reason == StopReason::none) continue;
    fmt::print("{:<16} {:>6}  {:<10}  {:<32} {}\n", s.name, static_cast<int>(s.reason), name(s.kind), s.options,
               s.meaning);
  }
}

std::string code_words(std::string_view words) {
  std::string all;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    all += (all.empty() ? "`" : ", `") + std::string(words.substr(begin, end - begin)) + "`";
    begin = end + 1;
  }
  return all;
}

void print_stops_page() {
  fmt::print(
      "# Stop reasons\n\nWhy a search, or one run of a search with restarts, ends. `status` is the number that "
      "scripts see.\n`kind` decides about success and the exit status. `surefoot list stops --markdown` prints this "
      "page.\n\n| stop | status | kind | meaning | options | resumes | advice |\n|---|---|---|---|---|---|---|\n");
  for (const StopInfo& s : stop_table()) {
    if (s.reason == StopReason::none) continue;
    fmt::print("| `{}` | {} | {} | {} | {} | {} | {} |\n", s.name, static_cast<int>(s.reason), name(s.kind), s.meaning,
               code_words(s.options), words(s.resume), s.advice);
  }
}

}  // namespace

void add_list(CLI::App& app, Exit& /*status*/) {
  CLI::App* command = app.add_subcommand("list", "Show what there is to choose from");
  command->require_subcommand(1);
  command->add_subcommand("problems", "Benchmark functions with start and optimum")->callback(list_problems);
  CLI::App* methods = command->add_subcommand("methods", "Methods and learning-rate policies with citations");
  auto json = std::make_shared<bool>(false);
  methods->add_flag("--json", *json, "For programs");
  methods->callback([json] { *json ? print_methods_as_json() : list_methods(); });
  CLI::App* options = command->add_subcommand("options", "Options of a search, in C++, here and in Python");
  auto markdown = std::make_shared<bool>(false);
  options->add_flag("--markdown", *markdown, "As docs/reference/options.md has them");
  options->callback([markdown] { *markdown ? print_options_page() : list_options(); });
  CLI::App* stops = command->add_subcommand("stops", "Why searches end, and the options that decide about it");
  auto as_page = std::make_shared<bool>(false);
  stops->add_flag("--markdown", *as_page, "As docs/reference/stop-reasons.md has them");
  stops->callback([as_page] { *as_page ? print_stops_page() : list_stops(); });
  command->footer("Example: surefoot list problems");
}

}  // namespace surefoot::cli
