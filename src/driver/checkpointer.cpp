#include "driver/checkpointer.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/invalid_option.hpp"
#include "driver/checkpoint_container.hpp"
#include "driver/checkpoint_file.hpp"
#include "driver/state_bytes.hpp"

namespace surefoot {
namespace {

std::filesystem::path journal_of(const std::filesystem::path& file) { return file.string() + ".journal"; }

/// One finished evaluation.
struct Entry {
  std::int64_t generation = 0;  // generations told before
  std::int64_t candidate = 0;
  std::int64_t point = 0;  // sum of its coordinates' bytes: with another budget a generation may be another one
  std::int64_t attempts = 0;
  double value = 0;  // NaN: failed
  std::int64_t kind = 0;
  std::string reason;

  void visit(StateVisitor& visitor) {
    visitor.integer("g", generation);
    visitor.integer("c", candidate);
    visitor.integer("x", point);
    visitor.integer("a", attempts);
    visitor.scalar("v", value);
    visitor.integer("k", kind);
    visitor.text("r", reason);
  }
};

void put(std::string& bytes, std::uint64_t number) {
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>((number >> (8 * i)) & 0xffU));
}

std::uint64_t get(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return number;
}

std::string read_all(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::int64_t sum_of(const Generation& generation, Index candidate) {
  const auto x = generation.population().col(candidate);
  const std::string_view bytes(reinterpret_cast<const char*>(x.data()),  // NOLINT(*-reinterpret-cast)
                               sizeof(double) * static_cast<std::size_t>(x.size()));
  return static_cast<std::int64_t>(crc64(bytes));
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

/// The entry at the front of bytes, which is removed; nothing at the end or where a kill has torn it.
std::optional<Entry> take_entry(std::string_view& bytes) {
  if (bytes.size() < 16) return std::nullopt;
  const std::uint64_t length = get(bytes);
  if (length > bytes.size() - 16) return std::nullopt;
  const std::string_view payload = bytes.substr(16, static_cast<std::size_t>(length));
  if (crc64(payload) != get(bytes.substr(8))) return std::nullopt;
  Entry entry;
  StateReader reader(payload);
  entry.visit(reader);
  bytes.remove_prefix(16 + static_cast<std::size_t>(length));
  return entry;
}

}  // namespace

CheckpointInterval parse_interval(const std::string& given) {
  const bool seconds = !given.empty() && given.back() == 's';
  double number = 0;
  const char* const end = given.data() + given.size() - (seconds ? 1 : 0);
  const auto [stop, error] = std::from_chars(given.data(), end, number);
  if (given.empty() || error != std::errc() || stop != end || !(number > 0) || number > 1e9 ||
      (!seconds && number != std::floor(number))) {
    reject("checkpoint-every", "'" + given + "'", "a number of generations, as 20, or of seconds, as 5s");
  }
  CheckpointInterval interval;
  if (seconds) {
    interval.seconds = number;
  } else {
    interval.generations = static_cast<std::int64_t>(number);
  }
  return interval;
}

Checkpointer::Checkpointer(std::filesystem::path file, const CheckpointInterval& interval, std::string about)
    : file_(std::move(file)), interval_(interval), about_(std::move(about)) {}

void Checkpointer::watch(Optimizer& search) {
  search_ = &search;
  save();
  search.generation().on_done([this](Index candidate) { note(candidate); });
}

void Checkpointer::after_generation() {
  const bool due =
      interval_.generations
          ? search_->nit() - last_nit_ >= *interval_.generations
          : std::chrono::duration<double>(std::chrono::steady_clock::now() - last_).count() >= interval_.seconds;
  if (due) save();
}

void Checkpointer::save() {
  std::string state = search_->state();
  StateWriter writer;
  writer.text("about", about_);
  writer.text("state", state);
  save_checkpoint(file_, writer.bytes());
  open_journal();
  last_ = std::chrono::steady_clock::now();
  last_nit_ = search_->nit();
}

/// Empty: what it held is part of the state now. If the process dies before this, the old entries are passed over.
void Checkpointer::open_journal() {
  const std::string path = journal_of(file_).string();
  journal_.reset(std::fopen(path.c_str(), "wbe"));
  if (!journal_) throw std::runtime_error(path + " cannot be written (" + std::strerror(errno) + ")");
}

void Checkpointer::note(Index candidate) {
  const Generation& generation = search_->generation();
  Entry entry{search_->told(),
              candidate,
              sum_of(generation, candidate),
              generation.attempts(candidate),
              generation.value(candidate),
              0,
              {}};
  if (std::isnan(entry.value)) {
    for (const Failure& failure : generation.failures()) {
      if (failure.candidate != static_cast<long>(candidate)) continue;
      entry.kind = static_cast<std::int64_t>(failure.kind);
      entry.reason = failure.reason;
    }
  }
  StateWriter writer;
  entry.visit(writer);
  std::string bytes;
  put(bytes, writer.bytes().size());
  put(bytes, crc64(writer.bytes()));
  bytes += writer.bytes();
  if (std::fwrite(bytes.data(), 1, bytes.size(), journal_.get()) != bytes.size() || std::fflush(journal_.get()) != 0) {
    throw std::runtime_error(journal_of(file_).string() + " cannot be written (" + std::strerror(errno) + ")");
  }
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  const std::string payload = load_checkpoint(file);
  Checkpoint checkpoint;
  StateReader reader(payload);
  reader.text("about", checkpoint.about);
  reader.text("state", checkpoint.state);
  reader.finish();
  return checkpoint;
}

void replay_journal(const std::filesystem::path& file, Optimizer& search) {
  const std::string journal = read_all(journal_of(file));
  std::string_view rest = journal;
  while (const std::optional<Entry> entry = take_entry(rest)) {
    if (search.stop() || entry->generation != search.told()) continue;  // older than the state
    Generation& generation = search.generation();
    const Index candidate = find_candidate(generation, *entry);
    if (candidate < 0) continue;
    if (!generation.is_open(candidate) && entry->attempts <= generation.attempts(candidate)) continue;
    generation.restore(candidate, entry->value, static_cast<int>(entry->attempts));
    if (std::isnan(entry->value)) {
      generation.restore_failure({static_cast<long>(candidate), static_cast<int>(entry->attempts),
                                  static_cast<FailureKind>(entry->kind), entry->reason});
    }
    const int retry = search.options().failures.retry;
    if (generation.is_complete() && !generation.reopen_failures(retry)) search.tell();
  }
  if (!search.stop() && search.generation().is_complete()) {
    // Complete already, as after the end of a smaller budget.
    if (!search.generation().reopen_failures(search.options().failures.retry)) search.tell();
  }
}

}  // namespace surefoot
