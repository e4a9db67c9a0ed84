#pragma once

#include "ranks/channel.hpp"

namespace surefoot {

/// The channel of a process that works alone: its Dispatcher is a pool of threads.
class LoneChannel final : public Channel {
 public:
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] std::chrono::milliseconds grace() const override { return std::chrono::hours(24 * 365); }
  void send(int /*rank*/, Tag /*tag*/, std::string /*bytes*/) override {}
  std::optional<Message> receive() override { return std::nullopt; }
};

}  // namespace surefoot
