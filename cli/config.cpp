#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "cli/commands.hpp"
#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "driver/checkpoint/checkpointer.hpp"

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
  const std::string plain = scalar_text(file, "param", node);
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

/// A table of [[param]] as the text of --param.
std::string text_of_param(const std::string& file, const toml::table& table) {
  std::string name;
  std::string type = table.contains("type") ? scalar_text(file, "param.type", *table.get("type")) : "real";
  std::string limits;
  std::string rest;
  for (const auto& [key, node] : table) {
    const std::string word(key.str());
    if (word == "name") {
      name = scalar_text(file, "param.name", node);
    } else if (word == "type" || word == "low" || word == "high") {
      continue;
    } else if (word == "values" && node.is_array()) {
      for (const toml::node& item : *node.as_array()) {
        limits.append(limits.empty() ? "" : ",").append(item_text(file, item, type == "choice"));
      }
    } else if (word == "log" && node.is_boolean()) {
      if (node.as_boolean()->get()) rest = ",log" + rest;
    } else if (word == "start" || word == "sigma") {
      rest.append(",").append(word).append("=").append(item_text(file, node, type == "choice"));
    } else if (word == "value") {
      type = "fixed";
      limits = scalar_text(file, "param.value", node);
    } else {
      reject("config " + file + ": param", "'" + word + "'",
             "its keys are name, type, low, high, log, start, sigma, values and value");
    }
  }
  if (table.contains("low") || table.contains("high")) {
    const auto limit = [&](const char* key, const char* none) {
      return table.contains(key) ? scalar_text(file, std::string("param.") + key, *table.get(key)) : none;
    };
    limits = limit("low", "-inf") + "," + limit("high", "inf");
  }
  if (limits.empty() && !rest.empty()) rest.erase(0, 1);
  return name + "=" + type + "(" + limits + rest + ")";
}

/// [[param]] tables, or a list of texts.
void append_params(const std::string& file, const toml::node& node, std::vector<std::string>& words) {
  const toml::array* list = node.as_array();
  if (list == nullptr) {
    words.push_back("--param=" + scalar_text(file, "param", node));
    return;
  }
  for (const toml::node& item : *list) {
    const toml::table* table = item.as_table();
    words.push_back("--param=" + (table != nullptr ? text_of_param(file, *table) : scalar_text(file, "param", item)));
  }
}

/// Refuses characters outside ASCII, because toml++ 3.3 runs into undefined behaviour on some of them. In strings they
/// can be escaped.
void require_ascii(const std::string& file, const std::string& text) {
  const auto strange =
      std::find_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > 127; });
  if (strange == text.end()) return;
  const auto line = 1 + std::count(text.begin(), strange, '\n');
  reject("config", file, fmt::format("line {}: a character outside ASCII; write it as \\uXXXX in a string", line));
}

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

std::vector<std::string> words_of_config(const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) reject("config", file, "there is no such file");
  const std::string text = read_file(file);
  require_ascii(file, text);
  require_flat(file, text);
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    reject("config", file, fmt::format("line {}: {}", error.source().begin.line, std::string(error.description())));
  }
  std::vector<std::string> words;
  for (const auto& [key, node] : parsed.table()) {
    const std::string name(key.str());
    if (name == "config" || name == "print-config" || name.empty()) {
      reject("config " + file, "'" + name + "'", "this key cannot stand in a file");
    }
    if (name == "param") {
      append_params(file, node, words);
    } else {
      append(file, name, node, words);
    }
  }
  return words;
}

constexpr std::string_view origin_beginning = "surefoot minimize in ";

bool is_number(const std::string& value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size() && !value.empty();
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

std::vector<std::string> with_config(std::vector<std::string> words) {
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
  if (std::find_if(rest, words.end(), is_config) != words.end()) {
    throw std::invalid_argument("config: only one file is allowed");
  }
  std::vector<std::string> all = words_of_config(file);
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
    if (key == "param") {
      std::string list;
      for (const std::string& param : option->results()) list += (list.empty() ? "" : ", ") + quoted(param);
      toml += fmt::format("param = [{}]\n", list);
      continue;
    }
    const bool flag = option->get_expected_min() == 0;
    const std::string value = flag ? (option->as<bool>() ? "true" : "false") : toml_value(option->results().back());
    toml += fmt::format("{} = {}\n", key, value);
  }
  return toml;
}

}  // namespace surefoot::cli
