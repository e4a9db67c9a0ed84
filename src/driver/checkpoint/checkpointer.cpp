#include "driver/checkpoint/checkpointer.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"
#include "driver/checkpoint/checkpoint_file.hpp"
#include "driver/checkpoint/state_bytes.hpp"
#include "driver/output_file.hpp"

namespace surefoot {
namespace {

constexpr std::int64_t most_replacements = 100000;

void visit(Checkpoint& checkpoint, StateVisitor& visitor) {
  visitor.text("about", checkpoint.about);
  visitor.text("objective", checkpoint.objective);
  auto count = static_cast<std::int64_t>(checkpoint.replacements.size());
  visitor.integer("replacements", count);
  if (count < 0 || count > most_replacements) reject("checkpoint: replacements", count, "no search has that many");
  checkpoint.replacements.resize(static_cast<std::size_t>(count));
  for (Replacement& replacement : checkpoint.replacements) {
    visitor.integer("from generation", replacement.generation);
    visitor.text("objective", replacement.objective);
  }
  visitor.text("state", checkpoint.state);
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

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  const std::string payload = load_checkpoint(file);
  Checkpoint checkpoint;
  StateReader reader(payload);
  visit(checkpoint, reader);
  reader.finish();
  checkpoint.sum = crc64(payload);
  return checkpoint;
}

std::uint64_t write_checkpoint(const std::filesystem::path& file, Checkpoint& checkpoint) {
  StateWriter writer;
  visit(checkpoint, writer);
  save_checkpoint(file, writer.bytes());
  return checkpoint.sum = crc64(writer.bytes());
}

Checkpointer::Checkpointer(std::filesystem::path file, const CheckpointInterval& interval, Checkpoint first,
                           std::function<void()> sync_outputs)
    : file_(std::move(file)),
      interval_(interval),
      checkpoint_(std::move(first)),
      sync_outputs_(std::move(sync_outputs)),
      journal_(file_) {
  journal_.require_ours();
  const std::filesystem::path previous = linked_file(file_).string() + ".prev";
  if (std::filesystem::exists(previous) && !looks_like_a_checkpoint(previous)) {
    reject("checkpoint", file_.string(), previous.string() + " exists and is not a checkpoint; it stays unchanged");
  }
}

void Checkpointer::watch(Optimizer& search, std::function<void(Index)> first) {
  search_ = &search;
  save();
  search.on_outcome([this, first = std::move(first)](Index candidate) {
    if (first) first(candidate);
    journal_.note(*search_, candidate);
  });
}

void Checkpointer::replace_objective(std::int64_t generation, std::string objective) {
  checkpoint_.objective = objective;
  checkpoint_.replacements.push_back({generation, std::move(objective)});
}

void Checkpointer::note(const std::vector<Outcome>& told) {
  for (std::size_t i = 0; i < told.size(); ++i) journal_.note(*search_, static_cast<Index>(i), told[i]);
}

void Checkpointer::after_generation(bool must_save) {
  const bool due =
      interval_.generations
          ? search_->nit() - last_nit_ >= *interval_.generations
          : std::chrono::duration<double>(std::chrono::steady_clock::now() - last_).count() >= interval_.seconds;
  if (due || must_save) try_to_save();
}

void Checkpointer::save() {
  last_ = std::chrono::steady_clock::now();
  last_nit_ = search_->nit();
  if (sync_outputs_) sync_outputs_();
  checkpoint_.state = search_->state();
  const std::uint64_t sum = write_checkpoint(file_, checkpoint_);
  checkpoint_.state.clear();
  journal_.restart(sum);
}

void Checkpointer::try_to_save() {
  try {
    save();
    trouble_.clear();
  } catch (const std::exception& error) {  // a full disk, or no memory for the bytes
    trouble_ = error.what();
  }
}

void Checkpointer::release() {
  search_->on_outcome({});
  try_to_save();
  search_ = nullptr;
}

}  // namespace surefoot
