#pragma once

#include <optional>
#include <string>

namespace surefoot {

/// What a message is about.
enum class Tag : int {
  ready = 1,  // a rank has so many workers
  task,
  answer,
  cancel,  // nobody waits for this batch any more
  stop,    // serve no longer
  stopped  // the last message of a rank
};

struct Message {
  int rank = 0;  // that has sent it
  Tag tag = Tag::ready;
  std::string bytes;
};

/// The way between ranks. Messages between two of them arrive in the order in which they were sent. One thread only.
class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel(Channel&&) = delete;
  Channel& operator=(const Channel&) = delete;
  Channel& operator=(Channel&&) = delete;
  virtual ~Channel() = default;

  [[nodiscard]] virtual int size() const = 0;  // ranks, this one included

  /// Does not wait for the receiver.
  virtual void send(int rank, Tag tag, std::string bytes) = 0;

  /// A message, if there is one.
  virtual std::optional<Message> receive() = 0;
};

}  // namespace surefoot
