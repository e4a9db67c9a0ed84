// Checkpoints and journals of real searches, changed behind their checksums. Whatever they hold, a session goes on from
// them or refuses them with std::invalid_argument; what goes on can sample, evaluate and learn.
//
// The input says which search and which file, and what to change: four bytes for each change. So a mutation keeps
// magic words, lengths and checksums valid, which random bytes never are.

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "driver/checkpoint/bytes.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"
#include "surefoot/session.hpp"

namespace surefoot {
namespace {

/// A folder in memory if there is one: files are the interface of sessions.
std::filesystem::path fuzz_file() {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path memory = "/dev/shm";
    const auto root = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    const auto own = root / ("surefoot-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(own);
    static const struct Remover {
      std::filesystem::path path;
      ~Remover() { std::filesystem::remove_all(path); }
    } remover{own};
    return own;
  }();
  return folder / "run.sf";
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

const auto fuzz_objective = [](const Vector& x) {
  if (x.squaredNorm() > 30) throw std::runtime_error("too far");
  return x.squaredNorm();
};

constexpr std::array methods = {"ig-xnes", "xnes", "cma", "psa-cma", "cr-fm-nes", "sep-cma", "snes", "lra-cma"};

Options fuzz_options(std::size_t which, std::int64_t maxfevals) {
  Options options;
  options.method = methods.at(which);
  options.seed = which;
  options.maxfevals = maxfevals;
  options.restarts = which % 2 == 0 ? "ipop" : "none";
  if (which % 3 == 0) options.bounds = Bounds::all(-5, 5);
  return options;
}

void search(std::size_t which, std::int64_t maxfevals) {
  Session session({3, 3}, 2, fuzz_options(which, maxfevals),
                  {.checkpoint = fuzz_file().string(), .checkpoint_every = "3"});
  const auto evaluator = make_evaluator<decltype(fuzz_objective)>(fuzz_objective, 1);
  session.run(*evaluator);
}

struct Good {
  std::string checkpoint, journal;
};

/// The files of a search that was given up in the middle of a generation.
Good good_files(std::size_t which) {
  Session session({3, 3}, 2, fuzz_options(which, 400),
                  {.checkpoint = fuzz_file().string(), .checkpoint_every = "3", .overwrite = true});
  session.open();
  const auto evaluator = make_evaluator<decltype(fuzz_objective)>(fuzz_objective, 1);
  for (int generation = 0; generation < 8; ++generation) {
    evaluator->evaluate(session.search().generation());
    if (generation < 7) session.tell();
  }
  return {bytes_of(fuzz_file()), bytes_of(fuzz_file().string() + ".journal")};
}

const Good& good(std::size_t which) {
  static const std::vector<Good> all = [] {
    std::vector<Good> files;
    for (std::size_t i = 0; i < methods.size(); ++i) files.push_back(good_files(i));
    return files;
  }();
  return all.at(which);
}

/// Changes of bytes: where (two), how, and by what.
std::string changed_payload(std::string bytes, std::string_view changes) {
  constexpr std::array<unsigned char, 6> extremes = {0x00, 0xff, 0x7f, 0x80, 0x01, 0xf0};
  for (; changes.size() >= 4 && !bytes.empty(); changes.remove_prefix(4)) {
    const auto byte = [changes](std::size_t i) { return static_cast<unsigned char>(changes[i]); };
    const std::size_t at = (byte(0) + 256U * byte(1)) % bytes.size();
    const unsigned char by = byte(3);
    switch (byte(2) % 8) {
      case 0: bytes.erase(at, by); break;
      case 1: bytes.insert(at, bytes.substr(by % bytes.size(), 16)); break;
      case 2:  // a whole number: eight bytes with one sign
        for (std::size_t i = at; i < std::min(at + 8, bytes.size()); ++i) {
          bytes[i] = static_cast<char>(extremes.at(by % extremes.size()));
        }
        break;
      case 3: bytes[at] = static_cast<char>(extremes.at(by % extremes.size())); break;
      default: bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(by)); break;
    }
  }
  return bytes;
}

/// Records of length, checksum and payload; the checksums are made to agree.
std::string changed_journal(const std::string& journal, std::string_view changes) {
  std::string_view rest = journal;
  std::string bytes;
  while (rest.size() >= 16) {
    const auto length = decode<std::uint64_t>(rest.substr(0, 8));
    if (length > rest.size() - 16) break;
    const std::string payload = changed_payload(std::string(rest.substr(16, length)), changes.substr(0, 8));
    append(bytes, std::uint64_t{payload.size()});
    append(bytes, crc64(payload));
    bytes += payload;
    rest.remove_prefix(16 + length);
    changes.remove_prefix(std::min<std::size_t>(changes.size(), 8));
  }
  return bytes + std::string(rest);
}

void go_on(std::size_t which, const std::string& checkpoint, const std::string& journal) {
  put(fuzz_file(), checkpoint);
  put(fuzz_file().string() + ".journal", journal);
  try {
    search(which, 120);
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace
}  // namespace surefoot

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace surefoot;
  if (size < 2) return 0;
  const std::string input(data, data + size);
  const std::string_view changes = std::string_view(input).substr(2);
  const std::size_t which = data[0] % methods.size();
  const Good& files = good(which);
  switch (data[1] % 4) {
    case 0: go_on(which, changed_payload(files.checkpoint, changes), files.journal); break;
    case 1: go_on(which, files.checkpoint, changed_payload(files.journal, changes)); break;
    case 2: go_on(which, seal(changed_payload(unseal(files.checkpoint), changes)), files.journal); break;
    default: go_on(which, files.checkpoint, changed_journal(files.journal, changes)); break;
  }
  return 0;
}
