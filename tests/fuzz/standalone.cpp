// Runs any LLVMFuzzerTestOneInput without libFuzzer: on each seed as it is, then on mutated seeds. Iteration n is a
// pure function of n and the seeds, so every run does the same and a failure is found again.
//
//     fuzzer [FIRST:]ITERATIONS [SEED_FILE_OR_FOLDER...]

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Dice. std::uniform_int_distribution would not do, because it differs between standard libraries.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// 0 ... sides - 1, or 0 without sides.
  std::size_t roll(std::size_t sides) { return sides == 0 ? 0 : static_cast<std::size_t>(engine_() % sides); }
  std::uint8_t byte() { return static_cast<std::uint8_t>(roll(256)); }

 private:
  std::mt19937_64 engine_;
};

auto place(Bytes& bytes, Dice& dice) { return bytes.begin() + static_cast<std::ptrdiff_t>(dice.roll(bytes.size())); }

void flip_a_bit(Bytes& bytes, Dice& dice) {
  if (!bytes.empty()) *place(bytes, dice) ^= static_cast<std::uint8_t>(1U << dice.roll(8));
}

void overwrite_a_byte(Bytes& bytes, Dice& dice) {
  // Extreme values are included, because sizes and signs go wrong there.
  const std::uint8_t extremes[] = {0, 1, 0x7f, 0x80, 0xff};
  if (!bytes.empty()) *place(bytes, dice) = dice.roll(2) == 0 ? extremes[dice.roll(5)] : dice.byte();
}

void truncate(Bytes& bytes, Dice& dice) { bytes.erase(place(bytes, dice), bytes.end()); }

void insert_bytes(Bytes& bytes, Dice& dice) {
  Bytes inserted(1 + dice.roll(16));
  for (std::uint8_t& byte : inserted) byte = dice.byte();
  bytes.insert(place(bytes, dice), inserted.begin(), inserted.end());
}

void replace_by_random_bytes(Bytes& bytes, Dice& dice) {
  bytes.resize(dice.roll(200));
  for (std::uint8_t& byte : bytes) byte = dice.byte();
}

/// The start of one seed and the end of another.
void splice(Bytes& bytes, const std::vector<Bytes>& seeds, Dice& dice) {
  Bytes other = seeds[dice.roll(seeds.size())];
  truncate(bytes, dice);
  bytes.insert(bytes.end(), place(other, dice), other.end());
}

void mutate(Bytes& bytes, const std::vector<Bytes>& seeds, Dice& dice) {
  switch (dice.roll(12)) {
    case 0: return truncate(bytes, dice);
    case 1: return splice(bytes, seeds, dice);
    case 2: return replace_by_random_bytes(bytes, dice);
    case 3:
    case 4:
    case 5: return insert_bytes(bytes, dice);
    case 6:
    case 7:
    case 8: return overwrite_a_byte(bytes, dice);
    default: return flip_a_bit(bytes, dice);
  }
}

Bytes mutant(const std::vector<Bytes>& seeds, std::uint64_t iteration) {
  Dice dice(iteration);
  Bytes bytes = seeds[dice.roll(seeds.size())];
  for (std::size_t changes = 1 + dice.roll(8); changes > 0; --changes) mutate(bytes, seeds, dice);
  return bytes;
}

Bytes read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A copy of its own size, so that AddressSanitizer sees the first byte too far.
void run(const Bytes& bytes) {
  const Bytes exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

/// Reads a file, or all files of a folder in the order of their names.
void add_seeds(const std::filesystem::path& path, std::vector<Bytes>& seeds) {
  if (!std::filesystem::is_directory(path)) return seeds.push_back(read(path));
  std::vector<std::filesystem::path> files{std::filesystem::directory_iterator(path), {}};
  std::sort(files.begin(), files.end());
  for (const auto& file : files) add_seeds(file, seeds);
}

void fuzz(std::uint64_t first, std::uint64_t iterations, const std::vector<Bytes>& seeds) {
  for (const Bytes& seed : seeds) run(seed);
  for (std::uint64_t i = first; i < first + iterations; ++i) {
    // Says which iteration it was if a sanitizer ends the process.
    if (i % 10000 == 0) std::cerr << "iteration " << i << '\n';
    try {
      run(mutant(seeds, i));
    } catch (const std::exception& error) {
      throw std::runtime_error("iteration " + std::to_string(i) + ": " + error.what());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  // Memory goes from one execution to the next instead of back to the system, which takes half of the time otherwise.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    std::cerr << "usage: fuzzer [FIRST:]ITERATIONS [SEED_FILE_OR_FOLDER...]\n";
    return 2;
  }
  try {
    std::vector<Bytes> seeds = {{}};
    for (std::size_t i = 1; i < arguments.size(); ++i) add_seeds(arguments[i], seeds);
    const std::size_t colon = arguments[0].find(':');
    const bool has_first = colon != std::string::npos;
    fuzz(has_first ? std::stoull(arguments[0]) : 0, std::stoull(arguments[0].substr(has_first ? colon + 1 : 0)), seeds);
  } catch (const std::exception& error) {
    std::cerr << "FAILED: " << error.what() << '\n';
    return 1;
  }
  std::cerr << "no failures\n";
  return 0;
}
