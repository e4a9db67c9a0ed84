#pragma once

#include <mpi.h>

#include <list>
#include <optional>
#include <string>

#include "ranks/channel.hpp"

namespace surefoot::mpi {

/// Sends messages between the ranks of MPI_COMM_WORLD, on a communicator of its own.
class MpiChannel final : public Channel {
 public:
  MpiChannel();
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel(MpiChannel&&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;
  MpiChannel& operator=(MpiChannel&&) = delete;
  /// Waits until everything that was sent has been received, unless a rank was left out.
  ~MpiChannel() override;

  [[nodiscard]] int size() const override { return size_; }
  void send(int rank, Tag tag, std::string bytes) override;
  void leave_out(int rank) override;
  std::optional<Message> receive() override;

 private:
  struct Sending {
    std::string bytes;
    MPI_Request request;
  };
  void forget_sent();

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int size_ = 1;
  bool complete_ = true;        // no rank was left out
  std::list<Sending> sending_;  // a list, because MPI reads the bytes in place and they must not move
};

}  // namespace surefoot::mpi
