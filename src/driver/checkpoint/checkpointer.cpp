#include "driver/checkpoint/checkpointer.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpoint_file.hpp"
#include "driver/checkpoint/state_bytes.hpp"

namespace surefoot {
namespace {

void visit(Checkpoint& checkpoint, StateVisitor& visitor) {
  visitor.text("about", checkpoint.about);
  visitor.text("objective", checkpoint.objective);
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
  return checkpoint;
}

Checkpointer::Checkpointer(std::filesystem::path file, const CheckpointInterval& interval, std::string about,
                           std::string objective)
    : file_(std::move(file)),
      interval_(interval),
      checkpoint_{std::move(about), std::move(objective), {}},
      journal_(file_) {}

void Checkpointer::watch(Optimizer& search) {
  search_ = &search;
  save();
  search.on_outcome([this](Index candidate) { journal_.note(*search_, candidate); });
}

void Checkpointer::after_generation() {
  const bool due =
      interval_.generations
          ? search_->nit() - last_nit_ >= *interval_.generations
          : std::chrono::duration<double>(std::chrono::steady_clock::now() - last_).count() >= interval_.seconds;
  if (due) save();
}

void Checkpointer::save() {
  checkpoint_.state = search_->state();
  StateWriter writer;
  visit(checkpoint_, writer);
  checkpoint_.state.clear();
  save_checkpoint(file_, writer.bytes());
  journal_.restart();
  last_ = std::chrono::steady_clock::now();
  last_nit_ = search_->nit();
}

void Checkpointer::release() {
  save();
  search_->on_outcome({});
  search_ = nullptr;
}

}  // namespace surefoot
