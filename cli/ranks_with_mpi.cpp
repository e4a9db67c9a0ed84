#include "cli/ranks.hpp"
#include "cli/signals.hpp"
#include "make_channel.hpp"
#include "ranks/serve.hpp"
#include "surefoot/mpi.hpp"

namespace surefoot::cli {

/// Wrong input is reported by the first rank alone, although every rank could notice it: the others serve whatever
/// happens there, until the dispatcher ends.
Exit on_all_ranks(const MakeWork& make_work, int workers, const std::function<Exit(Dispatcher&)>& first) {
  const mpi::Environment environment;
  // Batch systems send signals to all ranks. The serving ranks must live until the first has saved.
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
