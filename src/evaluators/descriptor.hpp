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

/// Closed ends, and errno, if there are not enough descriptors.
Pipe open_pipe();

/// The two ends of a pipe have flags of their own: the program's end stays as it expects it.
void make_nonblocking(const Descriptor& descriptor);

/// Bytes that lie in a pipe, asked at either end.
std::size_t bytes_in(const Descriptor& descriptor);

struct Written {
  std::size_t bytes = 0;
  int error = 0;
};

/// write() that cannot raise SIGPIPE. Not a socket with MSG_NOSIGNAL: programs could not open it as /dev/stdin.
Written write_quietly(int descriptor, std::string_view text);

}  // namespace surefoot
