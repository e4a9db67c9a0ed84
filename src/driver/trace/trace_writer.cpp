#include "driver/trace/trace_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/output_file.hpp"
#include "driver/trace/json_line.hpp"

namespace surefoot {
namespace {

constexpr const char* trace_beginning = R"({"generation":)";
constexpr std::string_view end_beginning = R"(,"end":{"stop":)";

/// How a line of a TraceWriter begins.
struct LineHead {
  std::int64_t generation = 0;
  std::int64_t nfev = 0;
  double best = 0;  // NaN if it is not a finite number
};

/// Reads a member at the beginning of the rest of a line.
template <class Number>
bool take_member(std::string_view& rest, std::string_view begin, Number& number) {
  if (!rest.starts_with(begin)) return false;
  const auto [end, error] = std::from_chars(rest.data() + begin.size(), rest.data() + rest.size(), number);
  if (error != std::errc() || end == rest.data() + rest.size() || *end != ',') return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return true;
}

std::optional<LineHead> head_of(const std::string& line) {
  if (line.empty() || line.back() != '}') return std::nullopt;
  LineHead head;
  std::string_view rest = line;
  if (!take_member(rest, trace_beginning, head.generation) || !take_member(rest, ",\"nfev\":", head.nfev)) {
    return std::nullopt;
  }
  if (!take_member(rest, ",\"best\":", head.best)) head.best = std::numeric_limits<double>::quiet_NaN();
  return head;
}

/// A running search has no end yet. Of an end that a power cut has torn only its first letters may be left; a line
/// that a checkpoint counts on was whole before.
std::string without_end(const std::string& line) {
  std::size_t at = line.find(end_beginning);
  for (std::size_t length = end_beginning.size() - 1; length > 1 && at == std::string::npos; --length) {
    if (line.ends_with(end_beginning.substr(0, length))) at = line.size() - length;
  }
  return at == std::string::npos ? line : line.substr(0, at) + "}";
}

/// Whether the first line of a file is that of this search. Names of constraints may be others, and what was written
/// before 0.2 tells nothing.
bool is_about(const std::string& line, const std::string& about) {
  if (line.find(",\"about\":{") == std::string::npos) return true;
  const std::size_t end = std::min(about.find(",\"constraints\":"), about.size() - 1);
  return line.find(about.substr(1, end - 1)) != std::string::npos;
}

/// Evaluations become more and best values lower.
bool fits(const LineHead& line, const TraceBefore& before) {
  if (line.generation <= before.last) return line.nfev <= before.nfev && !(line.best < before.best);
  return !before.is_before_next || line.generation > before.last + 1 ||
         (line.nfev >= before.nfev && !(line.best > before.best));
}

struct KeptTrace {
  std::string lines;
  std::string gap;

  void note_gap(const std::string& path, std::int64_t first, std::int64_t last) {
    if (first > last || !gap.empty()) return;
    gap = "trace " + path + " lacks generation" +
          (first == last ? " " + text(first) : "s " + text(first) + " to " + text(last)) +
          ": the file lacked them when the search was resumed";
  }
};

/// The lines of a trace up to where the search continues.
KeptTrace kept_trace(const std::string& path, const TraceBefore& before) {
  std::ifstream in(path, std::ios::binary);
  KeptTrace kept;
  std::int64_t next = before.last + 1;  // a new file begins there, or has begun where the search was resumed before
  bool is_first = true;
  for (std::string line; std::getline(in, line); is_first = false) {
    line = without_end(line);
    const std::optional<LineHead> head = head_of(line);  // a line without its end was cut off by a kill
    if (!head) break;
    if ((is_first && !is_about(line, before.about)) || !fits(*head, before)) {
      reject("trace", path, "it belongs to another search than the resumed one; move it away or choose another file");
    }
    if (head->generation > before.last) break;
    if (!is_first) kept.note_gap(path, next, head->generation - 1);
    next = head->generation + 1;
    kept.lines += line + "\n";
  }
  kept.note_gap(path, next, before.last);
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

void require_trace(const std::string& path) { require_ours("trace", path, trace_beginning, "a trace"); }

TraceWriter::TraceWriter(const std::string& path, const TraceBefore& before) {
  require_trace(path);
  if (!is_special(path)) {
    KeptTrace kept = kept_trace(path, before);
    if (std::filesystem::is_regular_file(path)) begin_with("trace", path, kept.lines);
    is_empty_ = kept.lines.empty();
    gap_ = std::move(kept.gap);
  }
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
