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
  if (std::isnan(result.fun)) return "no evaluation gave a finite value: check the objective at the start point";
  switch (result.stop) {
    case StopReason::maxfevals:
      return fmt::format("the standard deviations are still up to {:.2g}: raise --maxfevals", result.stds.maxCoeff());
    case StopReason::maxiter:
      return fmt::format("the standard deviations are still up to {:.2g}: {}", result.stds.maxCoeff(),
                         options.maxiter ? "raise --maxiter" : "set --maxfevals to search longer");
    case StopReason::vanished: return "it converged to a local optimum: try another --seed or a larger --popsize";
    case StopReason::exploded:
    case StopReason::non_finite:
    case StopReason::lost_rank:
      return "the learning rate was too high for this popsize: raise --popsize or use --learning-rate fixed";
    case StopReason::none:
    case StopReason::ftarget: return {};
  }
  return {};
}

}  // namespace

std::string summary(const Result& result, const Options& options, double seconds) {
  std::string text = fmt::format(
      "best f   {:.10g}\n"
      "at x     {}\n"
      "stopped  {}\n"
      "cost     {} evaluations, {} generations, {:.3g} s (seed {})\n",
      result.fun, point(result.x), result.message, grouped(result.nfev), grouped(result.nit), seconds, result.seed);
  const std::string next = advice(result, options);
  if (!next.empty()) text += fmt::format("next     {}\n", next);
  return text;
}

std::string json(const Result& result) {
  const nlohmann::ordered_json object = {{"x", to_std(result.x)},      {"fun", result.fun},
                                         {"nfev", result.nfev},        {"nit", result.nit},
                                         {"success", result.success},  {"status", static_cast<int>(result.stop)},
                                         {"stop", name(result.stop)},  {"message", result.message},
                                         {"seed", result.seed},        {"xfavorite", to_std(result.xfavorite)},
                                         {"stds", to_std(result.stds)}};
  return object.dump();
}

}  // namespace surefoot::cli
