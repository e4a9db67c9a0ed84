#include "driver/checkpoint/journal.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <vector>

#include "driver/checkpoint/bytes.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"
#include "driver/checkpoint/state_bytes.hpp"

namespace surefoot {
namespace {

/// One finished evaluation.
struct Entry {
  std::int64_t generation = 0;  // generations told before
  std::int64_t candidate = 0;
  std::int64_t point = 0;  // sum of its coordinates' bytes: with another budget a generation may be another one
  std::int64_t attempts = 0;
  Vector values;  // f first; NaN: failed
  std::int64_t kind = 0;
  std::string reason;

  void visit(StateVisitor& visitor) {
    visitor.integer("g", generation);
    visitor.integer("c", candidate);
    visitor.integer("x", point);
    visitor.integer("a", attempts);
    visitor.vector("v", values);
    visitor.integer("k", kind);
    visitor.text("r", reason);
  }
};

std::int64_t sum_of(const Generation& generation, Index candidate) {
  const auto x = generation.population().col(candidate);
  const std::string_view bytes(reinterpret_cast<const char*>(x.data()),  // NOLINT(*-reinterpret-cast)
                               sizeof(double) * static_cast<std::size_t>(x.size()));
  return static_cast<std::int64_t>(crc64(bytes));
}

Entry entry_of(Optimizer& search, Index candidate) {
  const Generation& generation = search.generation();
  const std::vector<double> values = values_of(generation.outcome(candidate));
  Entry entry{search.told(),
              candidate,
              sum_of(generation, candidate),
              generation.outcome(candidate).attempts,
              Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())),
              0,
              {}};
  if (generation.outcome(candidate).state != Outcome::State::failed) return entry;
  for (const Failure& failure : generation.failures()) {
    if (failure.candidate != static_cast<long>(candidate)) continue;
    entry.kind = static_cast<std::int64_t>(failure.kind);
    entry.reason = failure.reason;
  }
  return entry;
}

/// The candidate that an entry is about, or -1.
Index find_candidate(const Generation& generation, const Entry& entry) {
  const Index n = generation.size();
  if (entry.candidate >= 0 && entry.candidate < n &&
      sum_of(generation, static_cast<Index>(entry.candidate)) == entry.point) {
    return static_cast<Index>(entry.candidate);
  }
  for (Index i = 0; i < n; ++i) {
    if (sum_of(generation, i) == entry.point) return i;
  }
  return -1;
}

/// Length, checksum, fields.
std::string to_bytes(Entry entry) {
  StateWriter writer;
  entry.visit(writer);
  std::string bytes;
  append(bytes, std::uint64_t{writer.bytes().size()});
  append(bytes, crc64(writer.bytes()));
  return bytes + writer.bytes();
}

/// The entry at the front of bytes, which is removed; nothing at the end or where a kill has torn it.
std::optional<Entry> take_entry(std::string_view& bytes) {
  if (bytes.size() < 16) return std::nullopt;
  const auto length = decode<std::uint64_t>(bytes.substr(0, 8));
  if (length > bytes.size() - 16) return std::nullopt;
  const std::string_view payload = bytes.substr(16, static_cast<std::size_t>(length));
  if (crc64(payload) != decode<std::uint64_t>(bytes.substr(8, 8))) return std::nullopt;
  Entry entry;
  StateReader reader(payload);
  entry.visit(reader);
  bytes.remove_prefix(16 + static_cast<std::size_t>(length));
  return entry;
}

void repeat(const Entry& entry, Generation& generation) {
  const Index candidate = find_candidate(generation, entry);
  if (candidate < 0) return;
  if (!generation.is_open(candidate) && entry.attempts <= generation.outcome(candidate).attempts) return;
  const auto count = static_cast<std::size_t>(entry.values.size());
  Outcome outcome = outcome_of({entry.values.data(), count}, static_cast<int>(entry.attempts));
  if (outcome.state == Outcome::State::failed) {
    generation.restore_failure(
        {static_cast<long>(candidate), outcome.attempts, static_cast<FailureKind>(entry.kind), entry.reason});
  }
  generation.restore(candidate, std::move(outcome));
}

/// Complete, perhaps already when it was read, as after the end of a smaller budget.
void tell_if_complete(Optimizer& search) {
  if (search.stop() || !search.generation().is_complete()) return;
  if (!search.generation().reopen_failures(search.options().failures.retry)) search.tell();
}

}  // namespace

Journal::Journal(const std::filesystem::path& checkpoint) : path_(checkpoint.string() + ".journal") {}

void Journal::restart() {
  file_.reset(std::fopen(path_.c_str(), "wbe"));
  if (!file_) throw std::runtime_error(path_.string() + " cannot be written (" + std::strerror(errno) + ")");
}

void Journal::note(Optimizer& search, Index candidate) {
  const std::string bytes = to_bytes(entry_of(search, candidate));
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size() || std::fflush(file_.get()) != 0) {
    throw std::runtime_error(path_.string() + " cannot be written (" + std::strerror(errno) + ")");
  }
}

void Journal::replay(Optimizer& search) const {
  std::ifstream in(path_, std::ios::binary);
  const std::string journal{std::istreambuf_iterator<char>(in), {}};
  std::string_view rest = journal;
  while (const std::optional<Entry> entry = take_entry(rest)) {
    if (search.stop() || entry->generation != search.told()) continue;  // older than the state
    repeat(*entry, search.generation());
    tell_if_complete(search);
  }
  tell_if_complete(search);
}

}  // namespace surefoot
