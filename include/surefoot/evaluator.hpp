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

/// Evaluates whole populations. Independent of strategy and search.
class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator(Evaluator&&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  Evaluator& operator=(Evaluator&&) = delete;
  virtual ~Evaluator() = default;

  /// Sets or fails every open candidate, until the generation is cancelled.
  virtual void evaluate(Generation& generation) = 0;

  /// What its workers have done so far, measured between two generations.
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

/// A separate concept, because only concepts stop at the first that holds: a generic lambda may not compile with a
/// span.
template <class F>
concept PointObjective = VectorObjective<F> || SpanObjective<F>;

/// Takes the population (d x popsize) and returns its values: one call per generation, without copying the candidates.
template <class F>
concept BatchObjective = std::is_invocable_r_v<Vector, F&, const Matrix&>;

/// Takes the population (d x popsize) and writes its values: the same without an allocation.
template <class F>
concept PopulationObjective = std::is_invocable_v<F&, const Matrix&, Vector&>;

template <class F>
concept Objective = VectorObjective<F> || SpanObjective<F> || BatchObjective<F> || PopulationObjective<F>;

/// Takes the values of named parameters and nothing else. F must not be an objective of points, which is tested first:
/// a lambda with `auto` would accept anything and fail to compile with `Values`.
template <class F>
concept NamedObjective = !Objective<F> && gives_outcome<F, const Values&>;

/// An objective of named values as one of points.
template <class F>
struct NamedPointObjective {
  F& f;
  Space space;

  auto operator()(const Vector& x) const { return f(Values(space, x)); }
};

/// Calls the objective for one candidate, whatever arguments it takes. An exception becomes a failure.
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
    generation.fail(i, FailureKind::exception, "an exception not derived from std::exception",
                    std::current_exception());
  }
}

/// Whether an objective takes whole populations. The order of the tests matters: a lambda that takes a vector also
/// accepts a matrix and fails at run time.
template <class F>
inline constexpr bool takes_populations = PopulationObjective<F> || (!VectorObjective<F> && BatchObjective<F>);

/// Calls the objective for the whole population. Candidates that already have a value keep it.
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
    fail_all("an exception not derived from std::exception");
    return;
  }
  if (values.size() != n) {  // a mistake of the caller, not a failed evaluation
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

/// Calls a function for single candidates from several threads. The result does not depend on which thread takes which
/// candidate.
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

/// \throws std::invalid_argument because an objective of whole populations is called once per generation.
[[noreturn]] void refuse_workers(int workers);

/// The evaluator for an objective: in the caller's thread or, with workers > 1, in several.
/// \throws std::invalid_argument for several workers with an objective that takes only whole populations: parts of a
/// population may give other bits.
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
