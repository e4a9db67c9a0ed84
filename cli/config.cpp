#include "cli/config.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

// NOLINTBEGIN(cppcoreguidelines-macro-usage): macros configure toml++
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(expr) static_cast<void>(0)  // 3.3 asserts on '[=]' what it refuses in words a few lines later
// NOLINTEND(cppcoreguidelines-macro-usage)
#include <toml++/toml.h>

#include "cli/commands.hpp"
#include "core/edit_distance.hpp"
#include "core/invalid_option.hpp"
#include "core/printable_text.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "driver/input_file.hpp"
#include "surefoot/option_table.hpp"

namespace surefoot::cli {
namespace {

std::string scalar_text(const std::string& file, const std::string& key, const toml::node& node) {
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_integer()) return text(value->get());
  if (const auto* value = node.as_floating_point()) return text(value->get());
  reject("config " + file + ": " + key, "a value of another kind", "text, a number, true, false or a list of numbers");
}

/// A number, or a name in the quotes of --param.
std::string item_text(const std::string& file, const toml::node& node, bool is_name) {
  std::string plain = scalar_text(file, "param", node);
  if (!is_name) return plain;
  std::string quoted = "'";
  for (const char c : plain) quoted.append(c == '\'' || c == '\\' ? "\\" : "").append(1, c);
  return quoted + "'";
}

/// Appends `key = value` as words of the command line.
void append(const std::string& file, const std::string& key, const toml::node& node, std::vector<std::string>& words) {
  if (const auto* flag = node.as_boolean()) {
    words.push_back("--" + key + (flag->get() ? "=true" : "=false"));
    return;
  }
  std::string value;
  if (const toml::array* list = node.as_array()) {
    for (const toml::node& item : *list) value.append(value.empty() ? "" : ",").append(scalar_text(file, key, item));
  } else {
    value = scalar_text(file, key, node);
  }
  words.push_back("--" + key + "=" + value);
}

std::string values_text(const std::string& file, const toml::array& values, bool are_names) {
  std::string text;
  for (const toml::node& item : values) text.append(text.empty() ? "" : ",").append(item_text(file, item, are_names));
  return text;
}

/// One table of [[param]].
class ParamTable {
 public:
  ParamTable(const std::string& file, const toml::table& table) : file_(file), table_(table) {
    check_keys();
    type_ = has("type") ? scalar("type") : has("value") ? "fixed" : "real";
    if (has("values")) check_values();
    if (has("value")) check_value();
    if (has("log") && !table_.get("log")->is_boolean()) refuse("log", "it is true or false, without quotes");
  }

  /// As the text of --param.
  [[nodiscard]] std::string text() const {
    std::string words = limits();
    const auto add = [&](const std::string& word) { words.append(words.empty() ? "" : ",").append(word); };
    if (has("log") && table_.get("log")->as_boolean()->get()) add("log");
    for (const std::string key : {"sigma", "start"}) {
      if (has(key)) add(key + "=" + item_text(file_, *table_.get(key), type_ == "choice"));
    }
    return (has("name") ? scalar("name") : "") + "=" + type_ + "(" + words + ")";
  }

 private:
  [[nodiscard]] bool has(const std::string& key) const { return table_.contains(key); }
  [[nodiscard]] std::string scalar(const std::string& key) const {
    return scalar_text(file_, "param." + key, *table_.get(key));
  }

  [[noreturn]] void refuse(const std::string& key, const std::string& allowed) const {
    const std::string name = has("name") ? " " + scalar("name") : "";
    throw std::invalid_argument("config " + file_ + ": param" + name + ": " + key + ": " + allowed);
  }

  void check_keys() const {
    const std::vector<std::string> keys = {"name", "type", "low", "high", "log", "start", "sigma", "values", "value"};
    for (const auto& [key, node] : table_) {
      const std::string word(key.str());
      if (std::find(keys.begin(), keys.end(), word) != keys.end()) continue;
      reject("config " + file_ + ": param", "'" + word + "'",
             "its keys are name, type, low, high, log, start, sigma, values and value" + suggestion(word, keys));
    }
  }

  void check_values() const {
    if (!table_.get("values")->is_array()) refuse("values", "it is a list, as [32, 64, 128]");
    if (type_ != "grid" && type_ != "choice") {
      refuse("values", R"(only together with type = "grid", for numbers in order, or type = "choice")");
    }
    if (has("low") || has("high")) refuse("values", "not together with low or high");
  }

  void check_value() const {
    if (type_ != "fixed") refuse("value", "not together with type = \"" + type_ + "\": a value is fixed");
    for (const char* key : {"low", "high", "log", "start", "sigma", "values"}) {
      if (has(key)) refuse("value", std::string("not together with ") + key);
    }
  }

