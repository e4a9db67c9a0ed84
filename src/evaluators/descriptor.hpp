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

/// Opens a pipe. Its ends are closed, and errno is set, if there are not enough descriptors.
Pipe open_pipe();

/// Only our end becomes nonblocking: the two ends of a pipe have flags of their own.
void make_nonblocking(const Descriptor& descriptor);

/// Makes a pipe so small that it can be written to again only when it is empty. Returns whether that is possible.
bool hold_one_page(const Descriptor& writing);

/// The number of bytes that lie in a pipe. Either end may be asked.
std::size_t bytes_in(const Descriptor& descriptor);

struct Written {
  std::size_t bytes = 0;
  int error = 0;
};

/// Writes without raising SIGPIPE. A socket with MSG_NOSIGNAL would not do: programs could not open it as /dev/stdin.
Written write_quietly(int descriptor, std::string_view text);

}  // namespace surefoot
