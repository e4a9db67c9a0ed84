#pragma once

/// \file
/// Numbers as bytes, little-endian on every machine, and texts that came from a file.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace surefoot {

template <class Unsigned>
void append(std::string& bytes, Unsigned value) {
  std::array<char, sizeof value> little_endian{};
  for (char& byte : little_endian) {
    byte = static_cast<char>(value & 0xff);
    value = static_cast<Unsigned>(value >> 8);
  }
  bytes.append(little_endian.data(), little_endian.size());
}

template <class Unsigned>
Unsigned decode(std::string_view little_endian) {
  Unsigned value = 0;
  for (std::size_t i = sizeof value; i-- > 0;) {
    value = static_cast<Unsigned>(value << 8) | static_cast<unsigned char>(little_endian[i]);
  }
  return value;
}

inline std::optional<std::string_view> take_front(std::string_view& rest, std::uint64_t count) {
  if (count > rest.size()) return std::nullopt;
  const std::string_view front = rest.substr(0, count);
  rest.remove_prefix(count);
  return front;
}

/// Text of a file for a message: the file may be hostile, so it is neither long nor does it steer a terminal.
inline std::string shown(std::string_view words) {
  constexpr std::size_t longest = 60;
  std::string safe(words.substr(0, longest));
  for (char& c : safe) c = c >= ' ' && c <= '~' ? c : '?';
  return words.size() > longest ? safe + "..." : safe;
}

}  // namespace surefoot
