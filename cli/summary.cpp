#include "cli/summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "core/printable_text.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot::cli {
namespace {

std::vector<double> to_std(const Vector& v) { return {v.begin(), v.end()}; }

/// 1234567 as 1 234 567.
std::string grouped(std::int64_t count) {
  if (count < 1000) return std::to_string(count);
  return fmt::format("{} {:03}", grouped(count / 1000), count % 1000);
}

std::string point(const Result& result) {
  constexpr Index shown = 12;
  const Vector& x = result.x;
  if (!result.values.space().empty()) {
    const std::string named = describe(result.values.space(), x, 6, shown);
    return x.size() > shown ? fmt::format("{}, ... ({} parameters; --json shows all)", named, x.size()) : named;
  }
  std::string text;
  for (Index j = 0; j < std::min(x.size(), shown); ++j) text += fmt::format("{}{:.6g}", j == 0 ? "" : ", ", x[j]);
  return x.size() > shown ? fmt::format("{}, ... ({} coordinates; --json shows all)", text, x.size()) : text;
}

/// Values by name: numbers, integers without a fraction, names of choices.
nlohmann::ordered_json params_of(const Result& result) {
  nlohmann::ordered_json params = nlohmann::ordered_json::object();
  const Space& space = result.values.space();
  for (Index j = 0; j < space.size(); ++j) {
    const double value = result.x[j];
    const Parameter& p = space[j];
    if (p.kind == Parameter::Kind::choice) {
      params[p.name] = p.format(value);
    } else if (p.kind == Parameter::Kind::integer) {
      params[p.name] = static_cast<std::int64_t>(value);
    } else {
      params[p.name] = value;
    }
  }
  return params;
}

/// With two coordinates the order is lexicographic anyway.
std::string advice_on_feasibility(const Result& result, const Options& options) {
  const bool may_be_other = options.constraints_mode != "lexicographic" && result.x.size() > 2;
  return std::string("no point met all constraints: start nearer to where they hold, or raise --maxfevals") +
         (may_be_other ? ", or try --constraints-mode lexicographic" : "");
}

/// Empty if there is nothing to advise.
std::string advice(const Result& result, const Options& options, std::int64_t same_values) {
  constexpr std::int64_t few = 10;
  if (result.success) return {};
  if (!is_finite(result.fun)) return "no evaluation gave a finite value: --check shows one at the start point";
  if (2 * result.nfailed > result.nfev) {
    return "most evaluations failed, so a larger budget would not help: --trace FILE tells the reason of each, --check "
           "shows one";
  }
  if (!result.feasible) return advice_on_feasibility(result, options);
  if (same_values >= few) {
    return fmt::format("all {} evaluations gave the same value: does f depend on its parameters?",
                       grouped(same_values));
  }
  const StopInfo& info = stop_info(result.stop);
  if (info.kind == StopKind::budget && !result.values.space().empty()) return std::string(info.advice);
  if (info.kind == StopKind::budget) {
    return fmt::format("the standard deviations are still up to {:.2g}: {}", result.stds.maxCoeff(), info.advice);
  }
  const bool is_local = info.kind == StopKind::converged || result.stop == StopReason::tolstagnation;
  if (is_local && options.restarts.kind != Restarts::Kind::none) return {};
  return std::string(info.advice);
}

/// What `auto` stood for, if there is a model.
std::string method_line(const Options& options) {
  if (options.model == "none") return {};
  const bool has_idle_workers = options.workers > options.batch.size;
  return fmt::format("method   {} with a {} model{}\n", options.method, options.model,
                     has_idle_workers ? "; --batch auto would keep more of the workers busy" : "");
}

/// Values of the constraints at the best point, inequalities g and equalities h.
std::vector<double> part_of_constraints(const Result& result, const Options& options, bool equalities) {
  const auto middle =
      result.constraints.begin() + std::min<std::ptrdiff_t>(options.constraints, std::ssize(result.constraints));
  return equalities ? std::vector<double>(middle, result.constraints.end())
                    : std::vector<double>(result.constraints.begin(), middle);
}

std::string constraints_lines(const Result& result) {
  if (result.constraints.empty()) return {};
  constexpr std::size_t shown = 8;
  const auto numbers = [&](const std::vector<double>& all) {
    std::string list;
    for (std::size_t i = 0; i < std::min(shown, all.size()); ++i) {
      list += fmt::format("{}{} = {:.4g}", i == 0 ? "" : ", ", result.constraint_names[i], all[i]);
    }
    return list + (all.size() > shown ? fmt::format(", ... ({} constraints; --json shows all)", all.size()) : "");
  };
  std::string lines = fmt::format("limits   {}: {}\n",
                                  result.feasible ? "all met" : fmt::format("violated by {:.3g}", result.violation),
                                  numbers(result.constraints));
  const std::vector<double> multipliers = to_std(result.multipliers);
  if (!multipliers.empty()) lines += fmt::format("         multipliers: {}\n", numbers(multipliers));
  return lines;
}

std::string failures_line(const Result& result) {
  if (result.nfailed == 0) return {};
  return fmt::format("failed   {} of {} evaluations\n", grouped(result.nfailed), grouped(result.nfev));
}

/// A run may end at its share of the budget, long before the search does.
std::string end_of_run(const Result& result, std::size_t i) {
  const StopReason stop = result.runs[i].stop;
  const bool ends_search = i + 1 == result.runs.size() && result.stop == stop;
  if (stop == StopReason::maxfevals && !ends_search) return "its share of the budget used";
  return std::string(name(stop));
}

std::string runs_lines(const Result& result) {
  if (result.runs.size() < 2) return {};
  std::string text;
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    const RunSummary& run = result.runs[i];
    text += fmt::format("run {:<4} popsize {}, best f {}, {} evaluation{}, {}\n", i + 1, run.popsize,
                        is_finite(run.fun) ? fmt::format("{:.6g}", run.fun) : "none", grouped(run.nfev),
                        run.nfev == 1 ? "" : "s", end_of_run(result, i));
  }
  return text;
}

