#include "report/evaluated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "report/parse_json.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_points = 3000;
constexpr std::size_t most_failures = 500;
constexpr std::size_t most_coordinates = 20;
constexpr std::size_t few_failures = 3;  // too few for a region

double number_of(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  return !word.empty() && *end == '\0' ? value : not_a_number;
}

/// Numbers with blanks between them.
std::vector<double> numbers_of(const std::string& words) {
  std::istringstream in(words);
  std::vector<double> numbers;
  for (std::string word; in >> word;) numbers.push_back(number_of(word));
  return numbers;
}

double number_of(const Json& value) { return value.is_number() ? value.get<double>() : not_a_number; }

[[noreturn]] void refuse(const std::string& name, int line) {
  throw std::invalid_argument(
      fmt::format("log = {} is not allowed: line {} is not from 'surefoot minimize --log'", name, line));
}

/// Words between commas; quotes may hold commas, and "" is a quote.
std::vector<std::string> split_row(const std::string& line) {
  std::vector<std::string> words(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      const bool is_doubled = is_quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (is_doubled) {
        words.back() += line[++i];
      } else {
        is_quoted = !is_quoted;
      }
    } else if (c == ',' && !is_quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

/// A text of a cell without the apostrophe that keeps spreadsheets from computing it.
std::string without_apostrophe(const std::string& cell) { return cell.starts_with('\'') ? cell.substr(1) : cell; }

/// The columns before and after the parameters.
const std::vector<std::string>& first_columns() {
  static const std::vector<std::string> columns = {"id",     "run", "generation",  "candidate", "attempt",
                                                   "status", "f",   "constraints", "seconds",   "worker"};
  return columns;
}

class CsvReader {
 public:
  CsvReader(const std::string& header, const std::string& name) : name_(name) {
    const std::vector<std::string> head = split_row(header);
    const auto& first = first_columns();
    const bool is_ours = head.size() > first.size() + 1 && std::equal(first.begin(), first.end(), head.begin()) &&
                         head.back() == "reason";
    if (!is_ours) refuse(name, 1);
    columns_ = head.size();
    names.assign(head.begin() + static_cast<std::ptrdiff_t>(first.size()), head.end() - 1);
  }

  [[nodiscard]] Evaluated row(const std::string& line, int number) const {
    std::vector<std::string> words = split_row(line);
    if (words.size() != columns_) refuse(name_, number);
    Evaluated row{.x = {}, .f = number_of(words[6]), .status = words[5], .reason = without_apostrophe(words.back())};
    row.constraints = numbers_of(words[7]);
    for (std::size_t j = first_columns().size(); j + 1 < words.size(); ++j) {
      const double value = number_of(words[j]);
      if (std::isnan(value) && !words[j].empty()) row.choices[row.x.size()] = without_apostrophe(words[j]);
      row.x.push_back(value);
    }
    return row;
  }

  std::vector<std::string> names;

 private:
  std::string name_;
  std::size_t columns_ = 0;
};

Evaluated json_row(const std::string& line, const std::string& name, int number, std::vector<std::string>& names) {
  const Json object = parse_json(line);
  const bool is_ours = object.is_object() && object.contains("params") && object["params"].is_object() &&
                       object.contains("status") && object["status"].is_string();
  if (!is_ours) refuse(name, number);
  if (names.empty()) {
    for (const auto& [key, value] : object["params"].items()) names.push_back(key);
  }
  Evaluated row{.x = {}, .f = number_of(object.value("f", Json())), .status = object["status"], .reason = {}};
  if (object.contains("reason") && object["reason"].is_string()) row.reason = object["reason"];
  const Json constraints = object.value("constraints", Json());
  if (constraints.is_array()) {
    for (const Json& value : constraints) row.constraints.push_back(number_of(value));
  }
  for (const std::string& key : names) {
    const Json value = object["params"].value(key, Json());
    if (value.is_string()) row.choices[row.x.size()] = value.get<std::string>();
    row.x.push_back(number_of(value));
  }
  return row;
}

double impurity(double failed, double all) { return all > 0 ? 2 * failed * (all - failed) / all : 0; }

/// What is above and below a limit.
struct Split {
  double failed_below;
  double below;
  double failed;
  double all;
  [[nodiscard]] double gain() const {
    return impurity(failed, all) - impurity(failed_below, below) - impurity(failed - failed_below, all - below);
  }
};

FailingRegion region_of(std::size_t parameter, double limit, const Split& split) {
  const auto count = [](double value) { return static_cast<std::size_t>(value); };
  const bool is_above =
      (split.failed - split.failed_below) * split.below > split.failed_below * (split.all - split.below);
  const double failed_inside = is_above ? split.failed - split.failed_below : split.failed_below;
  const double inside = is_above ? split.all - split.below : split.below;
  return {.parameter = parameter,
          .is_above = is_above,
          .limit = limit,
          .failed_inside = count(failed_inside),
          .inside = count(inside),
          .failed_outside = count(split.failed - failed_inside),
          .outside = count(split.all - inside)};
}

/// Keeps every k-th, so that at most `most` remain.
std::size_t every(std::size_t count, std::size_t most) { return std::max<std::size_t>(1, (count + most - 1) / most); }

/// Numbers, and names of choices.
Json place_of(const Evaluated& row) {
  Json x = Json::array();
  for (std::size_t j = 0; j < std::min(row.x.size(), most_coordinates); ++j) {
    const auto choice = row.choices.find(j);
    x.push_back(choice == row.choices.end() ? Json(row.x[j]) : Json(choice->second));
  }
  return x;
}

}  // namespace

ReadLog read_log(const std::string& text, const std::string& name) {
  ReadLog log;
  std::istringstream lines(text);
  std::optional<CsvReader> csv;
  int number = 0;
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    ++number;
    if (number == 1 && !line.starts_with("{")) {
      csv.emplace(line, name);
      log.names = csv->names;
      continue;
    }
    log.rows.push_back(csv ? csv->row(line, number) : json_row(line, name, number, log.names));
  }
  return log;
}

