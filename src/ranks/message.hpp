#pragma once

/// \file
/// What ranks tell each other. Bytes travel in the machine's own order: ranks of one job run the same program.

#include <cstdint>
#include <string>

namespace surefoot {

/// One piece of work on its way to a rank.
struct Task {
  std::int64_t batch = 0;   // Late answers to an earlier batch are recognised by it.
  std::int64_t number = 0;  // within the batch
  std::string bytes;
};

/// The end of a task, on its way back.
struct Answer {
  enum class Kind : std::int64_t {
    done,
    returned,  // cancelled before it was done
    broken     // the rank cannot work: bytes say why
  };
  std::int64_t batch = 0;
  std::int64_t number = 0;
  Kind kind = Kind::done;
  double seconds = 0;  // that a worker was busy with it
  std::string bytes;
};

std::string to_bytes(const Task& task);
std::string to_bytes(const Answer& answer);

// \throws std::runtime_error for bytes that the functions above have not written.
Task task_of(const std::string& bytes);
Answer answer_of(const std::string& bytes);

}  // namespace surefoot
