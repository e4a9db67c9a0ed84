#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace surefoot {

/// The subject of a message.
enum class Tag : int {
  ready = 1,  // A rank says how many workers it has.
  task,
  answer,
  cancel,   // Nobody waits for this batch any more.
  stop,     // The rank shall serve no longer.
  stopped,  // This is the last message of a rank.
  ping,     // Is the rank there? Its own thread answers at once, whatever its workers do.
  alive
};

struct Message {
  int rank = 0;  // the sender
  Tag tag = Tag::ready;
  std::string bytes;
};

/// Carries messages between ranks. Messages between two of them arrive in the order in which they were sent. One thread
/// only.
class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel(Channel&&) = delete;
  Channel& operator=(const Channel&) = delete;
  Channel& operator=(Channel&&) = delete;
  virtual ~Channel() = default;

  [[nodiscard]] virtual int size() const = 0;  // ranks, this one included

  /// How long tasks in flight are waited for once they are cancelled. mpirun kills all ranks a second after it was
  /// asked to end, and the checkpoint has to be written before.
  [[nodiscard]] virtual std::chrono::milliseconds grace() const { return std::chrono::milliseconds(500); }

  /// How long ranks that were left out, or that nobody needs any more, are waited for at the end.
  [[nodiscard]] virtual std::chrono::milliseconds farewell() const { return std::chrono::seconds(5); }

  /// Does not wait for the receiver.
  virtual void send(int rank, Tag tag, std::string bytes) = 0;

  /// Nothing that was sent to this rank is waited for any more.
  virtual void leave_out(int /*rank*/) {}

  /// A rank that was left out has answered after all.
  virtual void take_back(int /*rank*/) {}

  /// Wakes a stopped rank (SIGSTOP), if it is within reach.
  virtual void wake(int /*rank*/) {}

  /// The next message, if there is one.
  virtual std::optional<Message> receive() = 0;
};

}  // namespace surefoot
