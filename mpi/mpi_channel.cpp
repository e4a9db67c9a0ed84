#include "mpi_channel.hpp"

#include <unistd.h>

#include <csignal>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "make_channel.hpp"
#include "ranks/back_off.hpp"

namespace surefoot::mpi {

void abandon_job(int status) { _exit(status); }

std::unique_ptr<Channel> make_channel(std::optional<std::chrono::duration<double>> patience) {
  return std::make_unique<MpiChannel>(patience);
}

// The analyzer does not see that a request outlives the function that makes it.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)

namespace {

/// Both are collective: a rank that has fallen silent since MPI_Init would be waited for without end.
void await(MPI_Request& request, int size, std::optional<std::chrono::duration<double>> patience) {
  const auto begin = std::chrono::steady_clock::now();
  const BackOff wait;
  while (true) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    if (patience && std::chrono::steady_clock::now() - begin > *patience) {
      std::ostringstream seconds;
      seconds << patience->count();
      throw std::runtime_error("not all of the " + std::to_string(size) + " ranks have begun within " + seconds.str() +
                               " s (--rank-timeout): one of them does not answer, and the job ends");
    }
    std::this_thread::sleep_for(wait.pause());
  }
}

}  // namespace

/// Memory that MPI writes to outlives a wait that was given up: the process ends soon.
MpiChannel::MpiChannel(std::optional<std::chrono::duration<double>> patience) {
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  auto duplicate = std::make_unique<MPI_Comm>(MPI_COMM_NULL);
  auto places = std::make_unique<std::vector<Place>>(static_cast<std::size_t>(size_) + 1);  // with our own at the end
  MPI_Request request = MPI_REQUEST_NULL;
  try {
    MPI_Comm_idup(MPI_COMM_WORLD, duplicate.get(), &request);
    await(request, size_, patience);
    communicator_ = *duplicate;
    Place& own = places->back();
    own.process = getpid();
    int length = 0;
    MPI_Get_processor_name(own.machine.data(), &length);
    MPI_Iallgather(&own, sizeof own, MPI_BYTE, places->data(), sizeof own, MPI_BYTE, communicator_, &request);
    await(request, size_, patience);
  } catch (const std::runtime_error&) {
    static_cast<void>(duplicate.release());
    static_cast<void>(places.release());
    throw;
  }
  places->pop_back();
  places_ = std::move(*places);
}

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
