#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace surefoot {

/// The file that is written when something is written to `path`: links are followed, also to a file that does not exist
/// yet, so that a rename replaces the file and not the link.
std::filesystem::path linked_file(const std::filesystem::path& path);

/// Whether a path is a device, a pipe or a socket: something to write to and never to replace, truncate or read.
bool is_special(const std::filesystem::path& path);

/// The first bytes of a regular file, fewer if it is shorter; none if it is not a regular file or cannot be read.
std::string first_bytes(const std::filesystem::path& path, std::size_t count);

/// \throws std::invalid_argument naming option and path, unless nothing is lost by writing there: there is no such
/// file, it is empty or only zeros, it begins as a file of ours does, or it is special.
void require_ours(const char* option, const std::filesystem::path& path, const std::string& beginning,
                  const char* what_it_is_not);

}  // namespace surefoot
