#include "surefoot/mpi.hpp"

#include <mpi.h>

#include <stdexcept>

#include "mpi_channel.hpp"
#include "ranks/rank_evaluator.hpp"
#include "ranks/serve.hpp"

namespace surefoot::mpi {
namespace {

/// A RankEvaluator that owns its channel and dispatcher.
class MpiEvaluator final : public Evaluator {
 public:
  MpiEvaluator(const MakeEvaluator& make, int workers) : ranks_(channel_, candidate_work(make), workers) {}

  void evaluate(Generation& generation) override { evaluator_.evaluate(generation); }
  [[nodiscard]] Usage usage() const override { return evaluator_.usage(); }

 private:
  MpiChannel channel_;
  Dispatcher ranks_;
  RankEvaluator evaluator_{ranks_};
};

}  // namespace

Environment::Environment() {
  int started = 0;
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended != 0) {
    throw std::runtime_error(
        "MPI has ended and cannot be started again: keep one surefoot::mpi::Environment around all searches");
  }
  int threads = MPI_THREAD_SINGLE;
  MPI_Initialized(&started);
  if (started == 0) {
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &threads);
    owns_ = true;
  } else {
    MPI_Query_thread(&threads);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (threads >= MPI_THREAD_FUNNELED) return;
  if (owns_) MPI_Finalize();
  throw std::runtime_error("MPI was started without threads: call MPI_Init_thread with MPI_THREAD_FUNNELED");
}

Environment::~Environment() {
  if (owns_) MPI_Finalize();
}

std::unique_ptr<Evaluator> make_evaluator(const MakeEvaluator& make, int workers) {
  return std::make_unique<MpiEvaluator>(make, workers);
}

void serve(const MakeEvaluator& make, int workers) {
  MpiChannel channel;
  surefoot::serve(channel, candidate_work(make), workers);
}

}  // namespace surefoot::mpi