std::optional<FailingRegion> failing_region(const ReadLog& log) {
  std::optional<FailingRegion> best;
  double best_gain = 0;
  for (std::size_t j = 0; j < log.names.size(); ++j) {
    std::vector<std::pair<double, bool>> sorted;
    for (const Evaluated& row : log.rows) {
      if (j < row.x.size() && std::isfinite(row.x[j])) sorted.emplace_back(row.x[j], row.has_failed());
    }
    std::sort(sorted.begin(), sorted.end());
    const auto failed = static_cast<double>(
        std::count_if(sorted.begin(), sorted.end(), [](const auto& point) { return point.second; }));
    if (failed < few_failures) continue;
    double below = 0;
    for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
      below += sorted[i].second ? 1 : 0;
      if (sorted[i].first == sorted[i + 1].first) continue;
      const Split split{below, static_cast<double>(i + 1), failed, static_cast<double>(sorted.size())};
      if (!(split.gain() > best_gain)) continue;
      best_gain = split.gain();
      best = region_of(j, (sorted[i].first + sorted[i + 1].first) / 2, split);
    }
  }
  if (!best) return best;
  const auto share = [](std::size_t part, std::size_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
  };
  const double overall = share(best->failed_inside + best->failed_outside, best->inside + best->outside);
  const bool is_clear = best->failed_inside >= few_failures && share(best->failed_inside, best->inside) > 0.5 &&
                        share(best->failed_outside, best->outside) < 0.5 * overall;
  return is_clear ? best : std::nullopt;
}

std::string describe(const std::optional<FailingRegion>& region, const ReadLog& log) {
  if (!region) return {};
  return fmt::format("Failures lie where {} {} {:.4g}: {} of {} evaluations failed there, {} of {} elsewhere.",
                     log.names[region->parameter], region->is_above ? ">" : "<", region->limit, region->failed_inside,
                     region->inside, region->failed_outside, region->outside);
}

double violation_of(const Evaluated& row, const ConstraintKinds& kinds) {
  const std::size_t count = row.constraints.size();
  const std::size_t inequalities = count - std::min(count, kinds.equalities);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = i < inequalities ? row.constraints[i] : std::abs(row.constraints[i]);
    if (value > (i < inequalities ? 0 : kinds.tolerance)) sum += value;
  }
  return sum;
}

Json points_of(const ReadLog& log, const ConstraintKinds& kinds) {
  const auto failures = static_cast<std::size_t>(
      std::count_if(log.rows.begin(), log.rows.end(), [](const Evaluated& row) { return row.has_failed(); }));
  const std::size_t every_point = every(log.rows.size() - failures, most_points);
  const std::size_t every_failure = every(failures, most_failures);
  Json points = Json::array();
  Json failed = Json::array();
  std::size_t point = 0;
  std::size_t failure = 0;
  for (const Evaluated& row : log.rows) {
    const bool is_kept = row.has_failed() ? failure++ % every_failure == 0 : point++ % every_point == 0;
    if (!is_kept) continue;
    if (row.has_failed()) {
      failed.push_back({{"x", place_of(row)}, {"reason", row.reason.empty() ? row.status : row.reason}});
      continue;
    }
    Json shown = {{"x", place_of(row)}, {"f", row.f}};
    if (const double violation = violation_of(row, kinds); violation > 0) shown["violation"] = violation;
    points.push_back(std::move(shown));
  }
  return {{"names", log.names},
          {"rows", log.rows.size()},
          {"failures", failures},
          {"points", std::move(points)},
          {"failed", std::move(failed)}};
}

}  // namespace surefoot
