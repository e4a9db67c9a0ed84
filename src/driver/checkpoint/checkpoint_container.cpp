#include "driver/checkpoint/checkpoint_container.hpp"

#include <algorithm>
#include <array>
#include <limits>
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

struct Header {
  std::uint32_t format;
  std::string_view version;
  std::uint64_t length;    // of the payload
  std::uint64_t checksum;  // of everything but itself
  std::uint64_t size;      // of the header
};

constexpr std::uint64_t longest_version = 1000;

std::string_view header_field(std::string_view& rest, std::uint64_t size) {
  if (const auto front = take_front(rest, size)) return *front;
  throw std::invalid_argument("truncated checkpoint: it ends within its header");
}

template <class Unsigned>
Unsigned header_number(std::string_view& rest) {
  return decode<Unsigned>(header_field(rest, sizeof(Unsigned)));
}

/// The header of a container of this size, which begins with these bytes.
/// \throws if bytes are something else, or if the container has not as many bytes as its header says.
Header parse(std::string_view bytes, std::uint64_t total) {
  if (!starts_like_a_checkpoint(bytes)) throw std::invalid_argument("not a Surefoot checkpoint");
  std::string_view rest = bytes;
  header_field(rest, checkpoint_magic.size());
  Header header{};
  header.format = header_number<std::uint32_t>(rest);
  const auto version_length = header_number<std::uint32_t>(rest);
  if (version_length > longest_version && version_length <= total) {
    throw std::invalid_argument("damaged checkpoint: the text of its version is too long");
  }
  header.version = header_field(rest, version_length);
  header.length = header_number<std::uint64_t>(rest);
  header.checksum = header_number<std::uint64_t>(rest);
  header.size = bytes.size() - rest.size();
  const std::uint64_t there = total - header.size;
  if (there < header.length) {
    throw std::invalid_argument("truncated checkpoint: " + text(there) + " of " + text(header.length) +
                                " bytes of state are there");
  }
  if (there > header.length) {
    throw std::invalid_argument("damaged checkpoint: " + text(there - header.length) + " bytes too many");
  }
  return header;
}

void require_readable_format(const Header& header) {
  if (header.format > checkpoint_format) {
    throw std::invalid_argument("checkpoint of a newer version: Surefoot " + shown(header.version) +
                                " wrote it in format " + text(header.format) + ", this is Surefoot " + version +
                                " and reads format " + text(checkpoint_format));
  }
  // The checksum holds, but no version has ever written this.
  if (header.format == 0) throw std::invalid_argument("damaged checkpoint: there is no format 0");
  if (header.format < checkpoint_format) {
    throw std::invalid_argument("checkpoint of an older version: Surefoot " + shown(header.version) +
                                " wrote it in format " + text(header.format) + ", this is Surefoot " + version +
                                " and reads format " + text(checkpoint_format) +
                                "; finish the search with that version, or start anew from its best point");
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

CheckpointSum::CheckpointSum(std::string_view start, std::uint64_t size) {
  const Header header = parse(start, size);
  expected_ = header.checksum;
  skipped_from_ = header.size - sizeof header.checksum;
}

void CheckpointSum::add(std::string_view bytes) {
  const auto part = [&](std::uint64_t from, std::uint64_t to) {  // places in the container
    from = std::max(from, at_);
    to = std::min<std::uint64_t>(to, at_ + bytes.size());
    if (from < to) sum_ = crc64(bytes.substr(from - at_, to - from), sum_);
  };
  part(0, skipped_from_);
  part(skipped_from_ + sizeof expected_, std::numeric_limits<std::uint64_t>::max());
  at_ += bytes.size();
}

void CheckpointSum::require_right() const {
  if (sum_ != expected_) throw std::invalid_argument("damaged checkpoint: its checksum is wrong");
}

std::string unseal(std::string_view bytes) {
  CheckpointSum sum(bytes, bytes.size());
  sum.add(bytes);
  sum.require_right();
  const Header header = parse(bytes, bytes.size());
  require_readable_format(header);
  return std::string(bytes.substr(header.size));
}

}  // namespace surefoot
