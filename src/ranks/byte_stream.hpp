#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace surefoot {

/// Writes numbers and texts one after the other.
class ByteWriter {
 public:
  void integer(std::int64_t value) { append(&value, sizeof value); }
  void real(double value) { append(&value, sizeof value); }
  void reals(std::span<const double> values) { append(values.data(), values.size_bytes()); }
  void text(std::string_view text) {  // with its length, so that something can follow it
    integer(static_cast<std::int64_t>(text.size()));
    bytes_ += text;
  }
  void rest(std::string_view text) { bytes_ += text; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  std::string bytes_;
};

/// Reads what a ByteWriter has written, in the same order. The bytes must outlive it.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::int64_t integer() { return number<std::int64_t>(); }
  double real() { return number<double>(); }
  void reals(std::span<double> values) { take(values.data(), values.size_bytes()); }
  std::string text() {
    const auto size = static_cast<std::uint64_t>(integer());
    require(size);
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  template <class Number>
  Number number() {
    Number value = 0;
    take(&value, sizeof value);
    return value;
  }

  void require(std::uint64_t size) const {
    if (size > rest_.size()) throw std::runtime_error("a message between ranks is too short");
  }

  void take(void* data, std::size_t size) {
    require(size);
    std::memcpy(data, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
};

}  // namespace surefoot
