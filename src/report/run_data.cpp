#include "report/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "driver/at_bound.hpp"
#include "report/agreement.hpp"
#include "report/parse_json.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_places = 400;  // a picture of a parameter has no more points
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : nan;
}

std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// NaN for what is not a number.
std::vector<double> numbers_in(const Json& object, const char* key) {
  std::vector<double> numbers;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return numbers;
  for (const Json& item : *found) numbers.push_back(item.is_number() ? item.get<double>() : nan);
  return numbers;
}

Json take(Json& record, const char* key) {
  if (!record.contains(key)) return nullptr;
  Json part = record[key].is_object() ? std::move(record[key]) : Json(nullptr);
  record.erase(key);
  return part;
}

/// real, discrete, either with log, choice or fixed; empty where the trace does not say.
std::string kind_in(const Json& about, std::size_t j) {
  const auto kinds = about.is_object() ? about.find("kinds") : about.end();
  if (!about.is_object() || kinds == about.end() || !kinds->is_array() || j >= kinds->size()) return {};
  return (*kinds)[j].is_string() ? (*kinds)[j].get<std::string>() : std::string();
}

bool is_log(const Json& about, std::size_t j) { return kind_in(about, j).ends_with(" log"); }
bool is_choice(const Json& about, std::size_t j) { return kind_in(about, j) == "choice"; }

/// Choices have no place on a line, and steps of a logarithm count as factors.
void to_scale(const Json& about, std::vector<double>& mean, std::vector<double>& stds) {
  for (std::size_t j = 0; j < std::min(mean.size(), stds.size()); ++j) {
    if (is_choice(about, j) || kind_in(about, j) == "fixed") stds[j] = 0;
    if (!is_log(about, j)) continue;
    mean[j] = std::log(mean[j]);
    stds[j] = std::log(stds[j]);
  }
}

void add_agreement(RunTrace& trace) {
  Agreement agreement;
  for (Json& record : trace.records) {
    std::vector<double> mean = numbers_in(record, "mean");
    std::vector<double> stds = numbers_in(record, "stds");
    if (mean.empty()) continue;
    to_scale(trace.about, mean, stds);
    const double value = agreement.add(number_in(record, "run"), mean, stds);
    if (std::isfinite(value)) record["agreement"] = value;
  }
}

/// Every k-th generation, and the last one. Correlations are needed once.
void thin_places(Json& records) {
  const std::size_t step = 1 + records.size() / most_places;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const bool is_last = i + 1 == records.size();
    if (i % step == 0 || is_last) continue;
    for (const char* key : {"x", "mean", "stds"}) records[i].erase(key);
  }
}

/// The newest correlations of the records, which a search that has not ended needs.
Json last_correlations(Json& records) {
  Json last = nullptr;
  for (Json& record : records) {
    if (!record.contains("correlations")) continue;
    last = std::move(record["correlations"]);
    record.erase("correlations");
  }
  return last;
}

/// "x1 (lower), x4 (upper)": where the best point is as near to a bound as a thousandth of the width.
std::string bounds_hit(const RunTrace& trace) {
  if (!trace.about.is_object() || trace.records.empty()) return {};
  const Json& place = trace.end.is_object() ? trace.end : trace.records.back();
  const std::vector<double> x = numbers_in(place, "x");
  const std::vector<double> lower = numbers_in(trace.about, "lower");
  const std::vector<double> upper = numbers_in(trace.about, "upper");
  const auto names = trace.about.find("names");
  if (names == trace.about.end() || !names->is_array()) return {};
  const auto at = [](const std::vector<double>& side, std::size_t j) { return j < side.size() ? side[j] : nan; };
  std::string list;
  for (std::size_t j = 0; j < std::min(x.size(), names->size()); ++j) {
    if (!(*names)[j].is_string()) continue;
    if (is_choice(trace.about, j)) continue;
    const BoundHit hit = bound_hit(x[j], at(lower, j), at(upper, j), is_log(trace.about, j));
    if (hit == BoundHit::none) continue;
    list += (list.empty() ? "" : ", ") + (*names)[j].get<std::string>() +
            (hit == BoundHit::lower ? " (lower)" : " (upper)");
  }
  return list;
}

