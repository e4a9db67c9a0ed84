#pragma once

#include <memory>

#include "ranks/channel.hpp"

namespace surefoot::mpi {

/// The way between the ranks of MPI_COMM_WORLD, without MPI's header. All ranks call this together.
std::unique_ptr<Channel> make_channel();

}  // namespace surefoot::mpi
