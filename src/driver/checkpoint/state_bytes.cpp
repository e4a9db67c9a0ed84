#include "driver/checkpoint/state_bytes.hpp"

#include <bit>
#include <limits>
#include <stdexcept>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/bytes.hpp"

namespace surefoot {
namespace {

namespace type {
constexpr char scalar = 's';
constexpr char vector = 'v';
constexpr char matrix = 'm';
constexpr char integer = 'i';
constexpr char text = 't';
}  // namespace type

std::string type_name(char code) {
  switch (code) {
    case type::scalar: return "scalar";
    case type::vector: return "vector";
    case type::matrix: return "matrix";
    case type::integer: return "integer";
    case type::text: return "text";
    default: return "unknown";
  }
}

std::string shape(std::uint64_t rows, std::uint64_t columns) { return text(rows) + " x " + text(columns); }

std::span<const double> elements(const auto& array) { return {array.data(), static_cast<std::size_t>(array.size())}; }
std::span<double> elements(auto& array) { return {array.data(), static_cast<std::size_t>(array.size())}; }

}  // namespace

void StateWriter::scalar(std::string_view name, double& value) {
  field(type::scalar, name);
  doubles({&value, 1});
}

void StateWriter::vector(std::string_view name, Vector& value) {
  field(type::vector, name);
  append(bytes_, static_cast<std::uint64_t>(value.size()));
  doubles(elements(value));
}

void StateWriter::matrix(std::string_view name, Matrix& value) {
  field(type::matrix, name);
  append(bytes_, static_cast<std::uint64_t>(value.rows()));
  append(bytes_, static_cast<std::uint64_t>(value.cols()));
  doubles(elements(value));
}

void StateWriter::integer(std::string_view name, std::int64_t& value) {
  field(type::integer, name);
  append(bytes_, static_cast<std::uint64_t>(value));
}

void StateWriter::text(std::string_view name, std::string& value) {
  field(type::text, name);
  words(value);
}

void StateWriter::field(char type, std::string_view name) {
  bytes_.push_back(type);
  words(name);
}

void StateWriter::words(std::string_view characters) {
  append(bytes_, std::uint64_t{characters.size()});
  bytes_.append(characters);
}

void StateWriter::doubles(std::span<const double> values) {
  for (const double& value : values) append(bytes_, std::bit_cast<std::uint64_t>(value));
}

void StateReader::scalar(std::string_view name, double& value) {
  field(type::scalar, name);
  doubles({&value, 1}, name);
}

void StateReader::vector(std::string_view name, Vector& value) {
  field(type::vector, name);
  const std::uint64_t size = number(name);
  if (value.size() != 0 && size != static_cast<std::uint64_t>(value.size())) {
    reject("checkpoint: size of " + shown(name), size, "it must be " + surefoot::text(value.size()));
  }
  require_room(size, 1, name);
  value.resize(static_cast<Index>(size));
  doubles(elements(value), name);
}

void StateReader::matrix(std::string_view name, Matrix& value) {
  field(type::matrix, name);
  const std::uint64_t rows = number(name);
  const std::uint64_t columns = number(name);
  const std::string found = shape(rows, columns);
  const std::string expected =
      shape(static_cast<std::uint64_t>(value.rows()), static_cast<std::uint64_t>(value.cols()));
  if (value.size() != 0 && found != expected) {
    reject("checkpoint: size of " + shown(name), found, "it must be " + expected);
  }
  require_room(rows, columns, name);
  value.resize(static_cast<Index>(rows), static_cast<Index>(columns));
  doubles(elements(value), name);
}

void StateReader::integer(std::string_view name, std::int64_t& value) {
  field(type::integer, name);
  value = static_cast<std::int64_t>(number(name));
}

void StateReader::text(std::string_view name, std::string& value) {
  field(type::text, name);
  value = take(number(name), name);
}

void StateReader::finish() const {
  if (rest_.empty()) return;
  throw std::invalid_argument("checkpoint: " + surefoot::text(rest_.size()) + " bytes are left over");
}

bool StateReader::has_next(std::string_view name) const {
  StateReader ahead(rest_);
  ahead.take(1, name);
  return ahead.take(ahead.number(name), name) == name;
}

void StateReader::skip_to(std::string_view name) {
  while (true) {
    const std::string_view before = rest_;
    const char found_type = take(1, name).front();
    if (take(number(name), name) == name) {
      rest_ = before;
      return;
    }
    std::uint64_t size = sizeof(double);
    if (found_type == type::text) {
      size = number(name);
    } else if (found_type == type::vector || found_type == type::matrix) {
      const std::uint64_t rows = number(name);
      const std::uint64_t columns = found_type == type::matrix ? number(name) : 1;
      require_room(rows, columns, name);
      size = rows * columns * sizeof(double);
    }
    take(size, name);
  }
}

void StateReader::field(char type, std::string_view name) {
  const char found_type = take(1, name).front();
  const std::string_view found_name = take(number(name), name);
  if (found_name != name) reject("checkpoint: field", shown(found_name), "it must be " + shown(name));
  if (found_type != type) {
    reject("checkpoint: type of " + shown(name), type_name(found_type), "it must be " + type_name(type));
  }
}

std::string_view StateReader::take(std::uint64_t count, std::string_view name) {
  if (const auto front = take_front(rest_, count)) return *front;
  throw std::invalid_argument("checkpoint: bytes are missing at " + shown(name));
}

std::uint64_t StateReader::number(std::string_view name) {
  return decode<std::uint64_t>(take(sizeof(std::uint64_t), name));
}

/// \throws unless the remaining bytes hold rows x columns doubles. A matrix without columns may have any number of
/// rows, and the other way round, as long as Eigen can count them.
void StateReader::require_room(std::uint64_t rows, std::uint64_t columns, std::string_view name) const {
  constexpr std::uint64_t countable = std::numeric_limits<Index>::max();
  const std::uint64_t room = rest_.size() / sizeof(double);
  const bool fits = rows == 0 || columns <= room / rows;
  if (fits && rows <= countable && columns <= countable) return;
  throw std::invalid_argument("checkpoint: " + shape(rows, columns) + " numbers are more than there are bytes for at " +
                              shown(name));
}

void StateReader::doubles(std::span<double> values, std::string_view name) {
  std::string_view bits = take(values.size_bytes(), name);
  for (double& value : values) {
    value = std::bit_cast<double>(decode<std::uint64_t>(bits));
    bits.remove_prefix(sizeof value);
  }
}

}  // namespace surefoot
