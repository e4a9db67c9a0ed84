#include "driver/trace/trace_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <utility>

#include "driver/output_file.hpp"
#include "driver/trace/json_line.hpp"

namespace surefoot {
namespace {

constexpr const char* trace_beginning = R"({"generation":)";
constexpr std::string_view end_beginning = R"(,"end":{"stop":)";

/// The generation of a line that a TraceWriter wrote.
std::optional<std::int64_t> generation_of(const std::string& line) {
  constexpr std::string_view begin = trace_beginning;
  if (!line.starts_with(begin) || line.back() != '}') return std::nullopt;
  std::int64_t generation = 0;
  const auto [end, error] = std::from_chars(line.data() + begin.size(), line.data() + line.size(), generation);
  return error == std::errc() && *end == ',' ? std::optional(generation) : std::nullopt;
}

/// A search that goes on has no end yet. Of an end that a power cut has torn only its first letters may be left; a line
/// that a checkpoint counts on was whole before.
std::string without_end(const std::string& line) {
  std::size_t at = line.find(end_beginning);
  for (std::size_t length = end_beginning.size() - 1; length > 1 && at == std::string::npos; --length) {
    if (line.ends_with(end_beginning.substr(0, length))) at = line.size() - length;
  }
  return at == std::string::npos ? line : line.substr(0, at) + "}";
}

/// The lines of a trace up to a generation.
std::string kept_lines(const std::string& path, std::int64_t generation) {
  std::ifstream in(path, std::ios::binary);
  std::string kept;
  for (std::string line; std::getline(in, line);) {
    line = without_end(line);
    const std::optional<std::int64_t> found = generation_of(line);  // a line without its end was cut off by a kill
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
  std::string list = "[";
  for (const Failure& failure : failures) {
    JsonLine line;
    line.add("candidate", std::int64_t{failure.candidate});
    line.add("attempt", std::int64_t{failure.attempt});
    line.add("kind", name(failure.kind));
    line.add("reason", std::string_view(failure.reason));
    list.append(list.size() == 1 ? "" : ",").append(line.text());
  }
  return list.append("]");
}

}  // namespace

void require_trace(const std::string& path) { require_ours("trace", path, trace_beginning, "trace"); }

TraceWriter::TraceWriter(const std::string& path, std::int64_t generation) {
  require_trace(path);
  const bool is_file = std::filesystem::is_regular_file(path);
  const std::string kept = is_file ? kept_lines(path, generation) : std::string();
  if (is_file) begin_with("trace", path, kept);
  is_empty_ = kept.empty();
  file_.emplace("trace", path, "ae");
}

TraceWriter::TraceWriter(const std::string& path) {
  require_trace(path);
  file_.emplace("trace", path, "we");
}

void TraceWriter::add_timing(std::function<Usage()> usage) { meter_.emplace(std::move(usage)); }

void TraceWriter::operator()(const Record& r, const JsonLine& more) {
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
  line.add_all(more);
  if (!r.failures.empty()) line.add_json("failures", json_of(r.failures));
  if (const auto replaced = replacements_.find(r.generation); replaced != replacements_.end()) {
    line.add("replaced_by", std::string_view(replaced->second));
  }
  if (is_empty_ && !about_.empty()) line.add_json("about", about_);
  is_empty_ = false;
  file_->append(line.text() + "\n", true);
}

/// Over the last brace and the end of the line.
void TraceWriter::add_end(const std::string& json) {
  if (!is_empty_) file_->replace_tail(2, ",\"end\":" + json + "}\n");
}

}  // namespace surefoot
