#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/jobs.hpp"
#include "experiments/row_file.hpp"

namespace surefoot {

/// What a job of most experiments gives.
struct JobResult {
  std::string row;                      // the fields behind the key
  std::vector<std::string> files = {};  // texts of the files that belong to it
};

std::string to_bytes(const JobResult& result);

/// \throws std::runtime_error for bytes that to_bytes has not written.
JobResult job_result_of(const std::string& bytes);

/// The paths of the files that belong to a job, in the order of JobResult::files.
using JobFiles = std::function<std::vector<std::filesystem::path>(std::size_t job)>;

/// Jobs that give JobResults. The row is written after the files. `rows` must outlive the jobs.
Jobs jobs_with_rows(std::vector<double> work, RowFile& rows, JobFiles files);

}  // namespace surefoot
