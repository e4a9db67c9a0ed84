#include "driver/log/evaluation_log.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

#include "driver/output_file.hpp"

namespace surefoot {
namespace {

std::string status_of(const Outcome& outcome, const Failure* failure) {
  if (outcome.state == Outcome::State::failed)
    return std::string(name(failure != nullptr ? failure->kind : FailureKind::nan));
  return kind_of(outcome.f) == ValueKind::infeasible ? "infeasible" : "ok";
}

/// The last failure of a candidate; null if it has none.
const Failure* failure_of(const Generation& generation, Index candidate) {
  const std::vector<Failure>& all = generation.failures();
  const auto last = std::find_if(all.rbegin(), all.rend(),
                                 [candidate](const Failure& f) { return f.candidate == static_cast<long>(candidate); });
  return last == all.rend() ? nullptr : &*last;
}

/// Whether something was evaluated already. The start may be open and yet have an attempt behind it.
bool is_begun(const Optimizer& search) {
  const Generation& present = search.present();
  bool has_attempts = false;
  for (Index i = 0; i < present.size(); ++i) has_attempts = has_attempts || present.outcome(i).attempts > 0;
  return search.told() > 0 || present.count_set() > 0 || has_attempts;
}

}  // namespace

void EvaluationLog::require(const std::string& path) {
  require_log_name(path);
  require_ours("log", path, LogFormat(path, {}, 0).beginning(), "an evaluation log");
}

EvaluationLog::EvaluationLog(std::string path, const Optimizer& search)
    : path_(std::move(path)), search_(search), format_(path_, search.space(), search.dimension()) {
  require(path_);
  kept_ = format_.header();
  if (is_begun(search) && !is_special(path_)) read();
}

void EvaluationLog::keep(const std::string& line, std::int64_t id) {
  kept_ += line + "\n";
  last_id_ = std::max(last_id_, id);
}

/// A line without its end was cut off by a kill.
void EvaluationLog::read() {
  std::ifstream in(path_, std::ios::binary);
  std::string line;
  if (!format_.header().empty() && (!std::getline(in, line) || line + "\n" != format_.header())) return;
  while (std::getline(in, line) && !in.eof()) {
    const auto head = format_.head_of(line);
    if (!head) return;
    const Place& place = head->place;
    if (search_.has_counted(place)) {
      keep(line, head->id);
    } else {
      found_[{place.generation, place.candidate, place.attempt}] = line;
    }
  }
}

LogRow EvaluationLog::row_of(Index candidate) const {
  const Generation& generation = search_.present();
  const Outcome& outcome = generation.outcome(candidate);
  const bool has_failed = outcome.state == Outcome::State::failed;
  const Failure* failure = has_failed ? failure_of(generation, candidate) : nullptr;
  const Timing& timing = generation.timing(candidate);
  return {.place = search_.place_of(candidate),
          .status = status_of(outcome, failure),
          .f = outcome.f,
          .constraints = outcome.constraints,
          .seconds = timing.seconds,
          .worker = timing.worker,
          .x = generation.population().col(candidate),
          .reason = failure == nullptr ? "" : failure->reason};
}

void EvaluationLog::repeat(Index candidate) {
  LogRow row = row_of(candidate);
  const auto found = found_.find({row.place.generation, row.place.candidate, row.place.attempt});
  const std::int64_t id = found == found_.end() ? 0 : format_.head_of(found->second)->id;
  if (id > last_id_ && format_.says(found->second, row)) {
    keep(found->second, id);
  } else {
    row.id = last_id_ + 1;
    std::string line = format_.line(row);
    line.pop_back();
    keep(line, row.id);
  }
}

void EvaluationLog::begin() {
  found_.clear();
  begin_with("log", path_, kept_);
  file_.emplace("log", path_, "ae");
  if (is_special(path_)) file_->append(kept_, true);
  kept_ = {};
}

void EvaluationLog::note(Index candidate) { write(row_of(candidate)); }

std::vector<LogRow> EvaluationLog::told_rows(const Matrix& points, const std::vector<Outcome>& outcomes) const {
  std::vector<LogRow> rows;
  const Index count = std::min({points.cols(), static_cast<Index>(outcomes.size()), search_.present().size()});
  for (Index i = 0; i < count; ++i) {
    const Outcome& outcome = outcomes[static_cast<std::size_t>(i)];
    rows.push_back({.place = search_.place_of(i),
                    .status = status_of(outcome, nullptr),
                    .f = outcome.f,
                    .constraints = outcome.constraints,
                    .x = points.col(i),
                    .reason = ""});
  }
  return rows;
}

void EvaluationLog::add(std::vector<LogRow> rows) {
  for (LogRow& row : rows) write(std::move(row));
}

/// Flushed, so that a killed process has written it.
void EvaluationLog::write(LogRow row) {
  row.id = ++last_id_;
  file_->append(format_.line(row), true);
}

}  // namespace surefoot
