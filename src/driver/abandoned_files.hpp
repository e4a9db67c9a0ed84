#pragma once

#include <filesystem>

namespace surefoot {

/// Removes what processes that were killed while they wrote a file have left beside it: FILE.PID.N.tmp of
/// write_atomically and FILE.tmp.PID.N of checkpoints. Files of other processes that live stay. To be called before
/// this process writes the file, by its only user.
void remove_abandoned(const std::filesystem::path& file);

}  // namespace surefoot
