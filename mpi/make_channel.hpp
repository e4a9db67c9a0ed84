#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "ranks/channel.hpp"

namespace surefoot::mpi {

/// Makes the channel between the ranks of MPI_COMM_WORLD, without including MPI's header. All ranks call this together.
/// \throws std::runtime_error if not all of them have done so after `patience`. MPI_Finalize would wait for the others
/// then: only `abandon_job` ends the rank.
std::unique_ptr<Channel> make_channel(std::optional<std::chrono::duration<double>> patience = {});

/// Ends this rank with this status at once, and with it all others, also those that do not answer: mpirun ends a job of
/// which a rank has ended without MPI_Finalize. MPI_Abort would do the same, but while a rank is stopped mpirun (Open
/// MPI 4.1) sometimes crashes or hangs after it.
[[noreturn]] void abandon_job(int status);

}  // namespace surefoot::mpi
