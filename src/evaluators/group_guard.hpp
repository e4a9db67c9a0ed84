#pragma once

#include <sys/types.h>

#include "evaluators/descriptor.hpp"

namespace surefoot {

/// Ends the process groups of programs if this process is killed, even by SIGKILL: the kernel ends the programs then,
/// but not what they have started. A small process of its own, which nothing but the end of this one wakes up, knows
/// the groups. A program's process that has left the group, by setsid, is not followed.
class GroupGuard {
 public:
  /// The one of this process. It is started with the first group.
  static GroupGuard& instance();

  void add(pid_t group) { send(group); }
  void remove(pid_t group) { send(-group); }

 private:
  GroupGuard();
  void send(pid_t message);

  Descriptor pipe_;
};

}  // namespace surefoot
