#pragma once

#include "ranks/channel.hpp"
#include "ranks/slots.hpp"

namespace surefoot {

/// What every rank but the first does: tasks, with so many workers at a time, until the first rank's Dispatcher goes.
void serve(Channel& channel, const MakeWork& make_work, int workers);

}  // namespace surefoot
