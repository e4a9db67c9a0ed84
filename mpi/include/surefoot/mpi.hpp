#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Evaluations on all ranks of an MPI job. Link surefoot::mpi; surefoot.hpp does not include this.
///
/// Only the thread that has called MPI_Init_thread calls MPI (MPI_THREAD_FUNNELED); objectives run in threads beside
/// it.

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "surefoot/minimize.hpp"

namespace surefoot::mpi {

/// Initialises MPI and finalises it at the end of its lifetime, unless MPI was initialised before.
class Environment {
 public:
  /// \throws std::runtime_error if MPI cannot be called while other threads run.
  Environment();
  Environment(const Environment&) = delete;
  Environment(Environment&&) = delete;
  Environment& operator=(const Environment&) = delete;
  Environment& operator=(Environment&&) = delete;
  /// Waits until all ranks get here.
  ~Environment();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

 private:
  bool owns_ = false;
  int rank_ = 0;
  int size_ = 1;
};

/// Makes the evaluator of one worker, in the worker's thread. It gets generations of one candidate.
using MakeEvaluator = std::function<std::unique_ptr<Evaluator>()>;

/// For rank 0: an evaluator that hands single candidates to idle workers of all ranks; this rank has `workers` of them.
/// When it is destroyed, `serve` returns on the other ranks.
std::unique_ptr<Evaluator> make_evaluator(const MakeEvaluator& make, int workers);

/// For all other ranks: evaluates what rank 0 sends, with that many workers, until rank 0's evaluator is destroyed.
void serve(const MakeEvaluator& make, int workers);

/// `surefoot::minimize` on all ranks of MPI_COMM_WORLD, which call this together with the same objective. Rank 0
/// searches and gets the result, which does not depend on the number of ranks; the others evaluate and get nothing.
/// With Options::workers > 1 each rank calls `f` concurrently. Observers, callbacks and interruptions work on rank 0.
template <class F>
requires VectorObjective<std::remove_reference_t<F>> || SpanObjective<std::remove_reference_t<F>> std::optional<Result>
minimize(F&& f, const Point& x0, const Sigma0& sigma0, Options options = {}) {
  const Environment environment;
  const MakeEvaluator make = [&f] { return std::make_unique<SerialEvaluator<std::remove_reference_t<F>>>(f); };
  if (environment.rank() != 0) {
    serve(make, options.workers);
    return std::nullopt;
  }
  const std::unique_ptr<Evaluator> evaluator = make_evaluator(make, options.workers);
  return minimize_with(*evaluator, x0, sigma0, std::move(options));
}

}  // namespace surefoot::mpi