/// The command with what the search drew itself, and the budget that has ended it.
void complete_command(RunTrace& trace) {
  if (!trace.about.is_object()) return;
  std::string command = text_in(trace.about, "command");
  if (command.empty()) return;
  if (command.find(" --seed ") == std::string::npos) command += " --seed " + text_in(trace.about, "seed");
  if (trace.end.is_object() && trace.end.contains("maxiter")) {
    command += fmt::format(" --maxiter {}", number_in(trace.end, "maxiter"));
  }
  trace.about["command"] = command;
}

ConstraintKinds kinds_of_constraints(const Json& data) {
  const auto about = data.find("about");
  if (about == data.end()) return {};
  const double equalities = number_in(*about, "equalities");
  const double tolerance = number_in(*about, "equality_tolerance");
  return {.equalities = equalities > 0 ? static_cast<std::size_t>(std::min(equalities, 1e6)) : 0,
          .tolerance = tolerance > 0 ? tolerance : 0};
}

Json json_of(const Standing& standing) {
  return {{"standing", standing.name}, {"title", standing.title}, {"text", standing.text}};
}

}  // namespace

RunTrace read_trace(const std::string& text, const std::string& name) {
  RunTrace trace;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    Json record = parse_json(line);
    if (record.is_object() && record.contains("nfev") && record.contains("best")) {
      if (Json about = take(record, "about"); about.is_object()) trace.about = std::move(about);
      if (Json end = take(record, "end"); end.is_object()) trace.end = std::move(end);
      trace.records.push_back(std::move(record));
    } else if (!lines.eof()) {
      throw std::invalid_argument(
          fmt::format("trace = {} is not allowed: line {} is not from 'surefoot minimize --trace'", name, number));
    }
  }
  return trace;
}

CourseFacts facts_of(const RunTrace& trace) {
  CourseFacts facts;
  double failed = 0;
  for (const Json& record : trace.records) {
    facts.nfev.push_back(number_in(record, "nfev"));
    const double violation = number_in(record, "violation");
    facts.best.push_back(violation > 0 ? nan : number_in(record, "best"));
    facts.violation = violation > 0 ? std::optional(violation) : std::nullopt;
    facts.level.push_back(record.contains("violation") ? nan : number_in(record, "generation_best"));
    facts.sigma.push_back(number_in(record, "sigma"));
    facts.run.push_back(number_in(record, "run"));
    const auto failures = record.find("failures");
    if (failures != record.end() && failures->is_array()) failed += static_cast<double>(failures->size());
  }
  facts.failed = failed;
  if (trace.end.is_object()) {
    const auto is_set = [&](const char* name) {
      const auto found = trace.end.find(name);
      return found != trace.end.end() && found->is_boolean() && found->get<bool>();
    };
    facts.end = CourseFacts::End{.kind = text_in(trace.end, "kind"),
                                 .message = text_in(trace.end, "message"),
                                 .success = is_set("success"),
                                 .missed_best = is_set("missed_best"),
                                 .tells_failures = is_set("says_how_failed")};
    const double target = number_in(trace.end, "ftarget");
    if (std::isfinite(target)) facts.ftarget = target;
    const double counted = number_in(trace.end, "nfailed");
    if (std::isfinite(counted)) facts.failed = counted;
  }
  return facts;
}

Json run_data(RunTrace trace, const std::string& source, const std::optional<ReadLog>& log) {
  Standing standing = standing_of(facts_of(trace));
  if (const std::string region = log ? describe(failing_region(*log), *log) : std::string(); !region.empty()) {
    standing.text += " " + region;
  }
  const auto has_value = [](const Json& record) { return std::isfinite(number_in(record, "best")); };
  const bool has_best = std::any_of(trace.records.begin(), trace.records.end(), has_value);
  if (const std::string hit = has_best ? bounds_hit(trace) : std::string(); !hit.empty()) {
    standing.text += " The best point lies at bounds: " + hit + "; a better point may lie beyond them.";
  }
  add_agreement(trace);
  thin_places(trace.records);
  complete_command(trace);
  Json data = {{"source", source}, {"verdict", json_of(standing)}};
  const Json correlations = last_correlations(trace.records);
  if (trace.about.is_object()) data["about"] = std::move(trace.about);
  if (trace.end.is_object()) {
    data["end"] = std::move(trace.end);
  } else if (correlations.is_array()) {
    data["correlations"] = correlations;
  }
  if (log) data["log"] = points_of(*log, kinds_of_constraints(data));
  data["records"] = std::move(trace.records);
  return data;
}

}  // namespace surefoot
