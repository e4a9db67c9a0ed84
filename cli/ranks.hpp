#pragma once

#include <functional>

#include "cli/commands.hpp"
#include "ranks/dispatcher.hpp"

namespace surefoot::cli {

/// Whether this process tells the user anything: of several that mpirun has started, only the first does.
[[nodiscard]] bool speaks();

/// Eight searches that write the same files are never what somebody wants who forgot --mpi.
/// \throws std::invalid_argument if mpirun has started several processes.
void require_single_process();

/// Runs `first` on the first rank of the MPI job and serves it with `make_work` on the others, which return success.
/// The ranks' signals are watched. \throws std::invalid_argument if the program was built without MPI.
Exit on_all_ranks(const MakeWork& make_work, int workers, const std::function<Exit(Dispatcher&)>& first);

/// Programs that this process starts belong to no MPI job: with the variables of ours, one that uses MPI itself would
/// take itself for one of our ranks.
void forget_launcher();

}  // namespace surefoot::cli
