#pragma once

#include "ranks/channel.hpp"
#include "ranks/workers.hpp"

namespace surefoot {

/// Serves the first rank's Dispatcher until it ends: does its tasks, with this many workers at a time. Every rank but
/// the first calls this.
void serve(Channel& channel, const MakeWork& make_work, int workers);

}  // namespace surefoot
