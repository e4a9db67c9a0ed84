#include "driver/trace/trace_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "driver/output_file.hpp"
#include "driver/trace/json_line.hpp"

namespace surefoot {
namespace {

constexpr const char* trace_beginning = "{\"generation\":";

/// The generation of a line that a TraceWriter wrote.
std::optional<std::int64_t> generation_of(const std::string& line) {
  constexpr std::string_view begin = trace_beginning;
  if (!line.starts_with(begin) || line.back() != '}') return std::nullopt;
  std::int64_t generation = 0;
  const auto [end, error] = std::from_chars(line.data() + begin.size(), line.data() + line.size(), generation);
  return error == std::errc() && *end == ',' ? std::optional(generation) : std::nullopt;
}

/// The lines of a trace up to a generation.
std::string kept_lines(const std::string& path, std::int64_t generation) {
  std::ifstream in(path, std::ios::binary);
  std::string kept;
  for (std::string line; std::getline(in, line) && !in.eof();) {  // a line without its end was cut off by a kill
    const std::optional<std::int64_t> found = generation_of(line);
    if (!found || *found > generation) break;
    kept += line + "\n";
  }
  return kept;
}

/// What only this method measures. The paper's quantities have columns of their own.
void add_measures(JsonLine& line, const Measures& measures) {
  constexpr std::array columns = {"eta_m", "eta_sigma", "eta_B", "l_theta", "gamma", "sigma", "condition", "popsize"};
  for (const auto& [name, value] : measures) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) line.add(name, value);
  }
}

std::string json_of(const std::vector<Failure>& failures) {
  std::string list;
  for (const Failure& failure : failures) {
    JsonLine line;
    line.add("candidate", std::int64_t{failure.candidate});
    line.add("attempt", std::int64_t{failure.attempt});
    line.add("kind", name(failure.kind));
    line.add("reason", std::string_view(failure.reason));
    list += (list.empty() ? "" : ",") + line.text();
  }
  return "[" + list + "]";
}

}  // namespace

void require_trace(const std::string& path) { require_ours("trace", path, trace_beginning, "trace"); }

TraceWriter::TraceWriter(const std::string& path, std::int64_t generation) : path_(path) {
  require_trace(path);
  try {
    const bool is_file = std::filesystem::is_regular_file(path);
    if (is_file) write_atomically(path, kept_lines(path, generation), Durability::synced);
  } catch (const OutputError& error) {  // at the start, when nothing is lost yet
    throw std::invalid_argument(std::string("trace: ") + error.what());
  }
  file_.reset(std::fopen(path.c_str(), "ae"));
  if (!file_) reject("trace", path, std::string("the file cannot be written (") + std::strerror(errno) + ")");
}

TraceWriter::TraceWriter(const std::string& path) : path_(path) {
  require_trace(path);
  file_.reset(std::fopen(path.c_str(), "we"));
  if (!file_) reject("trace", path, std::string("the file cannot be written (") + std::strerror(errno) + ")");
}

void TraceWriter::add_timing(std::function<Usage()> usage) { meter_.emplace(std::move(usage)); }

void TraceWriter::operator()(const Record& r, const std::string& params) {
  JsonLine line;
  line.add("generation", r.generation);
  line.add("nfev", r.nfev);
  line.add("best", r.best);
  line.add("generation_best", r.generation_best);
  line.add("sigma", r.sigma);
  line.add("eta_m", r.eta_m);
  line.add("eta_sigma", r.eta_sigma);
  line.add("eta_B", r.eta_B);
  line.add("l_theta", r.l_theta);
  line.add("gamma", r.gamma);
  line.add("condition", r.condition);
  line.add("run", r.run);
  line.add("popsize", r.popsize);
  add_measures(line, r.measures);
  if (meter_) {
    const auto [seconds, utilisation] = meter_->lap();
    line.add("seconds", seconds);
    line.add("utilisation", utilisation);
  }
  if (!params.empty()) line.add_json("params", params);
  if (!r.failures.empty()) line.add_json("failures", json_of(r.failures));
  if (const auto replaced = replacements_.find(r.generation); replaced != replacements_.end()) {
    line.add("replaced_by", std::string_view(replaced->second));
  }
  if (!trouble_.empty()) return;
  const std::string text = line.text() + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) return note_trouble();
  if (flushes_ && std::fflush(file_.get()) != 0) note_trouble();
}

void TraceWriter::note_trouble() {
  if (trouble_.empty()) trouble_ = "trace " + path_ + " cannot be written (" + std::strerror(errno) + ")";
}

void TraceWriter::sync() {
  if (!trouble_.empty()) return;
  if (std::fflush(file_.get()) != 0) return note_trouble();
  // EINVAL and such: a device or a pipe.
  if (::fsync(::fileno(file_.get())) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT)) note_trouble();
}

void TraceWriter::close() {
  if (std::fclose(file_.release()) != 0) note_trouble();
}

}  // namespace surefoot
