#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// Serialises visited state into bytes: named, typed fields in order, little-endian, doubles bit for bit.
class StateWriter final : public StateVisitor {
 public:
  void scalar(std::string_view name, double& value) override;
  void vector(std::string_view name, Vector& value) override;
  void matrix(std::string_view name, Matrix& value) override;
  void integer(std::string_view name, std::int64_t& value) override;
  void text(std::string_view name, std::string& value) override;

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void field(char type, std::string_view name);
  void words(std::string_view characters);
  void doubles(std::span<const double> values);

  std::string bytes_;
};

/// Restores visited state from bytes, which must outlive the reader. Every member throws
/// std::invalid_argument("checkpoint: ...") if a field's name, type or size is not that of the visited object, or if
/// bytes are missing; what was visited before stays restored. A vector or matrix of size 0 takes any size that the
/// remaining bytes can hold, so that no claimed size allocates more than the bytes that are really there.
class StateReader final : public StateVisitor {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}

  void scalar(std::string_view name, double& value) override;
  void vector(std::string_view name, Vector& value) override;
  void matrix(std::string_view name, Matrix& value) override;
  void integer(std::string_view name, std::int64_t& value) override;
  /// Takes any length: a text has no size that the visited object could know.
  void text(std::string_view name, std::string& value) override;

  /// Passes over fields until the next one has this name.
  /// \throws std::invalid_argument if there is none.
  void skip_to(std::string_view name);

  /// \throws std::invalid_argument if bytes are left over.
  void finish() const;

 private:
  void field(char type, std::string_view name);
  std::string_view take(std::uint64_t count, std::string_view name);
  std::uint64_t number(std::string_view name);
  void require_room(std::uint64_t rows, std::uint64_t columns, std::string_view name) const;
  void doubles(std::span<double> values, std::string_view name);

  std::string_view rest_;
};

/// Number of the payload's format that this version writes, and the greatest that it reads.
inline constexpr std::uint32_t checkpoint_format = 1;

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

/// Writes a container atomically and durably; the present FILE becomes FILE.prev.
/// \throws std::runtime_error naming the file and the system's reason. No temporary file stays behind then.
void save_checkpoint(const std::filesystem::path& file, std::string_view payload);

/// The payload of a file.
/// \throws std::invalid_argument naming the file and what is wrong with it; if FILE.prev is good, the message ends with
/// "; the previous checkpoint FILE.prev is intact".
std::string load_checkpoint(const std::filesystem::path& file);

}  // namespace surefoot
