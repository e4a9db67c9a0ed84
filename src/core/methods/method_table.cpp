#include <algorithm>
#include <cmath>
#include <utility>

#include "core/constants_text.hpp"
#include "core/edit_distance.hpp"
#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/methods/cma/cma.hpp"
#include "core/methods/cma/lra_cma.hpp"
#include "core/methods/cma/psa_cma.hpp"
#include "core/methods/cma/self_cma.hpp"
#include "core/methods/cma/sep_cma.hpp"
#include "core/methods/dxnes/cr_fm_nes.hpp"
#include "core/methods/dxnes/dx_nes.hpp"
#include "core/methods/dxnes/dx_nes_ic.hpp"
#include "core/methods/dxnes/fm_nes.hpp"
#include "core/methods/enes.hpp"
#include "core/methods/igo/igo.hpp"
#include "core/methods/lm_ma_es.hpp"
#include "core/methods/snes.hpp"
#include "core/methods/xnes/ig_xnes.hpp"
#include "core/methods/xnes/xnes.hpp"
#include "core/neighbour_words.hpp"
#include "surefoot/method.hpp"

namespace surefoot {
namespace {

/// What a method without constants has in their place.
struct NoConstants {};
Slots slots_of(NoConstants& /*none*/) { return {}; }

/// Text to constants to strategy.
template <class Method, class Constants = NoConstants>
MethodInfo with_constants(MethodInfo info) {
  Constants defaults;
  info.keys = list_keys(slots_of(defaults));
  info.make = [](const std::string& text, const StrategyContext& context) -> std::unique_ptr<Strategy> {
    Constants constants;
    ConstantsText("method", text).assign(slots_of(constants));
    if constexpr (std::is_same_v<Constants, NoConstants>) {
      return std::make_unique<Method>(context);
    } else {
      return std::make_unique<Method>(context, constants);
    }
  };
  info.read_start = Method::read_start;
  return info;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& info : method_table()) names.push_back(info.name);
  names.emplace_back("auto");
  return names;
}

/// Papers write CMA-ES where the method is `cma` here.
std::string suggestion_of_method(const std::string& word) {
  const std::vector<std::string> names = method_names();
  const auto is_meant = [letters = letters_of(word)](const std::string& name) {
    return letters == letters_of(name) || letters == letters_of(name) + "es";
  };
  const auto meant = std::find_if(names.begin(), names.end(), is_meant);
  return meant == names.end() ? suggestion(word, names) : "; did you mean '" + *meant + "'?";
}

}  // namespace

const std::vector<MethodInfo>& method_table() {
  static const std::vector<MethodInfo> table = {
      with_constants<Xnes>({.name = "xnes",
                            .summary = "exponential natural evolution strategy, full covariance",
                            .citation = "Glasmachers2010",
                            .takes_learning_rate = true,
                            .mixing = 0}),
      with_constants<Cma>({.name = "cma",
                           .summary = "evolution strategy with covariance matrix adaptation and negative weights",
                           .citation = "Hansen2016",
                           .mixing = 0}),
      with_constants<IgXnes>({.name = "ig-xnes",
                              .summary = "xNES whose rates follow the information in the ranking",
                              .citation = "Glasmachers2010"}),
      with_constants<DxNes>({.name = "dx-nes",
                             .summary = "xNES with mirrored samples, weighted by distance while it moves",
                             .citation = "Fukushima2011",
                             .wants_even_popsize = true}),
      with_constants<DxNesIc>({.name = "dx-nes-ic",
                               .summary = "DX-NES for functions without a value in part of the space",
                               .citation = "Nomura2021",
                               .wants_even_popsize = true}),
      with_constants<FmNes>({.name = "fm-nes",
                             .summary = "DX-NES-IC with a rank-one update along the path of the mean",
                             .citation = "NomuraOno2021",
                             .wants_even_popsize = true}),
      with_constants<Snes, SnesConstants>({.name = "snes",
                                           .summary = "separable natural evolution strategy, for very many variables",
                                           .citation = "Schaul2011",
                                           .scale = Scale::linear,
                                           .takes_learning_rate = true}),
      with_constants<CrFmNes>({.name = "cr-fm-nes",
                               .summary = "fast moving NES with scales and one direction, for very many variables",
                               .citation = "NomuraOno2022b",
                               .scale = Scale::linear,
                               .wants_even_popsize = true}),
      with_constants<SepCma>({.name = "sep-cma",
                              .summary = "CMA-ES with a diagonal covariance, for very many variables",
                              .citation = "RosHansen2008",
                              .scale = Scale::linear}),
      with_constants<LraCma, LraCmaConstants>(
          {.name = "lra-cma",
           .summary = "CMA-ES that takes smaller steps where they carry little signal, for rugged and noisy functions",
           .citation = "Nomura2023"}),
      with_constants<PsaCma, PsaCmaConstants>({.name = "psa-cma",
                                               .summary = "CMA-ES that sets its population size, for rugged functions",
                                               .citation = "NishidaAkimoto2018",
                                               .sets_popsize = true}),
      with_constants<SelfCma>({.name = "self-cma",
                               .summary = "CMA-ES that adapts its rates by the likelihood of successful steps",
                               .citation = "Loshchilov2014",
                               .default_popsize = SelfCma::default_popsize,
                               .smallest_popsize = SelfCma::smallest_popsize}),
      with_constants<LmMaEs>(
          {.name = "lm-ma-es",
           .summary = "matrix adaptation with a few directions, rotation-invariant, for many variables",
           .citation = "Loshchilov2018",
           .scale = Scale::linear,
           .smallest_dimension = 9,  // for four candidates
           .default_popsize = LmMaEs::default_popsize,
           .smallest_popsize = LmMaEs::smallest_popsize,
           .largest_popsize = LmMaEs::largest_popsize}),
      with_constants<Enes, EnesConstants>({.name = "enes",
                                           .summary = "the exact NES before xNES, on the Cholesky factor",
                                           .citation = "Sun2009",
                                           .mixing = 0.01,
                                           .default_popsize = Enes::default_popsize,
                                           .smallest_popsize = Enes::smallest_popsize}),
      with_constants<Igo, IgoConstants>(
          {.name = "igo",
           .summary =
               "information-geometric optimisation: the rank-mu update, maximum likelihood or the geodesic alone",
           .citation = "Ollivier2017",
           .default_popsize = Igo::default_popsize,
           .smallest_popsize = Igo::smallest_popsize}),
  };
  return table;
}