  [[nodiscard]] std::string limits() const {
    if (has("value")) return scalar("value");
    if (has("values")) return values_text(file_, *table_.get("values")->as_array(), type_ == "choice");
    if (!has("low") && !has("high")) return "";
    return (has("low") ? scalar("low") : "-inf") + "," + (has("high") ? scalar("high") : "inf");
  }

  const std::string& file_;
  const toml::table& table_;
  std::string type_;
};

/// Options that may be given any number of times.
bool is_repeated(const std::string& key) {
  return key == "param" || key == "template" || key == "output" || key == "limit";
}

/// gain = [39.5, 40.5], gain = "39.5..40.5" or gain = "<=7" in the table [limit].
std::string limit_text(const std::string& file, const std::string& name, const toml::node& range) {
  if (const toml::array* sides = range.as_array()) {
    if (sides->size() != 2) reject("config " + file + ": limit." + name, "a list", "it has two sides, as [39.5, 40.5]");
    const auto side = [&](std::size_t i, const char* none) {
      const std::string word = scalar_text(file, "limit." + name, *sides->get(i));
      return word == none ? "" : word;
    };
    return name + "=" + side(0, "-inf") + ".." + side(1, "inf");
  }
  const std::string word = scalar_text(file, "limit." + name, range);
  return name + (word.starts_with('<') || word.starts_with('>') ? "" : "=") + word;
}

/// [[param]] tables, or a list of texts.
void append_each(const std::string& file, const std::string& key, const toml::node& node,
                 std::vector<std::string>& words) {
  const toml::array* list = node.as_array();
  if (const toml::table* table = node.as_table(); table != nullptr && key == "limit") {
    for (const auto& [name, range] : *table)
      words.push_back("--limit=" + limit_text(file, std::string(name.str()), range));
    return;
  }
  if (list == nullptr) {
    words.push_back("--" + key + "=" + scalar_text(file, key, node));
    return;
  }
  for (const toml::node& item : *list) {
    const toml::table* table = key == "param" ? item.as_table() : nullptr;
    words.push_back("--" + key + "=" +
                    (table != nullptr ? ParamTable(file, *table).text() : scalar_text(file, key, item)));
  }
}

/// Text outside ASCII in disguise: toml++ 3.3 runs into undefined behaviour on some characters, so it sees letters that
/// stand for them.
class Disguise {
 public:
  Disguise(const std::string& file, const std::string& text) {
    while (text.find(mark_) != std::string::npos) mark_ += 'x';
    for (std::size_t i = 0; i < text.size();) {
      const auto refuse = [&](std::string_view what) {
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
        reject("config", file, fmt::format("line {}: {}", line, what));
      };
      // TOML has no control characters, and toml++ 3.3 asserts that there are none in names of tables.
      if (std::iscntrl(static_cast<unsigned char>(text[i])) != 0 &&
          std::string_view("\t\r\n").find(text[i]) == std::string_view::npos) {
        refuse("a control character");
      }
      if (static_cast<unsigned char>(text[i]) < 128) {
        ascii_ += text[i++];
        continue;
      }
      const std::size_t length = length_of_character(std::string_view(text).substr(i));
      if (length == 0) refuse("a byte that is not UTF-8");
      for (const std::size_t end = i + length; i < end; ++i) {
        ascii_ += fmt::format("{}{:02x}", mark_, static_cast<unsigned char>(text[i]));
      }
    }
  }

  [[nodiscard]] const std::string& ascii() const { return ascii_; }

  [[nodiscard]] std::string lifted(const std::string& text) const {
    std::string plain;
    for (std::size_t i = 0; i < text.size();) {
      if (text.compare(i, mark_.size(), mark_) != 0) {
        plain += text[i++];
        continue;
      }
      plain += static_cast<char>(std::stoi(text.substr(i + mark_.size(), 2), nullptr, 16));
      i += mark_.size() + 2;
    }
    return plain;
  }

 private:
  std::string mark_ = "utf8x";
  std::string ascii_;
};

/// The parser calls itself for what is nested, by brackets or by dots in a key; options are flat.
void require_flat(const std::string& file, const std::string& text) {
  constexpr std::uintmax_t largest = 1 << 20U;
  constexpr int most = 64;
  if (text.size() > largest) reject("config", file, "it has more than a million bytes");
  int depth = 0;
  int dots = 0;
  for (const char c : text) {
    if (c == '\n' || c == '=') dots = 0;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (c == '.') ++dots;
    if (depth > most) reject("config", file, "its brackets are nested too deeply");
    if (dots > 1000) reject("config", file, "a line with more than a thousand dots");
  }
}

/// \throws std::invalid_argument for a key that is not an option of the command line, with the one that was probably
/// meant.
void require_option(const std::string& file, const std::string& key) {
  std::vector<std::string> names;
  for (const OptionInfo& row : option_table()) {
    if (!row.cli.empty()) names.push_back(row.cli);
  }
  if (std::find(names.begin(), names.end(), key) != names.end()) return;
  reject("config " + file, "'" + key + "'",
         "there is no such option" + suggestion(key, names) + "; 'surefoot minimize --help-all' lists those there are");
}

std::vector<std::string> words_of_config(const std::string& file) {
  std::string text = read_input_file("config", file);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // the mark that some editors put before UTF-8
  require_flat(file, text);
  const Disguise disguise(file, text);
  const toml::parse_result parsed = toml::parse(disguise.ascii(), file);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    reject("config", file,
           disguise.lifted(fmt::format("line {}: {}", error.source().begin.line, std::string(error.description()))));
  }
  std::vector<std::string> words;
  for (const auto& [key, node] : parsed.table()) {
    const std::string name = disguise.lifted(std::string(key.str()));
    if (name == "config" || name == "print-config" || name.empty()) {
      reject("config " + file, "'" + name + "'", "this key is not allowed in a file");
    }
    require_option(file, name);
    if (is_repeated(name)) {
      append_each(file, name, node, words);
    } else {
      append(file, name, node, words);
    }
  }
  for (std::string& word : words) word = disguise.lifted(word);
  return words;
}

