#include "experiments/row_file.hpp"

#include <fmt/ranges.h>

#include <sstream>
#include <stdexcept>
#include <utility>

#include "driver/atomic_file.hpp"
#include "experiments/csv.hpp"

namespace surefoot {

RowFile::RowFile(std::filesystem::path path, Columns columns, std::vector<std::string> keys)
    : path_(std::move(path)), columns_(std::move(columns)), keys_(std::move(keys)), rows_(keys_.size()) {
  for (std::size_t job = 0; job < keys_.size(); ++job) jobs_[keys_[job]] = job;
  if (std::filesystem::exists(path_)) load();
  // The file is written anew to drop a line that a kill has cut off: a row appended to it would be lost too.
  finish();
  journal_.open(path_, std::ios::binary | std::ios::app);
}

void RowFile::refuse(const std::string& line, const std::string& reason) const {
  throw std::invalid_argument(fmt::format(
      "{} has a line that is not a result, '{}': {}; remove it or use another folder", path_.string(), line, reason));
}

std::string RowFile::key_of(const std::vector<std::string>& fields) const {
  const auto end = fields.begin() + static_cast<std::ptrdiff_t>(columns_.key_size);
  return fmt::format("{}", fmt::join(fields.begin(), end, ","));
}

void RowFile::load() {
  std::istringstream lines(read_file(path_));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && !lines.eof()) {  // A last line without its end may be cut off.
    const std::vector<std::string> fields = csv_fields(line);
    if (fields.size() != columns_.names.size())
      refuse(line, fmt::format("{} fields are needed", columns_.names.size()));
    const auto job = jobs_.find(key_of(fields));
    if (job != jobs_.end()) rows_[job->second] = line;
  }
}

bool RowFile::has(std::size_t job) const { return rows_[job].has_value(); }

void RowFile::add(std::size_t job, const std::string& fields) {
  rows_[job] = keys_[job] + "," + fields;
  journal_ << *rows_[job] << '\n' << std::flush;
  if (!journal_) throw OutputError(fmt::format("{} cannot be written", path_.string()));
}

void RowFile::finish() {
  journal_.close();
  std::string text = fmt::format("{}\n", fmt::join(columns_.names, ","));
  for (const auto& row : rows_) {
    if (row) text += *row + "\n";
  }
  write_atomically(path_, text);
}

std::vector<std::string> RowFile::row(std::size_t job) const {
  return rows_[job] ? csv_fields(*rows_[job]) : std::vector<std::string>{};
}

}  // namespace surefoot
