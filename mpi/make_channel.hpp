#pragma once

#include <memory>

#include "ranks/channel.hpp"

namespace surefoot::mpi {

/// Makes the channel between the ranks of MPI_COMM_WORLD, without including MPI's header. All ranks call this together.
std::unique_ptr<Channel> make_channel();

/// Ends this rank with this status at once, and with it all others, also those that do not answer: mpirun ends a job of
/// which a rank has ended without MPI_Finalize. MPI_Abort would do the same, but while a rank is stopped mpirun (Open
/// MPI 4.1) sometimes crashes or hangs after it.
[[noreturn]] void abandon_job(int status);

}  // namespace surefoot::mpi
