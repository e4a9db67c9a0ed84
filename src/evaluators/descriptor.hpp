#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace surefoot {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  void close();
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read, write;
  [[nodiscard]] bool is_open() const { return read.is_open() && write.is_open(); }
};

/// Returns closed ends, and sets errno, if there are not enough descriptors.
Pipe open_pipe();

/// Makes our end of a pipe non-blocking. Each end has its own flags, so the program's end stays blocking.
void make_nonblocking(const Descriptor& descriptor);

/// Number of bytes that wait in a pipe; either end may be given.
std::size_t bytes_in(const Descriptor& descriptor);

struct Written {
  std::size_t bytes = 0;
  int error = 0;
};

/// A write() that cannot raise SIGPIPE. Sockets with MSG_NOSIGNAL would not do: programs cannot open them as
/// /dev/stdin.
Written write_quietly(int descriptor, std::string_view text);

}  // namespace surefoot
