#include "cli/ranks.hpp"
#include "cli/signals.hpp"
#include "make_channel.hpp"
#include "ranks/serve.hpp"
#include "surefoot/mpi.hpp"

namespace surefoot::cli {

/// Wrong input, which every rank would notice, is told by the first alone: the others serve whatever happens there, and
/// the dispatcher's end lets them go.
Exit on_all_ranks(const MakeWork& make_work, int workers, const std::function<Exit(Dispatcher&)>& first) {
  const mpi::Environment environment;
  // A signal to all ranks, as batch systems send it, must not end those that serve before the first has saved.
  watch_signals();
  forget_launcher();
  const auto channel = mpi::make_channel();
  if (environment.rank() == 0) {
    Dispatcher ranks(*channel, make_work, workers);
    return first(ranks);
  }
  serve(*channel, make_work, workers);
  return Exit::success;
}

}  // namespace surefoot::cli
