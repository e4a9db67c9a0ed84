// Checkpoints and journals of real searches, changed behind their checksums. Whatever they hold, a session goes on from
// them or refuses them with std::invalid_argument; what goes on can sample, evaluate and learn.
//
// The input says which search and which file, and what to change: four bytes for each change. So a mutation keeps
// magic words, lengths and checksums valid, which random bytes never are, and forges single numbers of single fields.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "driver/checkpoint/bytes.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"
#include "surefoot/session.hpp"
#include "tests/fuzz/fuzz_support.hpp"
#include "tests/state_fields.hpp"

namespace surefoot {
namespace {

/// Files are the interface of sessions.
std::filesystem::path fuzz_file() { return fuzz::folder() / "run.sf"; }

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
  return {fuzz::contents(fuzz_file()), fuzz::contents(fuzz_file().string() + ".journal")};
}

/// Takes the changes, four bytes each, one after the other.
class Changes {
 public:
  explicit Changes(std::string_view bytes) : rest_(bytes) {}
  struct Change {
    std::size_t where;
    unsigned char how, by;
  };
  std::optional<Change> next() {
    if (rest_.size() < 4) return std::nullopt;
    const auto byte = [this](std::size_t i) { return static_cast<unsigned char>(rest_[i]); };
    const Change change{byte(0) + 256U * byte(1), byte(2), byte(3)};
    rest_.remove_prefix(4);
    return change;
  }

 private:
  std::string_view rest_;
};

/// Bytes that were changed, lost or doubled.
std::string damaged(std::string bytes, Changes changes) {
  constexpr std::array<unsigned char, 6> extremes = {0x00, 0xff, 0x7f, 0x80, 0x01, 0xf0};
  while (const auto change = changes.next()) {
    if (bytes.empty()) return bytes;
    const std::size_t at = change->where % bytes.size();
    switch (change->how % 8) {
      case 0: bytes.erase(at, change->by); break;
      case 1: bytes.insert(at, bytes.substr(change->by % bytes.size(), 16)); break;
      case 2:  // a whole number: eight bytes with one sign
        for (std::size_t i = at; i < std::min(at + 8, bytes.size()); ++i) {
          bytes[i] = static_cast<char>(extremes.at(change->by % extremes.size()));
        }
        break;
      case 3: bytes[at] = static_cast<char>(extremes.at(change->by % extremes.size())); break;
      default: bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(change->by)); break;
    }
  }
  return bytes;
}

std::uint64_t strange_number(char type, unsigned char by) {
  constexpr std::array reals = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                1e308,
                                -1e308,
                                5e-324,
                                1e-160,
                                1e160,
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
  constexpr std::array<std::int64_t, 12> integers = {0,
                                                     1,
                                                     -1,
                                                     2,
                                                     7,
                                                     64,
                                                     -64,
                                                     1 << 20,
                                                     std::int64_t{1} << 32,
                                                     std::int64_t{1} << 53,
                                                     std::numeric_limits<std::int64_t>::max(),
                                                     std::numeric_limits<std::int64_t>::min()};
  return type == 'i' ? static_cast<std::uint64_t>(integers.at(by % integers.size()))
                     : std::bit_cast<std::uint64_t>(reals.at(by % reals.size()));
}

/// Numbers, texts and sizes of the fields that the bytes consist of; the rest stays as it is.
std::string forged(std::string bytes, Changes changes) {
  const std::vector<test::StateField> fields = test::fields_of(bytes);
  while (const auto change = changes.next()) {
    const test::StateField& field = fields[change->where % fields.size()];
    const bool is_size = change->how % 8 == 0 && field.at > field.sizes_at;
    if (!is_size && field.bytes == 0) continue;
    if (!is_size && field.type == 't') {
      bytes[field.at + change->how % field.bytes] = static_cast<char>(change->by);
      continue;
    }
    std::string number;
    append(number, strange_number(is_size ? 'i' : field.type, change->by));
    bytes.replace(is_size ? field.sizes_at : field.at + change->how % (field.bytes / 8) * 8, 8, number);
  }
  return bytes;
}

/// The state stands at the end of a checkpoint, as a text.
std::string with_forged_state(const std::string& checkpoint, Changes changes) {
  const std::vector<test::StateField> fields = test::fields_of(checkpoint);
  if (fields.back().name != "state") std::abort();
  return checkpoint.substr(0, fields.back().at) + forged(checkpoint.substr(fields.back().at), changes);
}

/// A journal that follows the checkpoint with this payload: its entries are changed, its checksums agree.
template <class Change>
std::string journal_after(const std::string& payload, const std::string& journal, const Change& change) {
  std::string bytes = journal.substr(0, journal.find('\n') + 1);
  std::string_view rest = std::string_view(journal).substr(bytes.size() + 8);
  append(bytes, crc64(payload));
  const std::uint64_t seed = crc64(bytes);
  std::size_t count = 0;
  while (rest.size() >= 16) {
    const auto length = static_cast<std::size_t>(decode<std::uint64_t>(rest.substr(0, 8)));
    const std::string entry = change(std::string(rest.substr(16, length)), count++);
    append(bytes, std::uint64_t{entry.size()});
    append(bytes, crc64(entry, seed));
    bytes += entry;
    rest.remove_prefix(16 + length);
  }
  if (count == 0) std::abort();  // there is nothing to change
  return bytes;
}

const auto unchanged = [](std::string entry, std::size_t /*number*/) { return entry; };

/// Without changes the files are the good ones: what is said above about their layout holds.
void require_layout(const Good& files) {
  const std::string payload = unseal(files.checkpoint);
  const bool is_same = seal(with_forged_state(payload, Changes({}))) == files.checkpoint &&
                       journal_after(payload, files.journal, unchanged) == files.journal;
  if (!is_same) std::abort();
}

const Good& good(std::size_t which) {
  static const std::vector<Good> all = [] {
    std::vector<Good> files;
    for (std::size_t i = 0; i < methods.size(); ++i) require_layout(files.emplace_back(good_files(i)));
    return files;
  }();
  return all.at(which);
}

void go_on(std::size_t which, const std::string& checkpoint, const std::string& journal) {
  fuzz::put(fuzz_file(), checkpoint);
  fuzz::put(fuzz_file().string() + ".journal", journal);
  fuzz::accept_or_refuse([which] { search(which, 80); });
}

void go_on_from_state(std::size_t which, const std::string& payload, const std::string& journal) {
  go_on(which, seal(payload), journal_after(payload, journal, unchanged));
}

/// Each entry has changes of its own, up to two.
void go_on_from_entries(std::size_t which, std::string_view input, bool keeps_fields) {
  const Good& files = good(which);
  const auto change = [&](std::string entry, std::size_t number) {
    const Changes own(input.size() > 8 * number ? input.substr(8 * number, 8) : std::string_view());
    return keeps_fields ? forged(std::move(entry), own) : damaged(std::move(entry), own);
  };
  go_on(which, files.checkpoint, journal_after(unseal(files.checkpoint), files.journal, change));
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
  const Changes four(changes);
  switch (data[1] % 6) {
    case 0: go_on(which, damaged(files.checkpoint, four), files.journal); break;
    case 1: go_on_from_state(which, damaged(unseal(files.checkpoint), four), files.journal); break;
    case 2: go_on_from_state(which, with_forged_state(unseal(files.checkpoint), four), files.journal); break;
    case 3: go_on(which, files.checkpoint, damaged(files.journal, four)); break;
    case 4: go_on_from_entries(which, changes, false); break;
    default: go_on_from_entries(which, changes, true); break;
  }
  return 0;
}
