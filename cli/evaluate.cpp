#include <fmt/core.h>

#include <charconv>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "core/invalid_option.hpp"
#include "surefoot/problems.hpp"

namespace surefoot::cli {
namespace {

struct EvaluateRequest {
  std::string problem;
  std::optional<int> instance;
  std::optional<Index> dim;
};

/// Reads numbers that are separated by blanks, tabs or commas.
std::vector<double> point_of(const std::string& line, int number, std::size_t dimension) {
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

Exit run_evaluate(const EvaluateRequest& request) {
  const ProblemInstance problem = make_problem(request.problem, request.dim, request.instance);
  const auto dimension = static_cast<std::size_t>(problem.start.size());
  int number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    fmt::print("{:.17g}\n", problem(point_of(line, ++number, dimension)));
  }
  return Exit::success;
}

}  // namespace

void add_evaluate(CLI::App& app, Exit& status) {
  CLI::App* command = app.add_subcommand("evaluate", "Print the values of a benchmark function");
  auto request = std::make_shared<EvaluateRequest>();
  command->add_option("--problem", request->problem, "See 'surefoot list problems'")->required();
  command->add_option("--instance", request->instance, "Instance of a BBOB problem; default 1");
  command->add_option("--dim", request->dim, "Number of coordinates; practical problems have their own");
  command->footer(
      "Reads points from stdin, one a line, and prints f with 17 significant digits, one a line.\n"
      "Example: echo 1 2 3 | surefoot evaluate --problem bbob-f3 --instance 2 --dim 3\n"
      "Exit status: 0 done, 2 bad usage.");
  command->callback([request, &status] { status = run_evaluate(*request); });
}

}  // namespace surefoot::cli
