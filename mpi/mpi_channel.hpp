#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ranks/channel.hpp"

namespace surefoot::mpi {

/// Sends messages between the ranks of MPI_COMM_WORLD, on a communicator of its own.
class MpiChannel final : public Channel {
 public:
  /// \throws std::runtime_error if a rank is silent for longer than `patience`.
  explicit MpiChannel(std::optional<std::chrono::duration<double>> patience = {});
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel(MpiChannel&&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;
  MpiChannel& operator=(MpiChannel&&) = delete;
  /// Waits until everything that was sent has been received, unless a rank was left out.
  ~MpiChannel() override;

  [[nodiscard]] int size() const override { return size_; }
  void send(int rank, Tag tag, std::string bytes) override;
  void leave_out(int rank) override { silent_.insert(rank); }
  void take_back(int rank) override { silent_.erase(rank); }
  /// Reaches the processes of this machine.
  void wake(int rank) override;
  std::optional<Message> receive() override;

 private:
  struct Sending {
    std::string bytes;
    MPI_Request request;
  };
  void forget_sent();

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int size_ = 1;
  struct Place {
    std::int64_t process;
    std::array<char, MPI_MAX_PROCESSOR_NAME> machine;
  };
  std::vector<Place> places_;   // of all ranks
  std::set<int> silent_;        // ranks that were left out
  std::list<Sending> sending_;  // a list, because MPI reads the bytes in place and they must not move
};

}  // namespace surefoot::mpi
