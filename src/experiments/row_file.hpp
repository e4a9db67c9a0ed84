#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace surefoot {

/// A file of comma-separated values with one row for each job of an experiment. While jobs are running it is a journal,
/// in the order in which they end; when all are done, it is sorted. A row counts when its line is complete, so a killed
/// run loses only the jobs in flight. One thread only.
class RowFile {
 public:
  /// Names of the columns, and how many of them identify a job.
  struct Columns {
    std::vector<std::string> names;
    std::size_t key_size;
  };

  /// `keys`: the first fields of each job's row ("sphere,10"), in the order of the sorted file. Rows of other jobs in
  /// an existing file are dropped. \throws std::invalid_argument for a file with lines that are not rows.
  RowFile(std::filesystem::path path, Columns columns, std::vector<std::string> keys);

  [[nodiscard]] bool has(std::size_t job) const;

  /// Appends the row of a job. `fields` are those after the key.
  void add(std::size_t job, const std::string& fields);

  /// Writes all rows in the order of the jobs.
  void finish();

  /// All fields of a job's row; empty if it is not done.
  [[nodiscard]] std::vector<std::string> row(std::size_t job) const;

  /// What `parse` makes of the fields of a job that is done.
  /// \throws std::invalid_argument naming the file and the line for fields that `parse` refuses.
  template <class Parse>
  auto read(std::size_t job, const Parse& parse) const {
    try {
      return parse(row(job));
    } catch (const std::invalid_argument& error) {
      refuse(*rows_.at(job), error.what());
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& line, const std::string& reason) const;
  void load();
  [[nodiscard]] std::string key_of(const std::vector<std::string>& fields) const;

  std::filesystem::path path_;
  Columns columns_;
  std::vector<std::string> keys_;
  std::map<std::string, std::size_t> jobs_;       // by key
  std::vector<std::optional<std::string>> rows_;  // whole lines
  std::ofstream journal_;
};

}  // namespace surefoot
