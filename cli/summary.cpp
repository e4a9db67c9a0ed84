#include "cli/summary.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/bounds_text.hpp"
#include "cli/limits_text.hpp"
#include "core/printable_text.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot::cli {
namespace {

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

/// With two coordinates the order is lexicographic anyway.
std::string advice_on_feasibility(const Result& result, const Options& options) {
  const bool may_be_other = options.constraints_mode != "lexicographic" && result.x.size() > 2;
  return std::string("no point met all constraints: start nearer to where they hold, or raise --maxfevals") +
         (may_be_other ? ", or try --constraints-mode lexicographic" : "");
}

/// A search that has converged without a budget: one brings a model, which needs a part of the evaluations.
std::string advice_on_budget(const Result& result, const Options& options) {
  constexpr std::int64_t many = 200;
  const bool has_budget = options.maxfevals || options.maxiter || options.timeout || options.ftarget;
  const bool may_have_model = options.method == "ig-xnes" && options.model == "none" && result.x.size() <= 40;
  if (has_budget || !may_have_model || result.nfev < many || result.ncev > 0) return {};
  return fmt::format("no budget was given; with one, such as --maxfevals {}, a model may need far fewer evaluations",
                     result.nfev / 4);
}

/// Empty if there is nothing to advise.
std::string advice(const Result& result, const Options& options, std::int64_t same_values) {
  constexpr std::int64_t few = 10;
  if (result.success) return advice_on_budget(result, options);
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
  if (info.kind == StopKind::budget && result.noise > 0) {
    return fmt::format("noise sets the limit, and ten times the evaluations push it back by about 3: {}", info.advice);
  }
  if (info.kind == StopKind::budget && !result.values.space().empty()) return std::string(info.advice);
  if (info.kind == StopKind::budget) {
    return fmt::format("the standard deviations are still up to {:.2g}: {}", result.stds.maxCoeff(), info.advice);
  }
  const bool is_local = info.kind == StopKind::converged || result.stop == StopReason::tolstagnation;
  if (is_local && options.restarts.kind != Restarts::Kind::none) return {};
  return std::string(info.advice);
}

/// What `auto` stood for, if there is a model.
std::string method_line(const Result& result, const Options& options) {
  if (options.model == "none") return {};
  const bool has_idle_workers = options.workers > options.batch.size;
  std::string share;
  if (result.nit > 0) {
    share = fmt::format("; {:.2g} candidates of a generation are evaluated, the others are predicted",
                        static_cast<double>(result.nfev) / static_cast<double>(result.nit));
  }
  return fmt::format("method   {} with a {} model{}{}\n", options.method, options.model, share,
                     has_idle_workers ? "; --batch auto would keep more of the workers busy" : "");
}

std::string constraints_lines(const Result& result, const OutputUse& use) {
  if (result.constraints.empty()) return {};
  if (!use.limits().empty()) {
    return (result.feasible ? "limits   all met\n" : "limits   not met\n") +
           limits_table(states_of(use.limits(), result.constraints, result.multipliers));
  }
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
  const std::vector<double> multipliers(result.multipliers.begin(), result.multipliers.end());
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
std::string best_lines(const Result& result, const OutputUse& use) {
  if (!is_finite(result.fun)) return "best f   no value was finite\n";
  const std::string name = use.objective().empty() ? "" : fmt::format(" ({})", use.objective());
  const std::string maximum =
      use.is_maximized() ? fmt::format(" ({} = {:.10g}, maximized)", use.objective(), -result.fun) : name;
  // Under noise the mean of several evaluations, with its standard error.
  const std::string error = result.fun_std > 0 ? fmt::format(" +- {:.2g}", result.fun_std) : "";
  return fmt::format("best f   {:.10g}{}{}\n{} {}\n", result.fun, error, maximum,
                     result.values.space().empty() ? "at x    " : "at      ", point(result));
}

/// Evaluations and seconds of all parts of a search that was resumed.
std::string cost_line(const SearchEnd& end) {
  const Result& result = end.result;
  const std::string before = end.nfev_before == 0 ? ""
                                                  : fmt::format("; {} evaluations and {:.3g} s of it before this part",
                                                                grouped(end.nfev_before), end.seconds_before);
  return fmt::format("cost     {} evaluation{}, {} generation{}, {:.3g} s (seed {}){}\n", grouped(result.nfev),
                     result.nfev == 1 ? "" : "s", grouped(result.nit), result.nit == 1 ? "" : "s", end.seconds,
                     result.seed, before);
}

std::string bounds_line(const Result& result, const Options& options) {
  if (!is_finite(result.fun)) return {};
  const std::string hit = parameters_at_bounds(result.values.space(), options.bounds, result.x);
  return hit.empty() ? "" : "bounds   the best point is at " + hit + "; a better one may lie beyond\n";
}

}  // namespace

std::string summary(const SearchEnd& end) {
  const Result& result = end.result;
  const Options& options = end.options;
  std::string text = best_lines(result, end.use) + fmt::format("stopped  {}\n", result.message) + cost_line(end) +
                     constraints_lines(result, end.use) + bounds_line(result, options) + method_line(result, options) +
                     failures_line(result) + runs_lines(result);
  const std::string next = advice(result, options, end.same_values);
  if (!next.empty()) text += fmt::format("next     {}\n", next);
  return printable(text);  // a message may quote what a program printed
}

}  // namespace surefoot::cli
