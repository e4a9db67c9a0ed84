#include "driver/log/log_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/trace/json_line.hpp"
#include "driver/trace/json_params.hpp"

namespace surefoot {
namespace {

constexpr std::array<std::string_view, 5> head_names = {"id", "run", "generation", "candidate", "attempt"};
constexpr std::array<std::string_view, 5> more_names = {"status", "f", "constraints", "seconds", "worker"};

std::array<std::int64_t, head_names.size()> head_of_row(const LogRow& row) {
  return {row.id, row.place.run, row.place.generation, row.place.candidate, row.place.attempt};
}

bool is_column(const std::string& name) {
  return name == "reason" || std::find(head_names.begin(), head_names.end(), name) != head_names.end() ||
         std::find(more_names.begin(), more_names.end(), name) != more_names.end();
}

/// A number; nothing for NaN.
std::string csv_number(double value) { return std::isnan(value) ? "" : text(value); }

/// In quotes where it must be: around commas and quotes, and around blanks at the ends, which readers may remove. A row
/// stays one line, so what would end it becomes a blank.
std::string quoted_cell(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  const bool has_outer_blank = text.starts_with(' ') || text.ends_with(' ');
  if (!has_outer_blank && text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

/// A spreadsheet computes what begins as a formula. An apostrophe before it makes a text of it, and another one before
/// a text that begins with one keeps all texts apart (https://owasp.org/www-community/attacks/CSV_Injection).
std::string csv_text(const std::string& text) {
  const bool is_formula = text.find_first_of("=+-@'") == 0;
  return quoted_cell(is_formula ? "'" + text : text);
}

/// The value of a parameter: numbers stay numbers.
std::string csv_value(const Space& space, Index j, double value) {
  const std::string cell = parameter_text(space, j, value);
  const bool is_choice = !space.empty() && space[j].kind == Parameter::Kind::choice;
  return is_choice ? csv_text(cell) : cell;
}

/// To the microsecond: more is noise.
double rounded(double seconds) { return std::round(seconds * 1e6) / 1e6; }

std::string blank_separated(const std::vector<double>& values) {
  std::string all;
  for (const double value : values) all.append(all.empty() ? "" : " ").append(text(value));
  return all;
}

std::string json_list(const std::vector<double>& values) {
  std::string all = "[";
  for (const double value : values) all.append(all.size() == 1 ? "" : ",").append(json_number(value));
  return all.append("]");
}

/// Takes `word` from the front of the text, or says that it is not there.
bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool take_integer(std::string_view& text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return take(text, ",");
}

}  // namespace

void require_log_name(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const bool is_named = ending == ".csv" || ending == ".jsonl" || path.starts_with("/dev/");
  if (!is_named) reject("log", path, "its name must end in .csv or .jsonl");
}

LogFormat::LogFormat(const std::string& path, Space space, Index dimension)
    : is_json_(std::filesystem::path(path).extension() == ".jsonl"), space_(std::move(space)), dimension_(dimension) {}

std::string LogFormat::beginning() const { return is_json_ ? "{\"id\":" : "id,run,generation,candidate,attempt,"; }

/// A parameter with the name of a built-in column gets a prefix.
std::string LogFormat::header() const {
  if (is_json_) return {};
  std::string names;
  for (const auto& name : head_names) names.append(name).append(",");
  for (const auto& name : more_names) names.append(name).append(",");
  for (const std::string& name : parameter_names(space_, dimension_)) {
    names.append(is_column(name) ? "param." : "").append(name).append(",");
  }
  return names + "reason\n";
}

LogFormat::Parts LogFormat::json_parts(const LogRow& row) const {
  JsonLine before;
  const auto head = head_of_row(row);
  for (std::size_t i = 0; i < head.size(); ++i) before.add(head_names[i], head[i]);
  before.add("status", std::string_view(row.status));
  before.add("f", row.f);
  before.add_json("constraints", json_list(row.constraints));
  std::string start = before.text();
  start.back() = ',';
  const std::string worker = row.worker < 0 ? "null" : text(row.worker);
  std::string after = ",\"params\":" + json_params(space_, row.x);
  if (!row.reason.empty()) after += ",\"reason\":" + json_text(row.reason);
  return {start, "\"seconds\":" + json_number(rounded(row.seconds)) + ",\"worker\":" + worker, after + "}"};
}

LogFormat::Parts LogFormat::csv_parts(const LogRow& row) const {
  std::string before;
  for (const std::int64_t number : head_of_row(row)) before += text(number) + ",";
  before += row.status + "," + csv_number(row.f) + "," + blank_separated(row.constraints) + ",";
  std::string after = ",";
  for (Index j = 0; j < row.x.size(); ++j) after += csv_value(space_, j, row.x[j]) + ",";
  const std::string worker = row.worker < 0 ? "" : text(row.worker);
  return {before, csv_number(rounded(row.seconds)) + "," + worker, after + csv_text(row.reason)};
}

LogFormat::Parts LogFormat::parts(const LogRow& row) const { return is_json_ ? json_parts(row) : csv_parts(row); }

std::string LogFormat::line(const LogRow& row) const {
  const Parts all = parts(row);
  return all.before + all.timing + all.after + "\n";
}

std::optional<LogFormat::Head> LogFormat::head_of(std::string_view line) const {
  if (is_json_ && (!take(line, "{") || !line.ends_with("}"))) return std::nullopt;
  std::array<std::int64_t, head_names.size()> n{};
  for (std::size_t i = 0; i < n.size(); ++i) {
    const bool is_named = !is_json_ || (take(line, "\"") && take(line, head_names[i]) && take(line, "\":"));
    if (!is_named || !take_integer(line, n[i])) return std::nullopt;
  }
  return Head{n[0], {.run = n[1], .generation = n[2], .candidate = n[3], .attempt = n[4]}};
}

bool LogFormat::says(std::string_view line, LogRow row) const {
  const std::optional<Head> head = head_of(line);
  if (!head) return false;
  row.id = head->id;
  const Parts all = parts(row);
  return line.size() >= all.before.size() + all.after.size() && line.starts_with(all.before) &&
         line.ends_with(all.after);
}

}  // namespace surefoot
