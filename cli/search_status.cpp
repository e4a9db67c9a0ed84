#include "cli/search_status.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/bounds_text.hpp"
#include "cli/limits_text.hpp"
#include "cli/minimize_setup.hpp"
#include "cli/program_setup.hpp"
#include "cli/progress.hpp"
#include "core/invalid_option.hpp"
#include "core/printable_text.hpp"
#include "driver/telling_line.hpp"
#include "evaluators/account_text.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot::cli {
namespace {

constexpr Index most_shown = 12;  // coordinates

std::string point_text(const Space& space, const Vector& x) {
  const std::string more = x.size() > most_shown ? fmt::format(", ... ({} coordinates)", x.size()) : "";
  return describe(space, x, 6, most_shown) + more;
}

std::string budget_text(const Options& options) {
  std::string all;
  if (options.maxfevals) all += fmt::format(", at most {} evaluations", *options.maxfevals);
  if (options.maxiter) all += fmt::format(", at most {} generations", *options.maxiter);
  if (options.timeout) all += fmt::format(", at most {}", clock_time(*options.timeout));
  if (options.ftarget) all += fmt::format(", target {}", text(*options.ftarget));
  return all.empty() ? ", until it converges" : all;
}

/// A name, and whether `auto` has chosen it.
std::string chosen(const std::string& name, bool by_auto) { return by_auto ? name + " (auto)" : name; }

std::string failures_text(const SearchStatus& status, const MinimizeRequest& request, const Space& space) {
  if (status.progress.nfailed == 0) return "failed   none\n";
  std::string all;
  for (std::size_t k = 0; k < status.failures.size(); ++k) {
    const FailureCount& failure = status.failures[k];
    if (failure.count == 0) continue;
    const std::string kind(name(static_cast<FailureKind>(k)));
    all += fmt::format("failed   {} of {}: {}{}{}\n", failure.count, status.progress.nfev, kind,
                       failure.reason.empty() ? "" : ", ", telling_line(failure.reason));
    all += fmt::format("           at {}\n", point_text(space, failure.x));
    all += fmt::format("           again: {}\n", repeat_command(request, space, failure.x));
  }
  return all;
}

std::string course_text(const SearchStatus& status) {
  if (status.course.empty()) return status.no_course.empty() ? "" : fmt::format("course   {}\n", status.no_course);
  std::string all = fmt::format("course\n{:>8} {:>9} {:>15} {:>9}\n", "gen", "evals", "best f", "sigma");
  for (const Progress& p : status.course) {
    const std::string sigma = p.sigma > 0 ? fmt::format("{:.2e}", p.sigma) : "-";
    all += fmt::format("{:8} {:9} {:15.9g} {:>9}{}\n", p.generation, p.nfev, p.best, sigma, violation_note(p));
  }
  return all;
}

/// How widely each parameter is searched now.
std::string spread_text(const Space& space, const Vector& stds) {
  if (stds.size() == 0) return {};
  std::string all;
  for (Index j = 0; j < std::min(most_shown, stds.size()); ++j) {
    const bool is_choice = !space.empty() && space[j].kind == Parameter::Kind::choice;
    if (is_choice || (!space.empty() && space[j].is_fixed())) continue;
    const bool is_factor = !space.empty() && space[j].log;
    all += fmt::format("{}{} {}{:.2g}", all.empty() ? "" : ", ", parameter_name(space, j), is_factor ? "factor " : "",
                       stds[j]);
  }
  if (all.empty()) return {};
  return fmt::format("spread   {}{} (standard deviations of the search)\n", all,
                     stds.size() > most_shown ? ", ..." : "");
}

std::string limits_text(const SearchStatus& status) {
  if (status.constraints.empty() || !is_finite(status.progress.best)) return {};
  const bool is_met = status.progress.violation == 0;
  return fmt::format("limits   {}\n", is_met ? "all met" : "not met: " + status.rules.describe(status.constraints)) +
         limits_table(states_of(status.limits, status.constraints, status.multipliers));
}

/// What `surefoot evaluate` must know about the objective.
std::string objective_words(const MinimizeRequest& request, Index dimension) {
  std::string line;
  const auto add = [&line](const std::string& option, const std::string& value) {
    if (!value.empty()) line += " --" + option + " " + shell_text(value);
  };
  if (!request.problem.empty()) {
    add("problem", request.problem);
    add("dim", text(dimension));
    if (request.instance) add("instance", text(*request.instance));
    return line;
  }
  add("command", request.command);
  add("args", request.args);
  add("input", request.input);
  for (const std::string& file : request.templates) add("template", file);
  for (const std::string& output : request.outputs) add("output", output);
  add("minimize", request.minimize);
  add("maximize", request.maximize);
  for (const std::string& limit : request.limits) add("limit", limit);
  for (const std::string& param : request.params) add("param", param);
  if (request.options.constraints > 0 && output_use(request).is_plain())
    add("constraints", text(request.options.constraints));
  if (request.options.equalities > 0) add("equalities", text(request.options.equalities));
  if (request.eval_timeout) add("eval-timeout", text(*request.eval_timeout));
  return line + " --check";
}

}  // namespace

