#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/checkpoint/bytes.hpp"

namespace surefoot::test {

/// One field of the bytes of a state: s(calar), i(nteger), v(ector), m(atrix) or t(ext).
struct StateField {
  char type;
  std::string name;
  std::size_t sizes_at;  // eight bytes for each size, which end where the contents begin
  std::size_t at;        // of the contents
  std::size_t bytes;     // of the contents
};

/// The fields of a state or checkpoint, whatever they are called. The bytes must be good.
inline std::vector<StateField> fields_of(const std::string& state) {
  std::vector<StateField> fields;
  std::size_t at = 0;
  const auto number = [&] {
    at += 8;
    return static_cast<std::size_t>(decode<std::uint64_t>(std::string_view(state).substr(at - 8, 8)));
  };
  while (at < state.size()) {
    StateField field{state[at++], {}, 0, 0, 8};
    const std::size_t length = number();
    field.name = state.substr(at, length);
    field.sizes_at = at += length;
    if (field.type == 't') field.bytes = number();
    if (field.type == 'v') field.bytes = 8 * number();
    if (field.type == 'm') {
      const std::size_t rows = number();
      field.bytes = 8 * rows * number();
    }
    field.at = at;
    at += field.bytes;
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace surefoot::test
