#include "surefoot/minimize.hpp"

#include <fmt/core.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/summary.hpp"
#include "cli/trace_writer.hpp"
#include "core/invalid_option.hpp"
#include "surefoot/problems.hpp"

namespace surefoot::cli {
namespace {

/// The command line as it was typed; the library decides what is allowed.
struct Request {
  std::string problem;
  std::optional<std::int64_t> dim;
  std::vector<double> x0;
  std::vector<double> sigma0;
  std::string learning_rate = "auto";
  Options options;
  std::string trace;
  bool json = false;
};

Vector start_of(const Request& request, const Problem& problem) {
  const auto given = static_cast<Index>(request.x0.size());
  if (request.dim && *request.dim < 1) reject("dim", *request.dim, "it must be at least 1");
  if (request.dim && given > 0 && *request.dim != given) {
    reject("dim", *request.dim, fmt::format("x0 has {} coordinates; leave one of them out or make them agree", given));
  }
  if (!request.dim && given == 0) throw std::invalid_argument("dim is missing: give --dim N or --x0 X1,X2,...");
  Vector x0 = given > 0 ? Point(request.x0).vector() : Vector::Constant(*request.dim, problem.start);
  if (x0.size() < problem.min_dimension) {
    reject("dim", x0.size(), fmt::format("{} needs at least {}", problem.name, problem.min_dimension));
  }
  return x0;
}

Sigma0 sigma_of(const Request& request, const Problem& problem) {
  if (request.sigma0.empty()) return problem.sigma0;
  if (request.sigma0.size() == 1) return request.sigma0.front();
  return request.sigma0;
}

Exit run_minimize(Request& request) {
  const Problem& problem = find_problem(request.problem);
  const Vector x0 = start_of(request, problem);
  Options& options = request.options;
  options.learning_rate = request.learning_rate;

  std::optional<TraceWriter> trace;
  if (!request.trace.empty()) {
    options.observer = [](const Record&) {};
    const Optimizer valid(x0, sigma_of(request, problem), options);  // wrong input must not cost an existing trace file
    trace.emplace(request.trace);
    options.observer = std::ref(*trace);
  }

  const auto begin = std::chrono::steady_clock::now();
  const Result result = minimize(problem, x0, sigma_of(request, problem), options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

  if (trace) trace->close();
  if (request.json) {
    fmt::print("{}\n", json(result));
  } else {
    fmt::print("{}", summary(result, options, elapsed.count()));
  }
  return result.success ? Exit::success : Exit::stopped;
}

}  // namespace

void add_minimize(CLI::App& app, Exit& status) {
  CLI::App* command = app.add_subcommand("minimize", "Minimise a function");
  auto request = std::make_shared<Request>();
  Options& options = request->options;
  command->add_option("--problem", request->problem, "Benchmark function: see 'surefoot list problems'")->required();
  command->add_option("--dim", request->dim, "Number of coordinates");
  command->add_option("--x0", request->x0, "Start point X1,X2,...; default from the problem's table")->delimiter(',');
  command->add_option("--sigma0", request->sigma0, "Start standard deviation, one or one per coordinate")
      ->delimiter(',');
  command->add_option("--method", options.method, "Strategy: see 'surefoot list methods'")->capture_default_str();
  command->add_option("--learning-rate", request->learning_rate, "Policy, e.g. fixed:8, lra, lra:frame=B")
      ->capture_default_str();
  command->add_option("--popsize", options.popsize, "Candidates a generation; default 4 + floor(3 ln dim)");
  command->add_option("--seed", options.seed, "Same seed, same result; default: drawn and shown")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--ftarget", options.ftarget, "Stop when f <= ftarget");
  command->add_option("--maxfevals", options.maxfevals,
                      "Stop after so many evaluations; a generation is always finished");
  command->add_option("--maxiter", options.maxiter,
                      "Stop after so many generations; default without budget: 100 + 150 (dim+3)^2/sqrt(popsize)");
  command->add_option("--trace", request->trace, "Write one JSON line a generation to this file");
  command->add_flag("--json", request->json, "Print one JSON object instead of a summary");
  command->footer(
      "Example: surefoot minimize --problem rastrigin --dim 10 --popsize 300 --learning-rate lra --seed 1 --ftarget "
      "1e-8\n"
      "Exit status: 0 target reached or converged, 1 stopped before that, 2 bad usage.");
  command->callback([request, &status] { status = run_minimize(*request); });
}

}  // namespace surefoot::cli
