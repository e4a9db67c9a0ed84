#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "cli/ranks.hpp"
#include "cli/signals.hpp"
#include "make_channel.hpp"
#include "ranks/serve.hpp"
#include "surefoot/mpi.hpp"

namespace surefoot::cli {
namespace {

/// MPI_Finalize would wait for a rank that cannot be reached. The result is printed and all files are closed by then,
/// so the job is abandoned, which also ends that rank.
void abandon_without(const std::vector<int>& unreachable, Exit status) {
  if (unreachable.empty()) return;
  std::fflush(nullptr);
  mpi::abandon_job(static_cast<int>(status));
}

Exit run_first(Dispatcher& ranks, const std::function<Exit(Dispatcher&)>& first) {
  try {
    const Exit status = first(ranks);
    ranks.end();
    abandon_without(ranks.unreachable(), status);
    return status;
  } catch (const std::exception& error) {
    ranks.end();
    if (!ranks.unreachable().empty()) fmt::print(stderr, "surefoot: {}\n", error.what());
    abandon_without(ranks.unreachable(), Exit::bad_usage);
    throw;
  }
}

/// All ranks wait for the one that is silent. The first one says so, and mpirun then ends the others; they wait longer,
/// in case the first one is silent.
std::unique_ptr<Channel> make_channel_within(double rank_timeout, int rank) {
  try {
    return mpi::make_channel(std::chrono::duration<double>(rank == 0 ? rank_timeout : 2 * rank_timeout));
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "surefoot: {}\n", error.what());
    std::fflush(nullptr);
    mpi::abandon_job(1);
  }
}

}  // namespace

/// Wrong input is reported by the first rank alone, although every rank could notice it: the others serve whatever
/// happens there, until the dispatcher ends.
Exit on_all_ranks(const MakeWork& make_work, int workers, double rank_timeout,
                  const std::function<Exit(Dispatcher&)>& first) {
  const mpi::Environment environment;
  // Batch systems send signals to all ranks. The serving ranks must live until the first has saved.
  watch_signals();
  forget_launcher();
  const auto channel = make_channel_within(rank_timeout, environment.rank());
  if (environment.rank() == 0) {
    Dispatcher ranks(*channel, make_work, workers, std::chrono::duration<double>(rank_timeout));
    ranks.on_loss([](int rank) { fmt::print(stderr, "surefoot: rank {} does not answer and is left out\n", rank); });
    return run_first(ranks, first);
  }
  serve(*channel, make_work, workers);
  return Exit::success;
}

}  // namespace surefoot::cli
