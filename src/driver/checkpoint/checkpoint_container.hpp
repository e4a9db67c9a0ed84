#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace surefoot {

/// Number of the payload's format that this version writes, and the only one that it reads. Version 0.1 has 1 to 5.
inline constexpr std::uint32_t checkpoint_format = 7;

/// CRC-64/XZ of bytes, continued from the sum of the bytes before them.
std::uint64_t crc64(std::string_view bytes, std::uint64_t before = 0);

/// The container, with little-endian numbers:
///
///     "surefoot checkpoint\n"
///     uint32  format of the payload
///     uint32  length of the version text, then the text: the version of the library that wrote it
///     uint64  length of the payload
///     uint64  CRC-64/XZ of everything above and the payload
///     payload
///
/// This layout is the same for every format, so that a damaged file is never mistaken for one of a newer version.
std::string seal(std::string_view payload);

/// The payload of a container.
/// \throws std::invalid_argument: "not a Surefoot checkpoint", "truncated checkpoint: ...", "damaged checkpoint: ..."
/// or "checkpoint of a newer version: ...", which names the version that wrote it.
std::string unseal(std::string_view bytes);

/// Long enough for the header of every container: the text of a version is short.
inline constexpr std::uint64_t longest_checkpoint_header = 4096;

/// Judges a container without holding it: by its first bytes and its size, then by its checksum. So a file of any size
/// can be refused.
class CheckpointSum {
 public:
  /// `start`: the first bytes, as many as the longest header has, if possible.
  /// \throws std::invalid_argument as `unseal`.
  CheckpointSum(std::string_view start, std::uint64_t size);
  /// All bytes, in any parts.
  void add(std::string_view bytes);
  /// \throws std::invalid_argument if the checksum is wrong.
  void require_right() const;

 private:
  std::uint64_t expected_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t skipped_from_ = 0;  // the place of the checksum itself
};

/// How every container begins.
inline constexpr std::string_view checkpoint_magic = "surefoot checkpoint\n";

/// Whether bytes could be the start of a checkpoint; no bytes could.
bool starts_like_a_checkpoint(std::string_view bytes);

}  // namespace surefoot
