#include "experiments/job_result.hpp"

#include <algorithm>
#include <utility>

#include "driver/atomic_file.hpp"
#include "ranks/byte_stream.hpp"

namespace surefoot {
namespace {

void write_files(const std::vector<std::filesystem::path>& paths, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::filesystem::create_directories(paths[i].parent_path());
    write_atomically(paths[i], texts.at(i));
  }
}

}  // namespace

std::string to_bytes(const JobResult& result) {
  ByteWriter writer;
  writer.text(result.row);
  writer.integer(static_cast<std::int64_t>(result.files.size()));
  for (const std::string& file : result.files) writer.text(file);
  return writer.take();
}

JobResult job_result_of(const std::string& bytes) {
  ByteReader reader(bytes);
  JobResult result{.row = reader.text()};
  for (std::int64_t left = reader.integer(); left > 0; --left) result.files.push_back(reader.text());
  return result;
}

Jobs jobs_with_rows(std::vector<double> work, RowFile& rows, const JobFiles& files) {
  Jobs jobs;
  jobs.work = std::move(work);
  jobs.is_done = [&rows, files](std::size_t job) {
    const std::vector<std::filesystem::path> paths = files(job);
    return rows.has(job) && std::all_of(paths.begin(), paths.end(), [](const std::filesystem::path& path) {
             return std::filesystem::exists(path);
           });
  };
  jobs.keep = [&rows, files](std::size_t job, const std::string& bytes) {
    const JobResult result = job_result_of(bytes);
    write_files(files(job), result.files);
    rows.add(job, result.row);
  };
  return jobs;
}

}  // namespace surefoot
