#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "driver/checkpoint/checkpoint_container.hpp"
#include "driver/checkpoint/state_bytes.hpp"

namespace surefoot::test {

/// The message of the std::invalid_argument that action throws; "" and a failure if it throws none.
inline std::string rejection(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::string little_endian(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  return bytes;
}

/// A container made by hand, as its documentation says.
inline std::string container(std::uint32_t format, const std::string& writer, const std::string& payload) {
  const std::string header = "surefoot checkpoint\n" + little_endian(format, 4) + little_endian(writer.size(), 4) +
                             writer + little_endian(payload.size(), 8);
  return header + little_endian(crc64(header + payload), 8) + payload;
}

/// One of each type.
struct State {
  double sigma = 0;
  Vector m;
  Matrix B;
  std::int64_t generation = 0;
  std::string strategy;

  void visit(StateVisitor& visitor) {
    visitor.scalar("sigma", sigma);
    visitor.vector("m", m);
    visitor.matrix("B, by columns", B);
    visitor.integer("generation", generation);
    visitor.text("strategy", strategy);
  }
};

inline State example() {
  return {.sigma = 0.1,
          .m = Vector{{1, -2.5, 3}},
          .B = Matrix{{1, 2, 3}, {4, 5, 6}},
          .generation = -7,
          .strategy = std::string("x\0nes\n", 6)};
}

inline std::string bytes_of(auto state) {
  StateWriter writer;
  state.visit(writer);
  return writer.bytes();
}

}  // namespace surefoot::test