std::string first_line(const MinimizeRequest& request, const Optimizer& search) {
  constexpr std::size_t longest = 30;
  std::string objective = objective_of(request);
  if (request.problem.empty()) {
    const bool is_long = request.command.size() > longest;
    objective = "the program '" + request.command.substr(0, longest) + (is_long ? "...'" : "'");
  }
  if (const OutputUse use = output_use(request); use.is_maximized()) objective += ", maximizing " + use.objective();
  const Options& options = search.options();
  const Index d = search.dimension();
  return fmt::format("{}: {} parameter{}, method {}{}, popsize {}{}, seed {}", objective, d, d == 1 ? "" : "s",
                     chosen(options.method, request.options.method == "auto"),
                     options.model == "none" ? "" : fmt::format(" with a {} model", options.model),
                     search.strategy().popsize(), budget_text(options), search.seed());
}

std::string search_line(const MinimizeRequest& request, const Optimizer& search) {
  const Options& options = search.options();
  const Options& given = request.options;
  const Index d = search.dimension();
  std::string line = fmt::format("{}: {} parameter{}, method {}", objective_of(request), d, d == 1 ? "" : "s",
                                 chosen(options.method, given.method == "auto"));
  if (options.model != "none") line += fmt::format(" with a {} model", chosen(options.model, given.model == "auto"));
  line += fmt::format(", popsize {}", search.strategy().popsize());
  const std::string restarts = options.restarts.text();
  if (restarts != "none") line += ", restarts " + chosen(restarts, given.restarts.kind == Restarts::Kind::automatic);
  return line + budget_text(options) + fmt::format(", seed {}", search.seed());
}

/// Names are set; what has none is a line of numbers.
std::string repeat_command(const MinimizeRequest& request, const Space& space, const Vector& x) {
  const std::string evaluate = "surefoot evaluate" + objective_words(request, x.size());
  if (space.empty() || request.command.empty()) {
    std::string numbers;
    for (Index j = 0; j < x.size(); ++j) numbers += (j > 0 ? " " : "") + text(x[j]);
    return "echo " + shell_text(numbers) + " | " + evaluate;
  }
  std::string settings;
  for (Index j = 0; j < x.size(); ++j) {
    settings += " --set " + shell_text(space[j].name + "=" + parameter_text(space, j, x[j]));
  }
  return evaluate + settings;
}

Options budgets_of(const Optimizer& search, const MinimizeRequest& request) {
  Options options = search.options();
  options.maxiter = request.options.maxiter;  // its default is one of each run
  return options;
}

SearchStatus status_of(const Optimizer& search, const MinimizeRequest& request) {
  const Result result = search.result();
  SearchStatus status;
  status.about = search_line(request, search);
  status.x = result.x;
  status.rules = named_rules(request);
  status.constraints = result.constraints;
  status.limits = output_use(request).limits();
  status.multipliers = result.multipliers;
  status.failures = search.failures();
  status.workers = search.options().workers;
  status.bounds = parameters_at_bounds(search.space(), search.options().bounds, result.x);
  status.stds = result.stds;
  status.progress = {.generation = result.nit,
                     .nfev = result.nfev,
                     .nfailed = result.nfailed,
                     .best = result.fun,
                     .violation = result.violation,
                     .sigma = search.strategy().distribution().sigma(),
                     .run = static_cast<std::int64_t>(result.runs.size())};
  return status;
}

std::string status_text(const SearchStatus& status, const MinimizeRequest& request, const Space& space) {
  const Progress& p = status.progress;
  std::string all = fmt::format("search   {}\nstate    {}\n", status.about, status.state);
  all += is_finite(p.best) ? fmt::format("best f   {:.10g}\nat       {}\n", p.best, point_text(space, status.x))
                           : fmt::format("best f   no value {}yet\n", p.nfev > 0 ? "was finite " : "");
  all += limits_text(status);
  if (is_finite(p.best) && !status.bounds.empty()) {
    all += fmt::format("bounds   the best point is at {}; a better one may lie beyond\n", status.bounds);
  }
  all += fmt::format("so far   {} evaluation{}, {} generation{}{}, {}, {:.3g} evaluations a second\n", p.nfev,
                     p.nfev == 1 ? "" : "s", p.generation, p.generation == 1 ? "" : "s",
                     p.run > 1 ? fmt::format(", run {}", p.run) : "", clock_time(p.elapsed), p.pace);
  all += spread_text(space, status.stds);
  if (!status.program.empty()) all += fmt::format("program  {}\n", status.program);
  if (p.left) all += fmt::format("left     at most {}\n", clock_time(std::max(0.0, *p.left)));
  all += fmt::format("workers  {}\n", status.workers);
  return printable(all + failures_text(status, request, space) + course_text(status));
}

}  // namespace surefoot::cli
