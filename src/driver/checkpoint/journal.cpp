#include "driver/checkpoint/journal.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <vector>

#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "driver/checkpoint/bytes.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"
#include "driver/checkpoint/checkpoint_file.hpp"
#include "driver/checkpoint/failure_state.hpp"
#include "driver/checkpoint/state_bytes.hpp"
#include "driver/output_file.hpp"

namespace surefoot {
namespace {

constexpr std::string_view journal_magic = "surefoot journal 1\n";
constexpr std::chrono::seconds sync_interval{1};
constexpr std::uint64_t longest_entry = std::uint64_t{1} << 26U;  // anything longer is not an entry

std::int64_t sum_of(const Generation& generation, Index candidate) {
  const auto x = generation.population().col(candidate);
  const std::string_view bytes(reinterpret_cast<const char*>(x.data()),  // NOLINT(*-reinterpret-cast)
                               sizeof(double) * static_cast<std::size_t>(x.size()));
  return static_cast<std::int64_t>(crc64(bytes));
}

/// Without the reason of a failure.
JournalEntry entry_of(Optimizer& search, Index candidate, const Outcome& outcome) {
  const std::vector<double> values = values_of(outcome);
  return {search.told(),
          candidate,
          sum_of(search.generation(), candidate),
          outcome.attempts,
          Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())),
          0,
          {}};
}

JournalEntry entry_of(Optimizer& search, Index candidate) {
  const Generation& generation = search.generation();
  JournalEntry entry = entry_of(search, candidate, generation.outcome(candidate));
  if (generation.outcome(candidate).state != Outcome::State::failed) return entry;
  for (const Failure& failure : generation.failures()) {
    if (failure.candidate != static_cast<long>(candidate)) continue;
    entry.kind = static_cast<std::int64_t>(failure.kind);
    entry.reason = failure.reason;
  }
  return entry;
}

/// The candidate that an entry is about, or -1.
Index find_candidate(const Generation& generation, const JournalEntry& entry) {
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
std::string to_bytes(JournalEntry entry, std::uint64_t seed) {
  StateWriter writer;
  entry.visit(writer);
  std::string bytes;
  append(bytes, std::uint64_t{writer.bytes().size()});
  append(bytes, crc64(writer.bytes(), seed));
  return bytes + writer.bytes();
}

/// The next entry of a file with this many bytes remaining; nothing at its end, where a kill has torn it, and where
/// there are zeros.
std::optional<JournalEntry> read_entry(std::istream& in, std::uint64_t& left, std::uint64_t seed) {
  std::string head(16, '\0');
  if (left < head.size() || !in.read(head.data(), static_cast<std::streamsize>(head.size()))) return std::nullopt;
  left -= head.size();
  const auto length = decode<std::uint64_t>(std::string_view(head).substr(0, 8));
  if (length == 0 || length > std::min(left, longest_entry)) return std::nullopt;
  std::string payload(static_cast<std::size_t>(length), '\0');
  if (!in.read(payload.data(), static_cast<std::streamsize>(length))) return std::nullopt;
  left -= length;
  if (crc64(payload, seed) != decode<std::uint64_t>(std::string_view(head).substr(8, 8))) return std::nullopt;
  JournalEntry entry;
  StateReader reader(payload);
  entry.visit(reader);
  return entry;
}

/// A told value that is invalid is a failure without an account; evaluators always give NaN a reason.
bool has_account(const JournalEntry& entry) {
  return !entry.reason.empty() || static_cast<FailureKind>(entry.kind) != FailureKind::nan;
}

/// The candidate of the generation about which the entry says something new, or -1. One that has another number of
/// values of constraints was a mistake.
Index take(const JournalEntry& entry, Generation& generation, Index constraints) {
  const Index candidate = find_candidate(generation, entry);
  if (candidate < 0 || !generation.is_open(candidate)) return -1;
  if (entry.attempts != generation.outcome(candidate).attempts + 1) return -1;
  const auto count = static_cast<std::size_t>(entry.values.size());
  Outcome outcome = outcome_of({entry.values.data(), count}, static_cast<int>(entry.attempts));
  if (outcome.state == Outcome::State::evaluated && entry.values.size() != 1 + constraints) return -1;
  if (outcome.state == Outcome::State::failed && has_account(entry)) {
    generation.restore_failure(
        {static_cast<long>(candidate), outcome.attempts, static_cast<FailureKind>(entry.kind), entry.reason});
  }
  generation.restore(candidate, std::move(outcome));
  return candidate;
}

/// Complete, perhaps already when it was read, as after the end of a smaller budget.
bool tell_if_complete(Optimizer& search) {
  if (search.stop() || !search.generation().is_complete()) return false;
  if (!search.generation().reopen_failures(search.options().failures.retry)) search.tell();
  return true;
}

}  // namespace