std::string_view name(Scale scale) { return scale == Scale::linear ? "linear" : "quadratic"; }

Index default_popsize(Index dimension) {
  return 4 + static_cast<Index>(std::floor(3 * elementary::log(static_cast<double>(dimension))));
}

const MethodInfo& find_method(const std::string& method) {
  const std::string name = ConstantsText("method", method).name();
  const auto& table = method_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const MethodInfo& info) { return info.name == name; });
  if (found == table.end()) {
    reject("method", "'" + method + "'", "known methods are " + listed(method_names()) + suggestion_of_method(method));
  }
  return *found;
}

namespace {

/// A policy of rates is one of xNES or SNES. Single runs go to the information gate, whose patience keeps noise and
/// rugged functions. Under a model and with restarts CMA-ES is ahead: what its runs miss, another one finds
/// (docs/explanation/model.md). Candidates whose discrete values differ lower the information in a ranking and close
/// the gate: there CMA-ES needs fewer evaluations (docs/how-to/parameters.md). With constraints it does so too
/// (docs/how-to/constraints.md). Where a full covariance takes too much time, the method that does most with linear
/// memory is taken (docs/how-to/large-scale.md). Mixing is measured with CMA-ES (docs/reference/methods.md).
std::string automatic_method(bool has_rate, const SearchKind& kind) {
  if (kind.dimension > largest_full_dimension) return has_rate ? "snes" : "cr-fm-nes";
  if (has_rate) return "xnes";
  return kind.is_mixed || kind.has_short_runs || kind.is_discrete || kind.is_constrained ? "cma" : "ig-xnes";
}

}  // namespace

ChosenMethod choose_method(const std::string& method, const LearningRate& learning_rate, const SearchKind& kind) {
  const bool has_rate = learning_rate.text() != "auto";
  const std::string chosen = method != "auto" ? method : automatic_method(has_rate, kind);
  const MethodInfo& info = find_method(chosen);
  if (has_rate && !info.takes_learning_rate) {
    reject("learning_rate", "'" + learning_rate.text() + "'",
           "method " + info.name + " sets its own rates; leave it out, or choose method xnes or snes");
  }
  if (info.name == "xnes" && !has_rate) return {chosen, "fixed"};
  return {chosen, learning_rate};
}

std::string_view summary_of_auto() {
  return "ig-xnes; cma with a model and restarts, with constraints, or if parameters are discrete; xnes if a learning "
         "rate is given; from 1001 variables on cr-fm-nes, or snes";
}

std::unique_ptr<Strategy> make_strategy(const std::string& method, StrategyContext context) {
  const Index d = context.start.dimension();
  ChosenMethod chosen = choose_method(method, context.learning_rate, {.dimension = d});
  const MethodInfo& info = find_method(chosen.method);
  context.learning_rate = std::move(chosen.learning_rate);
  if (d < info.smallest_dimension) {
    reject("method", "'" + info.name + "'",
           "it needs at least " + text(info.smallest_dimension) + " variables, and there are " + text(d));
  }
  context.popsize = info.fitting_popsize(context.popsize.value_or(info.default_popsize(d)), d);
  return info.make(chosen.method, context);
}

}  // namespace surefoot
