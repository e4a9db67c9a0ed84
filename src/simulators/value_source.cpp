#include "simulators/value_source.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "core/invalid_option.hpp"
#include "core/printable_text.hpp"
#include "core/split.hpp"
#include "driver/atomic_file.hpp"
#include "evaluators/answer_text.hpp"
#include "report/parse_json.hpp"
#include "simulators/table_column.hpp"

namespace surefoot {
namespace {

using AnyJson = nlohmann::json;

constexpr std::uintmax_t largest_output = 256U << 20U;

[[noreturn]] void refuse_output(const std::string& text, const std::string& allowed) {
  reject("output", "'" + text + "'", allowed);
}

constexpr const char* forms =
    "it is 'json:NAME', 'regex:PATTERN with a (group)', 'file:NAME', 'file:NAME|json:NAME', 'file:NAME|regex:PATTERN' "
    "or 'stdout'; NAME= in front names the value";

bool is_name(std::string_view name) {
  const auto is_inner = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; };
  const bool has_letter = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_');
  return has_letter && std::all_of(name.begin(), name.end(), is_inner);
}

/// Where the source begins in a text such as gain=regex:gain = (.*); 0 if no names are in front of it.
std::size_t begin_of_source(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return 0;
  const std::vector<std::string> names = split(text.substr(0, equals), ',');
  return std::all_of(names.begin(), names.end(), is_name) ? equals + 1 : 0;
}

/// NaN and Infinity, which Python writes and JSON does not have, as texts.
std::string with_quoted_names(const std::string& text) {
  std::string out;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    const auto name = {"-Infinity", "Infinity", "NaN"};
    const auto* const found =
        std::find_if(name.begin(), name.end(), [&](const char* n) { return rest.starts_with(n); });
    if (in_text && text[i] == '\\' && i + 1 < text.size()) {
      out.append(text, i++, 2);
    } else if (!in_text && found != name.end()) {
      out.append("\"").append(*found).append("\"");
      i += std::string_view(*found).size() - 1;
    } else {
      if (text[i] == '"') in_text = !in_text;
      out += text[i];
    }
  }
  return out;
}

/// The JSON that a text is, or its last line. Deeply nested text does not count.
std::optional<AnyJson> json_in(const std::string& content) {
  for (const std::string_view part : {trimmed(content), last_line(content)}) {
    if (is_deeply_nested(part)) continue;
    AnyJson json = AnyJson::parse(with_quoted_names(std::string(part)), nullptr, false);
    if (!json.is_discarded()) return json;
  }
  return std::nullopt;
}

/// The value of a key, or of keys one inside the other with dots between them.
const AnyJson* find_key(const AnyJson& json, const std::string& key) {
  if (json.is_object() && json.contains(key)) return &json[key];
  const std::size_t dot = key.find('.');
  const std::string first = key.substr(0, dot);
  const AnyJson* inner = nullptr;
  if (json.is_object() && json.contains(first)) inner = &json[first];
  if (json.is_array() && !first.empty() && first.size() < 9 &&
      first.find_first_not_of("0123456789") == std::string::npos && std::stoul(first) < json.size()) {
    inner = &json[std::stoul(first)];
  }
  if (inner == nullptr || dot == std::string::npos) return inner;
  return find_key(*inner, key.substr(dot + 1));
}

std::optional<double> number_in(const AnyJson& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return number_of(trimmed(json.get_ref<const std::string&>()));
  return std::nullopt;
}

std::string names_of(const AnyJson& json) {
  std::vector<std::string> names;
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) names.push_back(key);
  }
  return names.empty() ? "" : "; there are " + excerpt(listed(names));
}

/// Appends the numbers of an array, which may have arrays inside. Returns why it cannot.
std::string append_array(const std::string& key, const AnyJson& array, std::vector<double>& values) {
  for (const AnyJson& item : array) {
    if (item.is_array()) {
      const std::string why = append_array(key, item, values);
      if (!why.empty()) return why;
      continue;
    }
    const auto number = number_in(item);
    if (!number) return "'" + key + "' has something that is not a number";
    values.push_back(*number);
  }
  return {};
}

}  // namespace

