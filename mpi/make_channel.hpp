#pragma once

#include <memory>

#include "ranks/channel.hpp"

namespace surefoot::mpi {

/// Makes the channel between the ranks of MPI_COMM_WORLD, without including MPI's header. All ranks call this together.
std::unique_ptr<Channel> make_channel();

/// Ends all ranks with this status, also those that do not answer.
void abort_job(int status);

}  // namespace surefoot::mpi