/// Whether a word as --maxfevals=5 is an option with one of these names.
bool is_among(const std::vector<std::string>& names, const std::string& word) {
  const std::string key = word.substr(2, word.find('=') - 2);
  return std::any_of(option_table().begin(), option_table().end(), [&](const OptionInfo& row) {
    return row.cli == key && std::find(names.begin(), names.end(), row.name) != names.end();
  });
}

constexpr std::string_view origin_beginning = "surefoot minimize in ";

/// Whether a value may be written to a file as a number: it reads back as the same text.
bool is_number(const std::string& value) {
  const auto reads_back = [&](auto number) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    return error == std::errc() && end == value.data() + value.size() && std::isfinite(static_cast<double>(number)) &&
           text(number) == value;
  };
  return reads_back(std::int64_t{}) || (value.find('.') != std::string::npos && reads_back(double{}));
}

std::string quoted(const std::string& value) { return nlohmann::ordered_json(value).dump(); }

/// Writes numbers as numbers, lists of numbers as arrays, and everything else as text.
std::string toml_value(const std::string& value) {
  if (value == "true" || value == "false" || is_number(value)) return value;
  if (value.find(',') == std::string::npos) return quoted(value);
  std::string list;
  for (const std::string& item : CLI::detail::split(value, ',')) {
    if (!is_number(item)) return quoted(value);
    list += (list.empty() ? "" : ", ") + item;
  }
  return "[" + list + "]";
}

}  // namespace

std::vector<std::string> with_config(std::vector<std::string> words, const std::vector<std::string>& only) {
  const auto is_config = [](const std::string& word) { return word == "--config" || word.starts_with("--config="); };
  const auto at = std::find_if(words.begin(), words.end(), is_config);
  if (at == words.end()) return words;
  std::string file;
  auto rest = at;
  if (*at == "--config") {
    if (at + 1 == words.end()) throw std::invalid_argument("config: the file is missing");
    file = *(at + 1);
    rest = words.erase(at, at + 2);
  } else {
    file = at->substr(std::string("--config=").size());
    rest = words.erase(at);
  }
  if (file.empty()) reject("config", "''", "give a name, or leave the option out");
  if (std::find_if(rest, words.end(), is_config) != words.end()) {
    throw std::invalid_argument("config: only one file is allowed");
  }
  std::vector<std::string> all = words_of_config(file);
  if (!only.empty()) std::erase_if(all, [&](const std::string& word) { return !is_among(only, word); });
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

std::string to_text(const Origin& origin) {
  std::string text = std::string(origin_beginning) + origin.folder;
  for (const std::string& word : origin.words) text += '\0' + word;
  return text;
}

Origin origin_of_checkpoint(const std::string& file) {
  const std::string about = read_checkpoint(file).about;
  if (!about.starts_with(origin_beginning)) {
    reject("checkpoint", file, "it was not written by 'surefoot minimize'; load it with the library that saved it");
  }
  std::istringstream parts(about.substr(origin_beginning.size()));
  Origin origin;
  std::getline(parts, origin.folder, '\0');
  for (std::string word; std::getline(parts, word, '\0');) origin.words.push_back(word);
  return origin;
}

std::string as_toml(const CLI::App& command) {
  std::string toml;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string& key = option->get_lnames().front();
    if (key == "help" || key == "print-config" || key == "config") continue;
    if (is_repeated(key)) {
      std::string list;
      for (const std::string& item : option->results()) list += (list.empty() ? "" : ", ") + quoted(item);
      toml += fmt::format("{} = [{}]\n", key, list);
      continue;
    }
    const bool flag = option->get_expected_min() == 0;
    const std::string value = flag ? (option->as<bool>() ? "true" : "false") : toml_value(option->results().back());
    toml += fmt::format("{} = {}\n", key, value);
  }
  return toml;
}

}  // namespace surefoot::cli
