// Hostile checkpoints: whatever the bytes, loading restores the state or throws std::invalid_argument.
// With libFuzzer: clang++ -fsanitize=fuzzer,address,undefined; anywhere else: with standalone.cpp.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include "driver/checkpoint/checkpoint_container.hpp"
#include "driver/checkpoint/state_bytes.hpp"

namespace surefoot {
namespace {

/// Sizes that the object knows and sizes that come from the bytes.
struct State {
  double sigma = 1;
  Vector m = Vector::Ones(2);
  Vector any_vector;
  Matrix B = Matrix::Ones(2, 2);
  Matrix any_matrix;
  std::int64_t generation = 3;
  std::string strategy = "xnes";

  void visit(StateVisitor& visitor) {
    visitor.scalar("s", sigma);
    visitor.vector("m", m);
    visitor.vector("v", any_vector);
    visitor.matrix("B", B);
    visitor.matrix("M", any_matrix);
    visitor.integer("g", generation);
    visitor.text("t", strategy);
  }
};

void require(bool condition) {
  if (!condition) std::abort();
}

std::string written(State state) {
  StateWriter writer;
  state.visit(writer);
  return writer.bytes();
}

/// Bytes that are accepted are the bytes that are written again: no two files mean the same state.
void restore(std::string_view bytes) {
  State state;
  try {
    StateReader reader(bytes);
    state.visit(reader);
    reader.finish();
  } catch (const std::invalid_argument&) {
    return;
  }
  require(written(state) == bytes);
}

void restore_each_field_alone(std::string_view bytes) {
  const auto attempt = [bytes](auto visit) {
    StateReader reader(bytes);
    try {
      while (true) visit(reader);
    } catch (const std::invalid_argument&) {
    }
  };
  State state;
  attempt([&](StateVisitor& visitor) { visitor.vector("", state.any_vector); });
  attempt([&](StateVisitor& visitor) { visitor.matrix("", state.any_matrix); });
  attempt([&](StateVisitor& visitor) { visitor.text("", state.strategy); });
}

void open(std::string_view bytes) {
  try {
    restore(unseal(bytes));
  } catch (const std::invalid_argument&) {
  }
}

/// The input as changes of good bytes, three for each: where (two), and what to add. Reaches states that random bytes
/// do not.
std::string changed(std::string good, std::string_view changes) {
  for (; changes.size() >= 3; changes.remove_prefix(3)) {
    const auto byte = [changes](std::size_t i) { return static_cast<unsigned char>(changes[i]); };
    char& target = good[(byte(0) + 256U * byte(1)) % good.size()];
    target = static_cast<char>((static_cast<unsigned char>(target) + byte(2)) & 0xff);
  }
  return good;
}

void open_changed(std::string_view changes) {
  const std::string good = seal(written({}));
  const std::string bytes = changed(good, changes);
  try {
    unseal(bytes);
  } catch (const std::invalid_argument&) {
    require(bytes != good);
    return;
  }
  // The checksum is no signature: many changes at once may agree with it, but nobody finds them by chance.
  require(bytes == good);
}

}  // namespace
}  // namespace surefoot

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace surefoot;
  const std::string input(data, data + size);
  open(input);
  open(seal(input));
  restore_each_field_alone(input);
  restore(changed(written({}), input));
  open_changed(input);
  require(unseal(seal(input)) == input);
  return 0;
}
