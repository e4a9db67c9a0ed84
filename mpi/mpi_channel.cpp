#include "mpi_channel.hpp"

#include <unistd.h>

#include <csignal>
#include <memory>
#include <utility>

#include "make_channel.hpp"

namespace surefoot::mpi {

void abandon_job(int status) { _exit(status); }

std::unique_ptr<Channel> make_channel() { return std::make_unique<MpiChannel>(); }

MpiChannel::MpiChannel() {
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
  MPI_Comm_size(communicator_, &size_);
  Place own{getpid(), {}};
  int length = 0;
  MPI_Get_processor_name(own.machine.data(), &length);
  places_.resize(static_cast<std::size_t>(size_));
  MPI_Allgather(&own, sizeof own, MPI_BYTE, places_.data(), sizeof own, MPI_BYTE, communicator_);
}

// The analyzer does not see that a request outlives the function that makes it.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)

MpiChannel::~MpiChannel() {
  if (!silent_.empty()) return;  // Both calls would wait for the silent rank. The job is about to be aborted.
  for (Sending& one : sending_) MPI_Wait(&one.request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&communicator_);
}

void MpiChannel::send(int rank, Tag tag, std::string bytes) {
  Sending& one = sending_.emplace_back(Sending{std::move(bytes), MPI_REQUEST_NULL});
  MPI_Isend(one.bytes.data(), static_cast<int>(one.bytes.size()), MPI_BYTE, rank, static_cast<int>(tag), communicator_,
            &one.request);
}

// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

void MpiChannel::wake(int rank) {
  int own = 0;
  MPI_Comm_rank(communicator_, &own);
  const Place& place = places_.at(static_cast<std::size_t>(rank));
  const bool is_here = place.machine == places_.at(static_cast<std::size_t>(own)).machine;
  if (is_here && rank != own) kill(static_cast<pid_t>(place.process), SIGCONT);
}

std::optional<Message> MpiChannel::receive() {
  forget_sent();
  int found = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_, &found, &status);
  if (found == 0) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message message{status.MPI_SOURCE, static_cast<Tag>(status.MPI_TAG),
                  std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(message.bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, communicator_, MPI_STATUS_IGNORE);
  return message;
}

void MpiChannel::forget_sent() {
  sending_.remove_if([](Sending& one) {
    int sent = 0;
    MPI_Test(&one.request, &sent, MPI_STATUS_IGNORE);
    return sent != 0;
  });
}

}  // namespace surefoot::mpi
