#include "driver/checkpoint/checkpoint_container.hpp"

#include <array>
#include <stdexcept>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/bytes.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

constexpr std::array<std::uint64_t, 256> crc_table() {
  constexpr std::uint64_t reflected_polynomial = 0xC96C5795D7870F42;
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t byte = 0; byte < table.size(); ++byte) {
    std::uint64_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? reflected_polynomial : 0);
    table[byte] = rest;
  }
  return table;
}

struct Container {
  std::uint32_t format;
  std::string_view version;
  std::uint64_t checksum;
  std::uint64_t expected_checksum;
  std::string_view payload;
};

std::string_view header_field(std::string_view& rest, std::uint64_t size) {
  if (const auto front = take_front(rest, size)) return *front;
  throw std::invalid_argument("truncated checkpoint: it ends within its header");
}

template <class Unsigned>
Unsigned header_number(std::string_view& rest) {
  return decode<Unsigned>(header_field(rest, sizeof(Unsigned)));
}

/// \throws if bytes are something else, or if their number is not the one that the header says.
Container parse(std::string_view bytes) {
  if (!starts_like_a_checkpoint(bytes)) throw std::invalid_argument("not a Surefoot checkpoint");
  std::string_view rest = bytes;
  header_field(rest, checkpoint_magic.size());
  Container container{};
  container.format = header_number<std::uint32_t>(rest);
  container.version = header_field(rest, header_number<std::uint32_t>(rest));
  const auto length = header_number<std::uint64_t>(rest);
  const std::string_view summed = bytes.substr(0, bytes.size() - rest.size());
  container.checksum = header_number<std::uint64_t>(rest);
  container.payload = rest;
  if (rest.size() < length) {
    throw std::invalid_argument("truncated checkpoint: " + text(rest.size()) + " of " + text(length) +
                                " bytes of state are there");
  }
  if (rest.size() > length) {
    throw std::invalid_argument("damaged checkpoint: " + text(rest.size() - length) + " bytes too many");
  }
  container.expected_checksum = crc64(container.payload, crc64(summed));
  return container;
}

void require_readable_format(const Container& container) {
  if (container.format > checkpoint_format) {
    throw std::invalid_argument("checkpoint of a newer version: Surefoot " + shown(container.version) +
                                " wrote it in format " + text(container.format) + ", this is Surefoot " + version +
                                " and reads format " + text(checkpoint_format));
  }
  // The checksum holds, but no version has ever written this.
  if (container.format == 0) throw std::invalid_argument("damaged checkpoint: there is no format 0");
  if (container.format < checkpoint_format) {
    throw std::invalid_argument("checkpoint of an older version: Surefoot " + shown(container.version) +
                                " wrote it in format " + text(container.format) + ", this is Surefoot " + version +
                                " and reads format " + text(checkpoint_format));
  }
}

}  // namespace

bool starts_like_a_checkpoint(std::string_view bytes) {
  return bytes.substr(0, checkpoint_magic.size()) == checkpoint_magic.substr(0, bytes.size());
}

std::uint64_t crc64(std::string_view bytes, std::uint64_t before) {
  static constexpr std::array<std::uint64_t, 256> table = crc_table();
  std::uint64_t sum = ~before;
  for (const char byte : bytes) sum = table[(sum ^ static_cast<unsigned char>(byte)) & 0xff] ^ (sum >> 8);
  return ~sum;
}

std::string seal(std::string_view payload) {
  const std::string_view writer = version;
  std::string bytes(checkpoint_magic);
  append(bytes, checkpoint_format);
  append(bytes, static_cast<std::uint32_t>(writer.size()));
  bytes += writer;
  append(bytes, std::uint64_t{payload.size()});
  append(bytes, crc64(payload, crc64(bytes)));
  return bytes.append(payload);
}

std::string unseal(std::string_view bytes) {
  const Container container = parse(bytes);
  if (container.checksum != container.expected_checksum) {
    throw std::invalid_argument("damaged checkpoint: its checksum is wrong");
  }
  require_readable_format(container);
  return std::string(container.payload);
}

}  // namespace surefoot
