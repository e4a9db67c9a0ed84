#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// How objective values are computed for a population.

#include <atomic>
#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "surefoot/failure.hpp"
#include "surefoot/generation.hpp"
#include "surefoot/space.hpp"
#include "surefoot/types.hpp"
#include "surefoot/usage.hpp"

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

  /// Sets or fails every open candidate, or as many as it can until the generation is cancelled.
  virtual void evaluate(Generation& generation) = 0;

  /// What its workers have done so far, as seen between two generations.
  [[nodiscard]] virtual Usage usage() const { return {}; }
};

/// Whether a call gives a value, or one with those of constraints.
template <class F, class Argument>
inline constexpr bool gives_outcome =
    std::is_invocable_r_v<double, F&, Argument> || std::is_invocable_r_v<Evaluation, F&, Argument>;

template <class F>
concept VectorObjective = gives_outcome<F, const Vector&>;

template <class F>
concept SpanObjective = gives_outcome<F, std::span<const double>>;

/// A concept of its own, since only concepts stop at the first that holds: a generic lambda may fail to compile with a
/// span.
template <class F>
concept PointObjective = VectorObjective<F> || SpanObjective<F>;

/// Takes the population (d x popsize) and returns its values: one call a generation, no copy of the candidates.
template <class F>
concept BatchObjective = std::is_invocable_r_v<Vector, F&, const Matrix&>;

/// Takes the population (d x popsize) and writes its values: the same without an allocation.
template <class F>
concept PopulationObjective = std::is_invocable_v<F&, const Matrix&, Vector&>;

template <class F>
concept Objective = VectorObjective<F> || SpanObjective<F> || BatchObjective<F> || PopulationObjective<F>;

/// Takes the values of named parameters, and nothing else: a lambda with `auto` would take anything, and fail to
/// compile with `Values`. So it comes first that F is no objective of points.
template <class F>
concept NamedObjective = !Objective<F> && gives_outcome<F, const Values&>;

/// An objective of named values as one of points.
template <class F>
struct NamedPointObjective {
  F& f;
  Space space;

  auto operator()(const Vector& x) const { return f(Values(space, x)); }
};

/// The objective for one candidate, whatever it takes. The exception of an objective becomes a failure.
template <Objective F>
void evaluate_candidate(F& objective, Generation& generation, Index i) {
  try {
    const auto x = generation.population().col(i);
    if constexpr (VectorObjective<F>) {
      const Vector candidate = x;
      generation.set(i, objective(candidate));
    } else {
      generation.set(i, objective(std::span<const double>(x.data(), static_cast<std::size_t>(x.size()))));
    }
  } catch (const std::exception& error) {
    generation.fail(i, FailureKind::exception, error.what(), std::current_exception());
  } catch (...) {
    generation.fail(i, FailureKind::exception, "an exception that is no std::exception", std::current_exception());
  }
}

/// Whether an objective takes whole populations. The order matters: a lambda that takes a vector could be called with a
/// matrix too, and fail at run time.
template <class F>
inline constexpr bool takes_populations = PopulationObjective<F> || (!VectorObjective<F> && BatchObjective<F>);

/// The objective for the whole population. Candidates that have a value already keep it.
template <Objective F>
requires takes_populations<F>
void evaluate_population(F& objective, Generation& generation, Vector& values) {
  const Index n = generation.size();
  const Stopwatch watch;
  const auto fail_all = [&](const std::string& reason) {
    generation.took_together(watch.seconds());
    for (Index i = 0; i < n; ++i) {
      if (generation.is_open(i)) generation.fail(i, FailureKind::exception, reason, std::current_exception());
    }
  };
  try {
    values.resize(n);
    if constexpr (PopulationObjective<F>) {
      objective(generation.population(), values);
    } else {
      values = objective(generation.population());
    }
  } catch (const std::exception& error) {
    fail_all(error.what());
    return;
  } catch (...) {
    fail_all("an exception that is no std::exception");
    return;
  }
  if (values.size() != n) {  // no failure but a mistake
    throw std::invalid_argument("objective: " + std::to_string(values.size()) +
                                " values are not allowed: it must give " + std::to_string(n) +
                                ", one for each candidate");
  }
  generation.took_together(watch.seconds());
  for (Index i = 0; i < n; ++i) {
    if (generation.is_open(i)) generation.set(i, values[i]);
  }
}

/// Calls the objective in the caller's thread, candidate by candidate or once for the population.
template <Objective F>
class SerialEvaluator final : public Evaluator {
 public:
  explicit SerialEvaluator(F& objective) : objective_(objective) {}

  void evaluate(Generation& generation) override {
    const Stopwatch watch;
    if constexpr (takes_populations<F>) {
      evaluate_population(objective_, generation, values_);
    } else {
      for (Index i = 0; i < generation.size() && !generation.cancelled(); ++i) {
        if (!generation.is_open(i)) continue;
        generation.begin(i, 0);
        evaluate_candidate(objective_, generation, i);
      }
    }
    busy_ += watch.seconds();
  }

  [[nodiscard]] Usage usage() const override { return {1, busy_}; }

 private:
  F& objective_;
  Vector values_;
  double busy_ = 0;
};

/// Calls a function for single candidates from several threads at once. Which thread takes which candidate does not
/// matter to the result.
class ThreadEvaluator final : public Evaluator {
 public:
  /// `evaluate_one(generation, i)` must be safe to call concurrently.
  ThreadEvaluator(std::function<void(Generation&, Index)> evaluate_one, int workers);

  void evaluate(Generation& generation) override;
  [[nodiscard]] Usage usage() const override { return {workers_, busy_}; }

 private:
  std::function<void(Generation&, Index)> evaluate_one_;
  int workers_;
  std::atomic<double> busy_{0};
};

/// \throws std::invalid_argument since an objective that takes whole populations is called once a generation.
[[noreturn]] void refuse_workers(int workers);

/// The evaluator for an objective: in the caller's thread or, with workers > 1, in several.
/// \throws std::invalid_argument for several workers and an objective that takes nothing but whole populations: parts
/// of a population need not give the same bits.
template <Objective F>
std::unique_ptr<Evaluator> make_evaluator(F& f, int workers) {
  // Not std::make_unique: for each objective a second kind of pointer would take compilers as long as all the rest.
  if (workers <= 1) return std::unique_ptr<Evaluator>(new SerialEvaluator<F>(f));  // NOLINT(*-owning-memory)
  if constexpr (PointObjective<F>) {
    return std::make_unique<ThreadEvaluator>([&f](Generation& g, Index i) { evaluate_candidate(f, g, i); }, workers);
  } else {
    refuse_workers(workers);
  }
}

}  // namespace surefoot
