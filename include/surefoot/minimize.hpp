#pragma once

/// \file
/// One call that minimises.

#include "surefoot/evaluator.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {

/// Minimises what the evaluator computes.
Result minimize_with(Evaluator& evaluator, const Point& x0, const Sigma0& sigma0, Options options = {});

/// Minimises `f`, anything callable with a Vector, a std::span<const double> or a whole population (Matrix to Vector).
///
///     auto best = surefoot::minimize(f, {3, 3}, 0.5, {.ftarget = 1e-8, .seed = 1});
///
/// An exception from `f` leaves the search and reaches the caller.
/// \throws std::invalid_argument naming the option, its value and what is allowed.
template <Objective F>
Result minimize(F&& f, const Point& x0, const Sigma0& sigma0, Options options = {}) {
  SerialEvaluator<std::remove_reference_t<F>> evaluator(f);
  return minimize_with(evaluator, x0, sigma0, std::move(options));
}

}  // namespace surefoot
