#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace surefoot {

/// Writes a container atomically and durably; the present FILE becomes FILE.prev.
/// \throws std::runtime_error naming the file and the system's reason. No temporary file stays behind then.
void save_checkpoint(const std::filesystem::path& file, std::string_view payload);

/// The payload of a file.
/// \throws std::invalid_argument naming the file and what is wrong with it; if FILE.prev is good, the message ends with
/// "; the previous checkpoint FILE.prev is intact".
std::string load_checkpoint(const std::filesystem::path& file);

/// Makes the names in the folder of a file durable.
/// \throws std::runtime_error naming the file and the system's reason.
void sync_folder_of(const std::filesystem::path& file);

/// Whether a file may be replaced by a checkpoint: it is one, however damaged. Any other file is somebody's work.
bool looks_like_a_checkpoint(const std::filesystem::path& file);

}  // namespace surefoot
