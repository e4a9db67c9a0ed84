#pragma once

/// \file
/// How objective values are computed for a population.

#include <concepts>
#include <span>
#include <type_traits>
#include <utility>

#include "surefoot/types.hpp"

namespace surefoot {

/// Evaluates whole populations; knows neither strategy nor driver.
class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator(Evaluator&&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  Evaluator& operator=(Evaluator&&) = delete;
  virtual ~Evaluator() = default;

  /// One value for each column of the population. `values` has the right size.
  virtual void evaluate(const Matrix& population, Vector& values) = 0;
};

template <class F>
concept VectorObjective = std::is_invocable_r_v<double, F&, const Vector&>;

template <class F>
concept SpanObjective = std::is_invocable_r_v<double, F&, std::span<const double>>;

/// Takes the population (d x popsize) and returns its values: one call a generation, no copy of the candidates.
template <class F>
concept BatchObjective = std::is_invocable_r_v<Vector, F&, const Matrix&>;

/// Takes the population (d x popsize) and writes its values: the same without an allocation.
template <class F>
concept PopulationObjective = std::is_invocable_v<F&, const Matrix&, Vector&>;

template <class F>
concept Objective = VectorObjective<F> || SpanObjective<F> || BatchObjective<F> || PopulationObjective<F>;

/// Calls the objective in the caller's thread, candidate by candidate or once for the population.
template <Objective F>
class SerialEvaluator final : public Evaluator {
 public:
  explicit SerialEvaluator(F& objective) : objective_(objective) {}

  void evaluate(const Matrix& population, Vector& values) override {
    // The order matters: a lambda that takes a vector could be called with a matrix too, and fail at run time.
    if constexpr (PopulationObjective<F>) {
      objective_(population, values);
    } else if constexpr (VectorObjective<F>) {
      for (Index i = 0; i < population.cols(); ++i) {
        candidate_ = population.col(i);
        values[i] = objective_(std::as_const(candidate_));
      }
    } else if constexpr (BatchObjective<F>) {
      values = objective_(population);
    } else {
      const auto d = static_cast<std::size_t>(population.rows());
      for (Index i = 0; i < population.cols(); ++i) {
        values[i] = objective_(std::span<const double>(population.col(i).data(), d));
      }
    }
  }

 private:
  F& objective_;
  Vector candidate_;
};

}  // namespace surefoot
