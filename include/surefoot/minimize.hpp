#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// One call that minimises.

#include "surefoot/evaluator.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {

/// Evaluates and tells until the search stops. Calls `after_generation`, if given, after each tell.
Result run(Optimizer& search, Evaluator& evaluator, const std::function<void()>& after_generation = {});

/// Minimises what the evaluator computes.
Result minimize_with(Evaluator& evaluator, const Point& x0, const Sigma0& sigma0, Options options = {});

/// Minimises `f`, anything callable with a Vector, a std::span<const double> or a whole population (Matrix to Vector).
///
///     auto best = surefoot::minimize(f, {3, 3}, 0.5, {.ftarget = 1e-8, .seed = 1});
///
/// An exception from `f` is a failed evaluation (Options::failures). With Options::workers > 1, `f` is called
/// concurrently;
/// one that takes whole populations is refused then.
/// \throws std::invalid_argument naming the option, its value and what is allowed.
template <Objective F>
Result minimize(F&& f, const Point& x0, const Sigma0& sigma0, Options options = {}) {
  const auto evaluator = make_evaluator<std::remove_reference_t<F>>(f, options.workers);
  return minimize_with(*evaluator, x0, sigma0, std::move(options));
}

/// Minimises over named parameters. `f` takes a `Values`, or a point as above.
///
///     auto best = surefoot::minimize([&](const surefoot::Values& v) { return cost(v[rate], v[layers]); }, space);
template <Objective F>
Result minimize(F&& f, const Space& space, Options options = {}) {
  const auto evaluator = make_evaluator<std::remove_reference_t<F>>(f, options.workers);
  Optimizer search(space, std::move(options));
  return run(search, *evaluator);
}

template <NamedObjective F>
Result minimize(F&& f, const Space& space, Options options = {}) {
  NamedPointObjective<std::remove_reference_t<F>> objective{f, space};
  return minimize(objective, space, std::move(options));
}

}  // namespace surefoot
