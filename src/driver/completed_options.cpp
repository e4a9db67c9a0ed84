#include "driver/completed_options.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/model/model_choice.hpp"
#include "surefoot/method.hpp"

namespace surefoot {
namespace {

std::uint64_t seed_from_system() {
  std::random_device device;
  return (std::uint64_t{device()} << 32U) | device();
}

void require_tolerance(const char* option, double value) {
  if (!(value >= 0)) reject(option, value, "it must be a number >= 0; 0 switches it off");
}

void check_tolerances(const Options& o) {
  require_tolerance("tolconditioncov", o.tolconditioncov.value_or(0));
  require_tolerance("tolflatfitness", o.tolflatfitness);
  require_tolerance("tolfun", o.tolfun);
  require_tolerance("tolfunhist", o.tolfunhist);
  require_tolerance("tolstagnation", static_cast<double>(o.tolstagnation.value_or(0)));
  require_tolerance("tolupsigma", o.tolupsigma);
  require_tolerance("tolx", o.tolx);
}

void check_failures(const FailurePolicy& policy) {
  if (policy.retry < 0) reject("failures: retry", policy.retry, "it must be at least 0");
  if (policy.generations < 1) reject("failures: generations", policy.generations, "it must be at least 1");
  if (!(policy.fraction >= 0 && policy.fraction <= 1)) {
    reject("failures: fraction", policy.fraction, "it must be from 0 to 1");
  }
}

/// A model shortens the runs, and others follow.
bool has_short_runs(const Options& o) { return o.model != "none" && o.restarts.kind != Restarts::Kind::none; }

void require_popsize(const Options& o) {
  if (*o.popsize >= 2 && *o.popsize <= largest_size) return;
  reject("popsize", *o.popsize, "it must be from 2 to " + text(largest_size));
}

/// A method of the user's own: the name is all that is known of it.
void complete_own_method(Options& o, const SearchSize& size) {
  if (o.model != "none") reject("model", o.model, "not with a strategy of your own; leave it out");
  if (!o.popsize) o.popsize = default_popsize(size.dimension + size.choices);
  require_popsize(o);
}

/// Its name must tell it from the library's: checkpoints go by it.
void name_own_method(Options& o) {
  if (o.method == "auto") o.method = "own";
  const std::string name = o.method.substr(0, o.method.find(':'));
  for (const MethodInfo& info : method_table()) {
    if (info.name == name) {
      reject("method", "'" + o.method + "'", "the library has a method of this name; give your strategy another one");
    }
  }
}

bool is_mixed(const Options& o) { return o.mixing.value_or(0) > 0; }

/// Twice as many candidates cost a method with mixing no more evaluations; one that mixes by default has them already.
Index default_popsize_of(const MethodInfo& info, const Options& o, Index variables) {
  const bool is_doubled = is_mixed(o) && info.mixing == 0;
  return (is_doubled ? 2 : 1) * info.default_popsize(variables);
}

/// What the method decides, which depends on model and restarts.
void complete_method(Options& o, const SearchSize& size) {
  if (o.strategy) return complete_own_method(o, size);
  ChosenMethod chosen = choose_method(o.method, o.learning_rate,
                                      {.is_discrete = size.is_discrete,
                                       .is_constrained = o.constraints + o.equalities > 0,
                                       .is_mixed = is_mixed(o),
                                       .has_short_runs = has_short_runs(o),
                                       .dimension = size.dimension});
  o.method = std::move(chosen.method);
  o.learning_rate = std::move(chosen.learning_rate);
  const MethodInfo& info = find_method(o.method);
  if (!o.popsize) o.popsize = default_popsize_of(info, o, size.dimension + size.choices);
  require_popsize(o);
  o.popsize = info.fitting_popsize(static_cast<Index>(*o.popsize), size.dimension);
}

void complete_model(Options& o, const SearchSize& size) {
  if (o.evaluation_seconds) require_positive("evaluation_seconds", *o.evaluation_seconds);
  const bool is_constrained = o.constraints + o.equalities > 0;
  if (o.model == "auto")
    o.model = size.is_discrete || is_constrained || is_mixed(o) ? "none" : chosen_model(o, size.dimension);
  if (o.model != "none" && o.model != "quadratic") {
    reject("model", "'" + o.model + "'", "it must be auto, none or quadratic");
  }
  if (o.model != "none" && size.dimension > most_modelled) {
    reject("model", o.model,
           "it is for at most " + text(most_modelled) + " coordinates, here there are " + text(size.dimension));
  }
  if (o.model != "none" && size.is_discrete) {
    reject("model", o.model, "a quadratic knows no integers, grids or choices; leave it out, or make them real");
  }
  if (o.model != "none" && is_constrained) {
    reject("model", o.model, "it is of f alone, and constraints change what is ranked; leave it out");
  }
  if (o.batch.is_automatic()) o.batch = o.workers;
  if (o.batch.size < 1 || o.batch.size > 10000) reject("batch", o.batch.size, "it must be auto or from 1 to 10000");
}

/// A model that is fitted to edges takes directions along them for flat, and the strategy believes it: the condition
/// grows while hardly anything is gained. Where other runs follow, one of them finds more (docs/evidence/model.md
/// has the figures).
void complete_tolerances(Options& o) {
  if (!o.tolconditioncov) o.tolconditioncov = has_short_runs(o) ? 1e10 : 1e14;
}

void check_model(const Options& o) {
  if (o.model != "none" && !o.strategy && find_method(o.method).sets_popsize) {
    reject("model", o.model, "not with method " + o.method + ", which changes its popsize");
  }
}

std::string mixing_methods() {
  std::vector<std::string> names;
  for (const MethodInfo& info : method_table()) {
    if (info.mixing) names.push_back(info.name);
  }
  return listed(names);
}

/// What values of an earlier population cannot be kept with; empty if nothing.
std::string obstacle_to_mixing(const Options& o, const SearchSize& size) {
  if (o.strategy) return "not with a strategy of your own";
  if (!find_method(o.method).mixing)
    return "not with method " + o.method + "; methods " + mixing_methods() + " take it";
  if (o.model != "none") return "not with a model, which saves more evaluations; leave out one of the two";
  if (size.is_discrete) return "not with integers, grids or choices";
  return o.constraints + o.equalities > 0 ? "not with constraints" : "";
}

/// A method that mixes by default does so with its default population or a larger one: eNES with 5 d candidates loses
/// the covariance if some are kept, and needs no mixing (docs/reference/methods.md).
double default_mixing(const Options& o, const SearchSize& size) {
  const MethodInfo& info = find_method(o.method);
  return *o.popsize < info.default_popsize(size.dimension) ? 0 : info.mixing.value_or(0);
}

void complete_mixing(Options& o, const SearchSize& size) {
  if (o.mixing && !(*o.mixing >= 0 && *o.mixing < 1)) {
    reject("mixing", *o.mixing, "it must be from 0, which is none, to below 1");
  }
  const std::string obstacle = obstacle_to_mixing(o, size);
  if (is_mixed(o) && !obstacle.empty()) reject("mixing", *o.mixing, obstacle);
  if (!o.mixing) o.mixing = obstacle.empty() ? default_mixing(o, size) : 0;
}

/// Without a progress of f there may still be one of multipliers, so nothing tests for stagnation unless it is asked
/// for.
void complete_constraints(Options& o) {
  constexpr int most = 10000;
  if (o.constraints < 0 || o.constraints > most) reject("constraints", o.constraints, "it must be from 0 to 10000");
  if (o.equalities < 0 || o.equalities > most) reject("equalities", o.equalities, "it must be from 0 to 10000");
  if (!(o.equality_tolerance >= 0) || std::isinf(o.equality_tolerance)) {
    reject("equality_tolerance", o.equality_tolerance, "it must be a number >= 0");
  }
  const std::string& mode = o.constraints_mode;
  if (mode != "auto" && mode != "augmented-lagrangian" && mode != "lexicographic") {
    reject("constraints_mode", "'" + mode + "'", "it must be auto, augmented-lagrangian or lexicographic");
  }
  if (o.constraints + o.equalities > 0 && !o.tolstagnation) o.tolstagnation = 0;
}

/// A search with a budget or a target makes further runs until it is met.
Restarts chosen_restarts(const Options& o) {
  if (o.restarts.kind != Restarts::Kind::automatic) return o.restarts;
  const bool has_budget = o.maxfevals && *o.maxfevals < std::numeric_limits<std::int64_t>::max();
  const bool has_aim = has_budget || o.timeout || o.ftarget;
  return {has_aim ? Restarts::Kind::bipop : Restarts::Kind::none, o.restarts.maximum, o.restarts.increase};
}

}  // namespace

Vector checked_start(const Vector& x0) {
  if (x0.size() < 1) reject("x0", "an empty list", "it needs at least one coordinate");
  if (x0.size() > largest_size) reject("x0", "a list of " + text(x0.size()) + " numbers", "too many coordinates");
  for (Index j = 0; j < x0.size(); ++j) {
    if (!std::isfinite(x0[j])) reject("x0[" + text(j) + "]", x0[j], "it must be finite");
  }
  return x0;
}

LeftOpen left_open(const Options& options) {
  return {.seed = !options.seed,
          .method = options.method == "auto" && !options.strategy,
          .learning_rate = options.learning_rate.text() == "auto",
          .mixing = !options.mixing,
          .model = options.model == "auto",
          .batch = options.batch.is_automatic(),
          .restarts = options.restarts.kind == Restarts::Kind::automatic,
          .popsize = !options.popsize};
}

Options completed(Options options, const SearchSize& size) {
  if (options.workers < 1 || options.workers > 10000) reject("workers", options.workers, "it must be from 1 to 10000");
  if (options.strategy) name_own_method(options);
  options.restarts = chosen_restarts(options);
  complete_constraints(options);
  complete_model(options, size);
  complete_method(options, size);
  check_model(options);
  complete_mixing(options, size);
  if (options.ftarget && std::isnan(*options.ftarget)) reject("ftarget", *options.ftarget, "it must be a number");
  if (options.maxfevals && *options.maxfevals < 1) reject("maxfevals", *options.maxfevals, "it must be at least 1");
  if (options.maxiter && *options.maxiter < 1) reject("maxiter", *options.maxiter, "it must be at least 1");
  if (options.timeout) require_positive("timeout", *options.timeout);
  if (options.threads < 1 || options.threads > 1000) reject("threads", options.threads, "it must be from 1 to 1000");
  complete_tolerances(options);
  check_tolerances(options);
  check_failures(options.failures);
  if (!options.seed) options.seed = seed_from_system();
  return options;
}

std::int64_t default_maxiter(std::int64_t dimension, std::int64_t popsize) {
  const auto d = static_cast<double>(dimension);
  return 100 + static_cast<std::int64_t>(150 * (d + 3) * (d + 3) / std::sqrt(static_cast<double>(popsize)));
}

Options without_tolerances(Options options) {
  options.noeffectaxis = options.noeffectcoord = false;
  options.tolconditioncov = 0;
  options.tolfun = options.tolfunhist = options.tolupsigma = options.tolx = 0;
  options.tolflatfitness = 0;
  options.tolstagnation = 0;
  return options;
}

}  // namespace surefoot
