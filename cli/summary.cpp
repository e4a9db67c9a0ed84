#include "cli/summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace surefoot::cli {
namespace {

std::vector<double> to_std(const Vector& v) { return {v.begin(), v.end()}; }

/// 1234567 as 1 234 567.
std::string grouped(std::int64_t count) {
  if (count < 1000) return std::to_string(count);
  return fmt::format("{} {:03}", grouped(count / 1000), count % 1000);
}

std::string point(const Vector& x) {
  constexpr Index shown = 12;
  std::string text;
  for (Index j = 0; j < std::min(x.size(), shown); ++j) text += fmt::format("{}{:.6g}", j == 0 ? "" : ", ", x[j]);
  return x.size() > shown ? fmt::format("{}, ... ({} coordinates; --json shows all)", text, x.size()) : text;
}

/// Empty if there is nothing to advise.
std::string advice(const Result& result, const Options& options) {
  if (result.success) return {};
  if (!std::isfinite(result.fun)) return "no evaluation gave a finite value: check the objective at the start point";
  switch (result.stop) {
    case StopReason::maxfevals:
      return fmt::format("the standard deviations are still up to {:.2g}: raise --maxfevals", result.stds.maxCoeff());
    case StopReason::maxiter:
      return fmt::format("the standard deviations are still up to {:.2g}: {}", result.stds.maxCoeff(),
                         options.maxiter ? "raise --maxiter" : "set --maxfevals to search longer");
    case StopReason::timeout: return "raise --timeout to search longer";
    case StopReason::vanished:
    case StopReason::tolx:
    case StopReason::tolfun:
    case StopReason::tolfunhist:
    case StopReason::noeffectaxis:
    case StopReason::noeffectcoord:
    case StopReason::tolstagnation:
      if (options.restarts.kind != Restarts::Kind::none) return {};
      return "it converged to a local optimum: try --restarts bipop, another --seed or a larger --popsize";
    case StopReason::tolflatfitness:
      return "the objective does not change around the start, however wide the search: start elsewhere";
    case StopReason::exploded:
    case StopReason::non_finite:
    case StopReason::lost_rank:
    case StopReason::tolupsigma:
    case StopReason::tolconditioncov:
      return "the learning rate was too high for this popsize, or the objective has no minimum: raise --popsize, use "
             "--learning-rate fixed or set bounds";
    case StopReason::infeasible:
      return "most points are infeasible: choose a smaller --sigma0, or return a finite penalty";
    case StopReason::failing: return "look at the failures: --trace writes every one with its reason";
    case StopReason::none:
    case StopReason::callback:
    case StopReason::interrupted:
    case StopReason::ftarget: return {};
  }
  return {};
}

}  // namespace

namespace {

std::string failures_line(const Result& result) {
  if (result.nfailed == 0) return {};
  return fmt::format("failed   {} of {} evaluations\n", grouped(result.nfailed), grouped(result.nfev));
}

std::string runs_lines(const Result& result) {
  if (result.runs.size() < 2) return {};
  std::string text;
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    const RunSummary& run = result.runs[i];
    text += fmt::format("run {:<4} popsize {}, best f {:.6g}, {} evaluations, {}\n", i + 1, run.popsize, run.fun,
                        grouped(run.nfev), name(run.stop));
  }
  return text;
}

}  // namespace

std::string summary(const Result& result, const Options& options, double seconds) {
  std::string text = fmt::format(
      "best f   {:.10g}\n"
      "at x     {}\n"
      "stopped  {}\n"
      "cost     {} evaluations, {} generations, {:.3g} s (seed {})\n",
      result.fun, point(result.x), result.message, grouped(result.nfev), grouped(result.nit), seconds, result.seed);
  text += failures_line(result) + runs_lines(result);
  const std::string next = advice(result, options);
  if (!next.empty()) text += fmt::format("next     {}\n", next);
  return text;
}

std::string json(const Result& result) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const RunSummary& run : result.runs) {
    runs.push_back({{"popsize", run.popsize},
                    {"sigma_factor", run.sigma_factor},
                    {"nfev", run.nfev},
                    {"nit", run.nit},
                    {"fun", run.fun},
                    {"stop", name(run.stop)}});
  }
  const nlohmann::ordered_json object = {{"x", to_std(result.x)},
                                         {"fun", result.fun},
                                         {"nfev", result.nfev},
                                         {"nit", result.nit},
                                         {"nfailed", result.nfailed},
                                         {"success", result.success},
                                         {"status", static_cast<int>(result.stop)},
                                         {"stop", name(result.stop)},
                                         {"message", result.message},
                                         {"seed", result.seed},
                                         {"xfavorite", to_std(result.xfavorite)},
                                         {"stds", to_std(result.stds)},
                                         {"runs", runs}};
  return object.dump();
}

}  // namespace surefoot::cli