ValueSource::ValueSource(const std::string& text, bool has_lists) : text_(text), has_lists_(has_lists) {
  if (has_control_character(text)) {
    refuse_output(printable_line(text), "it must not have line breaks or other control characters");
  }
  const std::size_t source = begin_of_source(text);
  std::string how = text.substr(source);
  if (how.starts_with("file:")) {
    const std::size_t bar = how.find('|');
    set_place(how.substr(5, bar == std::string::npos ? bar : bar - 5));
    how = bar == std::string::npos ? "stdout" : how.substr(bar + 1);
    if (bar != std::string::npos && how == "stdout") refuse_output(text, forms);
  }
  if (how.starts_with("json:")) {
    keys_ = names_ = split(how.substr(5), ',');
    if (std::find(keys_.begin(), keys_.end(), "") != keys_.end()) {
      refuse_output(text, "a name is missing, as in json:cost");
    }
  } else if (how.starts_with("regex:")) {
    pattern_ = std::make_shared<LinePattern>(text, how.substr(6));
    names_ = pattern_->names();
  } else if (how.starts_with("column:")) {
    if (!has_lists) refuse_output(text, "columns of tables are residuals: give --residuals too");
    columns_ = split(how.substr(7), ',');
  } else if (how != "stdout") {
    refuse_output(text, forms);
  }
  if (has_lists) names_.clear();  // a name may stand for many values
  if (source > 0 && has_lists) refuse_output(text, "residuals have no names: leave out what is in front of the source");
  if (source > 0) take_names(text.substr(0, source - 1));
}

/// Names in front of the source replace its own.
void ValueSource::take_names(const std::string& names) {
  const std::vector<std::string> given = split(names, ',');
  if (count_of_source() && given.size() != *count_of_source()) {
    refuse_output(text_, surefoot::text(given.size()) + " names for " + surefoot::text(*count_of_source()) + " values");
  }
  names_ = given;
}

void ValueSource::set_place(const std::string& place) {
  const std::filesystem::path path(place);
  const bool leaves = std::find(path.begin(), path.end(), "..") != path.end();
  if (place.empty() || path.is_absolute() || leaves || !path.has_filename()) {
    refuse_output(text_, "the file must be in the candidate's folder, as in file:result.txt");
  }
  file_ = place;
}

std::optional<std::size_t> ValueSource::count_of_source() const {
  if (has_lists_) return std::nullopt;
  if (pattern_) return pattern_->count();
  return keys_.empty() ? std::nullopt : std::optional(keys_.size());
}

std::optional<std::size_t> ValueSource::count() const {
  const auto own = count_of_source();
  return own || names_.empty() ? own : names_.size();
}

std::string ValueSource::read_keys(const std::string& content, std::vector<double>& values) const {
  const auto json = json_in(content);
  if (!json) {
    const std::string line = excerpt(last_line(content));
    return line.empty() ? "there is nothing" : "'" + line + "' is not JSON";
  }
  for (const std::string& key : keys_) {
    const AnyJson* const value = find_key(*json, key);
    if (value == nullptr) return "there is no '" + key + "'" + names_of(*json);
    if (has_lists_ && value->is_array()) {
      const std::string why = append_array(key, *value, values);
      if (!why.empty()) return why;
      continue;
    }
    const auto number = number_in(*value);
    if (!number)
      return "'" + key + "' is " + excerpt(value->dump(-1, ' ', false, AnyJson::error_handler_t::replace)) +
             ", no number";
    values.push_back(*number);
  }
  return {};
}

std::string ValueSource::read(const std::string& output, const std::filesystem::path& folder,
                              std::vector<double>& values) const {
  std::string content = output;
  if (!file_.empty()) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(folder / file_, error);
    if (error || !std::filesystem::is_regular_file(folder / file_, error)) return "it made no file " + file_;
    if (size > largest_output) return file_ + " has more than 256 MiB";
    try {
      content = read_file(folder / file_);
    } catch (const std::runtime_error&) {
      return file_ + " cannot be read";
    }
  }
  if (pattern_) return pattern_->read(content, values);
  if (!keys_.empty()) return read_keys(content, values);
  if (!columns_.empty()) {
    for (const std::string& column : columns_) {
      const std::string why = append_column(content, column, values);
      if (!why.empty()) return why;
    }
    return {};
  }
  const std::vector<double> numbers = last_numbers(content, has_lists_ ? " \t," : " \t");
  const std::string line = excerpt(last_line(content));
  if (numbers.empty()) return line.empty() ? "there is nothing" : "'" + line + "' is not a number";
  if (!names_.empty() && numbers.size() != names_.size()) {
    return "'" + line + "' has " + surefoot::text(numbers.size()) + " numbers for " + surefoot::text(names_.size()) +
           " names";
  }
  values.insert(values.end(), numbers.begin(), numbers.end());
  return {};
}

}  // namespace surefoot
