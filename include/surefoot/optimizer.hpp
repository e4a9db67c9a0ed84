#pragma once

/// \file
/// The driver of a search: ask and tell for callers who own the loop.

#include <cstdint>
#include <memory>

#include "surefoot/options.hpp"
#include "surefoot/result.hpp"
#include "surefoot/start.hpp"
#include "surefoot/strategy.hpp"

namespace surefoot {

class DegeneracyTest;

/// Minimises by ask and tell:
///
///     surefoot::Optimizer search(x0, 0.5, {.seed = 1});
///     while (!search.stop()) {
///       const auto& population = search.ask();
///       search.tell(evaluate(population));
///     }
class Optimizer {
 public:
  /// \throws std::invalid_argument naming the option, its value and what is allowed.
  Optimizer(const Point& x0, const Sigma0& sigma0, Options options = {});

  /// The same with another source of normals, for replays and tests.
  Optimizer(const Point& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals);

  Optimizer(const Optimizer&) = delete;
  Optimizer(Optimizer&&) noexcept;
  Optimizer& operator=(const Optimizer&) = delete;
  Optimizer& operator=(Optimizer&&) noexcept;
  ~Optimizer();

  /// The population to evaluate, d x popsize, one candidate a column. The same until the next tell.
  const Matrix& ask();

  /// Values of the population that `ask` gave.
  void tell(const Vector& values);

  /// Values of candidates that the caller has changed, in whatever way.
  void tell(const Matrix& candidates, const Vector& values);

  /// True once a stop criterion holds; tell then refuses to go on.
  [[nodiscard]] bool stop() const { return stop_ != StopReason::none; }
  [[nodiscard]] StopReason stop_reason() const { return stop_; }

  /// Best so far, at any time.
  [[nodiscard]] Result result() const;

  [[nodiscard]] Index popsize() const { return strategy_->popsize(); }
  [[nodiscard]] std::int64_t nfev() const { return nfev_; }
  [[nodiscard]] std::uint64_t seed() const { return *options_.seed; }
  [[nodiscard]] const SearchDistribution& distribution() const { return strategy_->distribution(); }
  [[nodiscard]] Strategy& strategy() { return *strategy_; }

 private:
  void count(const Matrix& candidates, const Vector& values);
  [[nodiscard]] StopReason met_target_or_budget() const;
  [[nodiscard]] StopReason met_degeneracy();
  void notify();

  Options options_;  // with every default filled in
  std::unique_ptr<NormalSource> normals_;
  std::unique_ptr<Strategy> strategy_;
  std::unique_ptr<DegeneracyTest> degeneracy_;
  const Matrix* population_ = nullptr;  // what ask gave; null before it
  std::int64_t nfev_ = 0;
  std::int64_t nit_ = 0;
  double best_f_;
  double generation_best_f_;
  double condition_;  // as last measured for an observer
  Vector best_x_;
  StopReason stop_ = StopReason::none;
};

}  // namespace surefoot
