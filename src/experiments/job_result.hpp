#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/grid.hpp"
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

/// The work of a grid's jobs: `run` searches with a contender on a task and gives a JobResult. A search that is
/// cancelled ends after its generation, and its job counts as not done: with a model in 40 dimensions one may take
/// minutes.
template <class Task, class Run>
Compute compute_grid(Grid<Task> grid, Run run) {
  return [grid = std::move(grid), run = std::move(run)](
             std::size_t job, const std::function<bool()>& cancelled) -> std::optional<std::string> {
    Contender contender = grid.contender(job);
    contender.options.interrupt = cancelled;
    const JobResult result = run(contender, grid.task(job));
    if (cancelled()) return std::nullopt;
    return to_bytes(result);
  };
}

/// The paths of the files that belong to a job, in the order of JobResult::files.
using JobFiles = std::function<std::vector<std::filesystem::path>(std::size_t job)>;

/// Jobs that give JobResults. The row is written after the files. `rows` must outlive the jobs.
Jobs jobs_with_rows(std::vector<double> work, RowFile& rows, const JobFiles& files);

}  // namespace surefoot
