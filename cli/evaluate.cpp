#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/evaluate_program.hpp"
#include "cli/minimize_request.hpp"
#include "cli/program_setup.hpp"
#include "core/invalid_option.hpp"
#include "driver/number_list.hpp"
#include "surefoot/problems.hpp"

namespace surefoot::cli {
namespace {

/// Reads numbers that are separated by blanks, tabs or commas.
std::vector<double> point_of_numbers(const std::string& line, int number, std::size_t dimension) {
  constexpr const char* separators = " \t,\r";
  std::vector<double> x;
  for (std::size_t at = line.find_first_not_of(separators); at != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    const char* first = line.data() + at + (line[at] == '+' && line[at + 1] != '-' ? 1 : 0);
    double value = 0;
    const auto [stop, error] = std::from_chars(first, line.data() + end, value);
    if (error != std::errc() || stop != line.data() + end) {
      reject(fmt::format("line {}", number), "'" + line.substr(at, end - at) + "'", "it must be a number");
    }
    x.push_back(value);
    at = line.find_first_not_of(separators, end);
  }
  if (x.size() != dimension) {
    reject(fmt::format("line {}", number), fmt::format("a list of {} numbers", x.size()),
           fmt::format("the problem has {} coordinates", dimension));
  }
  return x;
}

Exit evaluate_problem(const MinimizeRequest& request) {
  const Vector start = point_of("x0", request.x0);
  const std::optional<Index> dimension_of_x0 = start.size() > 0 ? std::optional(start.size()) : std::nullopt;
  const ProblemInstance problem =
      make_problem(request.problem, request.dim ? request.dim : dimension_of_x0, request.instance);
  const auto dimension = static_cast<std::size_t>(problem.start.size());
  int number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const std::vector<double> x = point_of_numbers(line, ++number, dimension);
    const std::vector<double> values =
        problem.is_constrained() ? values_of(problem.evaluation(x)) : std::vector<double>{problem(x)};
    fmt::print("{:.17g}\n", fmt::join(values, " "));
  }
  return Exit::success;
}

Exit run_evaluate(const MinimizeRequest& request, const std::vector<std::string>& settings) {
  if (request.problem.empty() == request.command.empty()) {
    throw std::invalid_argument("what to evaluate: give either --problem NAME or --command 'PROGRAM ...'");
  }
  if (!request.command.empty()) return evaluate_program(request, settings);
  refuse_without_program(request);
  if (!settings.empty() || request.check || !request.params.empty()) {
    throw std::invalid_argument("set, check and param: only together with --command, a program of yours");
  }
  return evaluate_problem(request);
}

}  // namespace

void add_evaluate(CLI::App& app, Exit& status) {
  CLI::App* command = app.add_subcommand("evaluate", "Print the values of a benchmark function or of your program");
  command->option_defaults()->take_last();
  auto request = std::make_shared<MinimizeRequest>();
  auto settings = std::make_shared<std::vector<std::string>>();
  add_options(*command, *request, evaluate_options());
  command->add_option("--set", *settings, "NAME=VALUE, any number of times: a point that is the start but for these")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->footer(
      "Evaluates the point of --set, or points from stdin, one per line, and prints f with 17 significant digits,\n"
      "one per line, followed by the values of constraints. --check shows everything about an evaluation by your\n"
      "program.\n"
      "Example: echo 1 2 3 | surefoot evaluate --problem bbob-f3 --instance 2 --dim 3\n"
      "Example: surefoot evaluate --command './sim params.ini' --template params.ini.in --param "
      "'rate=real(1e-5,1e-1,log)' --set rate=0.01 --check\n"
      "Exit status: 0 done, 2 bad usage, 3 an evaluation failed.");
  command->callback([request, settings, &status] {
    take_outputs(*request);
    status = run_evaluate(*request, *settings);
  });
}

}  // namespace surefoot::cli
