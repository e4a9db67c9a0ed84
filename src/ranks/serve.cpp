#include "ranks/serve.hpp"

#include "ranks/back_off.hpp"
#include "ranks/byte_stream.hpp"

namespace surefoot {
namespace {

/// Returns false once there is nothing more to do.
bool obey(const Message& message, Workers& slots, Channel& channel) {
  switch (message.tag) {
    case Tag::ping: channel.send(0, Tag::alive, {}); return true;
    case Tag::task: slots.start(task_of(message.bytes)); return true;
    case Tag::cancel: slots.cancel(ByteReader(message.bytes).integer()); return true;
    case Tag::stop: return false;
    default: return true;
  }
}

}  // namespace

void serve(Channel& channel, const MakeWork& make_work, int workers) {
  Workers slots(make_work, workers);
  ByteWriter count;
  count.integer(slots.count());
  channel.send(0, Tag::ready, count.take());
  BackOff back_off;
  while (true) {
    bool idle = true;
    while (const std::optional<Message> message = channel.receive()) {
      idle = false;
      if (!obey(*message, slots, channel)) return channel.send(0, Tag::stopped, {});
    }
    for (const Answer& answer : slots.take()) {
      idle = false;
      channel.send(0, Tag::answer, to_bytes(answer));
    }
    if (!idle) back_off.reset();
    // While all workers are busy no task could begin at once, and an answer ends the wait.
    slots.wait(slots.full() ? BackOff::longest : back_off.pause());
  }
}

}  // namespace surefoot