/// The point of a search without a value is only where it began.
std::string best_lines(const Result& result) {
  if (!is_finite(result.fun)) return "best f   no value was finite\n";
  return fmt::format("best f   {:.10g}\n{} {}\n", result.fun, result.values.space().empty() ? "at x    " : "at      ",
                     point(result));
}

}  // namespace

std::string summary(const Result& result, const Options& options, double seconds, std::int64_t same_values) {
  std::string text = best_lines(result);
  text += fmt::format(
      "stopped  {}\n"
      "cost     {} evaluation{}, {} generation{}, {:.3g} s (seed {})\n",
      result.message, grouped(result.nfev), result.nfev == 1 ? "" : "s", grouped(result.nit),
      result.nit == 1 ? "" : "s", seconds, result.seed);
  text += constraints_lines(result) + method_line(options) + failures_line(result) + runs_lines(result);
  const std::string next = advice(result, options, same_values);
  if (!next.empty()) text += fmt::format("next     {}\n", next);
  return printable(text);  // a message may quote what a program printed
}

std::string json(const Result& result, const Options& options) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const RunSummary& run : result.runs) {
    runs.push_back({{"popsize", run.popsize},
                    {"sigma_factor", run.sigma_factor},
                    {"nfev", run.nfev},
                    {"nit", run.nit},
                    {"fun", run.fun},
                    {"stop", name(run.stop)}});
  }
  nlohmann::ordered_json object = {{"x", to_std(result.x)},
                                   {"fun", result.fun},
                                   {"nfev", result.nfev},
                                   {"nit", result.nit},
                                   {"nfailed", result.nfailed},
                                   {"success", result.success},
                                   {"status", static_cast<int>(result.stop)},
                                   {"stop", name(result.stop)},
                                   {"message", result.message},
                                   {"seed", result.seed},
                                   {"method", options.method},
                                   {"model", options.model},
                                   {"xfavorite", to_std(result.xfavorite)},
                                   {"stds", to_std(result.stds)},
                                   {"last_run_mean", to_std(result.last_run_mean)},
                                   {"last_run_stds", to_std(result.last_run_stds)},
                                   {"runs", runs}};
  if (!result.values.space().empty()) object["params"] = params_of(result);
  if (result.ncev > 0) {
    object["feasible"] = result.feasible;
    object["violation"] = result.violation;
    object["constraint_names"] = result.constraint_names;
    object["g"] = part_of_constraints(result, options, false);
    object["h"] = part_of_constraints(result, options, true);
    object["multipliers"] = to_std(result.multipliers);
    object["ncev"] = result.ncev;
  }
  // A message may quote what a program printed, which may be no UTF-8.
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace surefoot::cli
