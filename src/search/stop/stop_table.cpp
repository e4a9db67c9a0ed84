#include <algorithm>

#include "surefoot/stop.hpp"

namespace surefoot {
namespace {

constexpr std::string_view try_elsewhere =
    "it converged to a local optimum: try --restarts bipop, another --seed or a larger --popsize";
constexpr std::string_view go_slower =
    "the learning rate was too high for this popsize, or the objective has no minimum: raise --popsize, use "
    "--learning-rate fixed or set bounds";

}  // namespace

const std::vector<StopInfo>& stop_table() {
  using enum StopReason;
  static const std::vector<StopInfo> table = {
      {none, "none", StopKind::running, StopResume::always, "", "the search still runs", ""},
      {ftarget, "ftarget", StopKind::target, StopResume::more, "ftarget", "f <= ftarget", ""},
      {maxfevals, "maxfevals", StopKind::budget, StopResume::more, "maxfevals", "the budget of evaluations is used",
       "raise --maxfevals"},
      {maxiter, "maxiter", StopKind::budget, StopResume::more, "maxiter maxfevals", "the budget of generations is used",
       "raise --maxiter, or set --maxfevals to search longer"},
      {vanished, "vanished", StopKind::converged, StopResume::never, "",
       "the standard deviations are too small to move the mean", try_elsewhere},
      {exploded, "exploded", StopKind::degenerate, StopResume::never, "", "standard deviations are beyond 1e150",
       go_slower},
      {lost_rank, "lost_rank", StopKind::degenerate, StopResume::never, "",
       "the covariance is singular to working precision", go_slower},
      {non_finite, "non_finite", StopKind::degenerate, StopResume::never, "", "the distribution holds NaN or infinity",
       go_slower},
      {timeout, "timeout", StopKind::budget, StopResume::more, "timeout", "the time is used",
       "raise --timeout to search longer"},
      {tolx, "tolx", StopKind::converged, StopResume::tolerance, "tolx",
       "the standard deviations have shrunk below tolx times those of the start", try_elsewhere},
      {tolfun, "tolfun", StopKind::converged, StopResume::tolerance, "tolfun",
       "values of the population and of recent generations are within tolfun", try_elsewhere},
      {tolfunhist, "tolfunhist", StopKind::converged, StopResume::tolerance, "tolfunhist",
       "best values of recent generations lie within tolfunhist", try_elsewhere},
      {tolupsigma, "tolupsigma", StopKind::degenerate, StopResume::tolerance, "tolupsigma",
       "sigma has grown beyond tolupsigma times the start's", go_slower},
      {tolconditioncov, "tolconditioncov", StopKind::degenerate, StopResume::tolerance, "tolconditioncov",
       "the covariance's condition is above tolconditioncov", go_slower},
      {tolflatfitness, "tolflatfitness", StopKind::stalled, StopResume::tolerance, "tolflatfitness",
       "all values of several generations in a row were equal",
       "the objective does not change around the start, however wide the search: start elsewhere"},
      {tolstagnation, "tolstagnation", StopKind::stalled, StopResume::tolerance, "tolstagnation",
       "neither best nor median values improved for long", try_elsewhere},
      {noeffectaxis, "noeffectaxis", StopKind::converged, StopResume::tolerance, "noeffectaxis",
       "a tenth of a standard deviation along an axis does not move the mean", try_elsewhere},
      {noeffectcoord, "noeffectcoord", StopKind::converged, StopResume::tolerance, "noeffectcoord",
       "a fifth of a coordinate's standard deviation does not move the mean", try_elsewhere},
      {callback, "callback", StopKind::asked, StopResume::always, "", "the callback stopped it", ""},
      {interrupted, "interrupted", StopKind::asked, StopResume::always, "", "it was interrupted", ""},
      {failing, "failing", StopKind::failing, StopResume::repaired, "failed_fraction failed_generations",
       "the objective kept failing", "look at the failures: --trace writes every one with its reason"},
      {infeasible, "infeasible", StopKind::failing, StopResume::never, "failed_generations",
       "all values of several generations were +infinity",
       "most points are infeasible: choose a smaller --sigma0, or return a finite penalty"},
      {model, "model", StopKind::converged, StopResume::tolerance, "tolfun",
       "the model promises no improvement worth an evaluation", try_elsewhere},
      {separable, "separable", StopKind::converged, StopResume::never, "",
       "the objective is a sum over the coordinates, whose minima were found one by one", try_elsewhere},
      {settled, "settled", StopKind::converged, StopResume::tolerance, "tolx tolfunhist",
       "integers and choices only change when forced, and nothing better was found for long", try_elsewhere},
      {requested, "requested", StopKind::asked, StopResume::always, "", "the program stopped it and said why", ""},
      {noise, "noise", StopKind::converged, StopResume::never, "noise",
       "the minimum is known as well as the noise of the objective allows",
       "set --maxfevals to learn it better still, or try another --seed"},
  };
  return table;
}

const StopInfo& stop_info(StopReason reason) {
  const std::vector<StopInfo>& table = stop_table();
  const auto row = std::find_if(table.begin(), table.end(), [&](const StopInfo& s) { return s.reason == reason; });
  return row == table.end() ? table.front() : *row;
}

std::string_view name(StopReason reason) { return stop_info(reason).name; }

std::string_view name(StopKind kind) {
  switch (kind) {
    case StopKind::running: return "running";
    case StopKind::target: return "target";
    case StopKind::converged: return "converged";
    case StopKind::stalled: return "stalled";
    case StopKind::budget: return "budget";
    case StopKind::degenerate: return "degenerate";
    case StopKind::failing: return "failing";
    case StopKind::asked: return "asked";
  }
  return "running";
}

std::string_view words(StopResume resume) {
  switch (resume) {
    case StopResume::never: return "never";
    case StopResume::always: return "always";
    case StopResume::more: return "with a larger budget or another target";
    case StopResume::tolerance: return "with other tolerances";
    case StopResume::repaired: return "once the objective works again";
  }
  return "never";
}

}  // namespace surefoot
