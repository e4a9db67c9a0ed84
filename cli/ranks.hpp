#pragma once

#include <functional>

#include "cli/commands.hpp"
#include "ranks/dispatcher.hpp"

namespace surefoot::cli {

/// Whether this process tells the user anything. Of several that mpirun has started, only the first does.
[[nodiscard]] bool speaks();

/// Refuses to run under mpirun without --mpi: every rank would repeat the work and overwrite the same files.
/// \throws std::invalid_argument if mpirun has started several processes.
void require_single_process();

/// Runs `first` on the first rank of the MPI job and serves it with `make_work` on the others, which return success.
/// Watches the signals of all ranks. Ranks that are silent for `rank_timeout` seconds are left out.
/// \throws std::invalid_argument if the program was built without MPI.
Exit on_all_ranks(const MakeWork& make_work, int workers, double rank_timeout,
                  const std::function<Exit(Dispatcher&)>& first);

/// Removes the launcher's variables from the environment. A program that uses MPI itself would otherwise take itself
/// for one of our ranks.
void forget_launcher();

}  // namespace surefoot::cli