void JournalEntry::visit(StateVisitor& visitor) {
  visitor.integer("g", generation);
  visitor.integer("c", candidate);
  visitor.integer("x", point);
  visitor.integer("a", attempts);
  visitor.vector("v", values);
  visitor.integer("k", kind);
  visitor.text("r", reason);
  if (!visitor.is_restoring()) return;
  require_failure_kind(kind);
  if (attempts < 0 || attempts > most_attempts) reject("journal: attempts", attempts, "no candidate has that many");
}

/// Beside the file that a link leads to, so that it is found by every name of the checkpoint.
Journal::Journal(const std::filesystem::path& checkpoint) : path_(linked_file(checkpoint).string() + ".journal") {}

void Journal::require_ours() const {
  if (is_special(path_)) reject("checkpoint: its journal", path_.string(), "it is not a regular file");
  surefoot::require_ours("checkpoint: its journal", path_, std::string(journal_magic), "a journal of this version");
}

std::string Journal::header() const {
  std::string bytes(journal_magic);
  append(bytes, follows_);
  return bytes;
}

/// The remaining entries are written to a second file first: a kill in between must not lose them.
void Journal::restart(std::uint64_t follows) {
  follows_ = follows;
  seed_ = crc64(header());
  const bool is_new = !std::filesystem::exists(path_);
  std::string bytes = header();
  for (const JournalEntry& entry : left_) bytes += to_bytes(entry, seed_);
  file_.reset();
  if (!left_.empty()) write_atomically(path_, bytes, Durability::synced);
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): file_ is the owner
  file_.reset(std::fopen(path_.c_str(), left_.empty() ? "wbe" : "abe"));
  const bool is_written =
      file_ && (!left_.empty() || (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size() &&
                                   std::fflush(file_.get()) == 0));
  if (!is_written) {
    const int error = errno;
    file_.reset();
    throw std::runtime_error(path_.string() + " cannot be written (" + std::strerror(error) + ")");
  }
  if (is_new) sync_folder_of(path_);
  synced_ = Clock::now();
}

void Journal::note(Optimizer& search, Index candidate) {
  if (file_) write(entry_of(search, candidate));
}

void Journal::note(Optimizer& search, Index candidate, const Outcome& told) {
  if (!file_ || !search.generation().is_open(candidate)) return;
  JournalEntry entry = entry_of(search, candidate, told);
  entry.attempts = search.generation().outcome(candidate).attempts + 1;
  write(entry);
}

void Journal::write(const JournalEntry& entry) {
  const std::string bytes = to_bytes(entry, seed_);
  if (bytes.size() > longest_entry || std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size() ||
      std::fflush(file_.get()) != 0) {
    file_.reset();  // an entry behind a torn one would not be found
    return;
  }
  if (Clock::now() - synced_ < sync_interval) return;
  static_cast<void>(::fdatasync(::fileno(file_.get())));
  synced_ = Clock::now();
}

/// Entries of another search, or of another checkpoint of this one, are ignored.
void Journal::read(std::uint64_t follows) {
  follows_ = follows;
  seed_ = crc64(header());
  left_.clear();
  std::error_code error;
  std::uint64_t left = std::filesystem::file_size(path_, error);
  std::ifstream in(path_, std::ios::binary);
  std::string found(header().size(), '\0');
  if (error || left < found.size() || !in.read(found.data(), static_cast<std::streamsize>(found.size()))) return;
  if (found != header()) return;
  left -= found.size();
  while (std::optional<JournalEntry> entry = read_entry(in, left, seed_)) left_.push_back(*std::move(entry));
}

/// Gives the generation what is known about it; says whether that was something. Entries are in the order of their
/// evaluations, so those of the present generation are mostly the first.
bool Journal::repeat(Generation& generation, Index constraints, const std::function<void(Index)>& repeated) {
  const Index before = generation.count(Outcome::State::open);
  Index open = before;
  for (auto entry = left_.begin(); entry != left_.end() && open > 0;) {
    const Index candidate = take(*entry, generation, constraints);
    const bool is_taken = candidate >= 0;
    entry = is_taken ? left_.erase(entry) : entry + 1;
    if (is_taken) --open;
    if (is_taken && repeated) repeated(candidate);
  }
  return open < before;
}

void Journal::replay(Optimizer& search, std::uint64_t follows, const std::function<void(Index)>& repeated) {
  read(follows);
  bool goes_on = true;
  while (goes_on && !search.stop()) {
    const Index constraints = search.options().constraints + search.options().equalities;
    goes_on = repeat(search.generation(), constraints, repeated);
    goes_on = tell_if_complete(search) || goes_on;
  }
}

}  // namespace surefoot
