#include <stdexcept>

#include "cli/ranks.hpp"

namespace surefoot::cli {

Exit on_all_ranks(const MakeWork& /*make_work*/, int /*workers*/, double /*rank_timeout*/,
                  const std::function<Exit(Dispatcher&)>& /*first*/) {
  throw std::invalid_argument(
      "mpi: this program was built without MPI; install it (Debian: libopenmpi-dev openmpi-bin) and build with "
      "-DSUREFOOT_BUILD_MPI=ON");
}

}  // namespace surefoot::cli
