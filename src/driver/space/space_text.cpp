#include "driver/space/space_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/edit_distance.hpp"
#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

constexpr const char* forms =
    "write real(LOW,HIGH), int(LOW,HIGH), grid(V1,V2,...), choice(NAME1,NAME2,...) or a number; log, start=X and "
    "sigma=X may follow";

std::string trimmed_word(const std::string& word) {
  const auto first = word.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return word.substr(first, word.find_last_not_of(" \t") - first + 1);
}

/// Without the quotes around it.
std::string unquoted(const std::string& word) {
  if (word.size() < 2 || word.front() != '\'' || word.back() != '\'') return word;
  std::string plain;
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    if (word[i] == '\\' && i + 2 < word.size()) ++i;
    plain += word[i];
  }
  return plain;
}

/// Reads the items of one parameter.
class ParameterReader {
 public:
  ParameterReader(const std::string& text, std::string name) : text_(text) { p_.name = std::move(name); }

  Parameter read(const std::string& body) {
    const auto open = body.find('(');
    if (open == std::string::npos || body.back() != ')') {
      const auto value = engineering_number(body);
      if (!value) refuse();
      p_.kind = Parameter::Kind::fixed;
      p_.start = value;
      return p_;
    }
    read_kind(trimmed_word(body.substr(0, open)));
    const std::string list = body.substr(open + 1, body.size() - open - 2);
    if (!trimmed_word(list).empty()) {
      for (const std::string& item : split_outside_quotes(list, ',')) read_item(trimmed_word(item));
    }
    finish();
    return p_;
  }

 private:
  [[noreturn]] void refuse(const std::string& allowed = forms) const {
    reject("parameter " + p_.name, "'" + text_ + "'", allowed);
  }

  void read_kind(const std::string& word) {
    if (word == "real" || word == "float") {
      p_.kind = Parameter::Kind::real;
    } else if (word == "int" || word == "integer") {
      p_.kind = Parameter::Kind::integer;
    } else if (word == "grid") {
      p_.kind = Parameter::Kind::grid;
    } else if (word == "choice") {
      p_.kind = Parameter::Kind::choice;
    } else if (word == "fixed") {
      p_.kind = Parameter::Kind::fixed;
    } else {
      refuse("there is no '" + word + "'; " + forms + suggestion(word, {"real", "int", "grid", "choice", "fixed"}));
    }
  }

  [[nodiscard]] double number(const std::string& word) const {
    const auto value = engineering_number(word);
    if (!value) {
      if (word.ends_with('M') && number_in(word.substr(0, word.size() - 1))) {
        refuse("'" + word + "' may be mega or milli; write " + word.substr(0, word.size() - 1) + "meg or " +
               word.substr(0, word.size() - 1) + "m");
      }
      refuse("'" + word + "' is not a number; " + forms +
             suggestion(word.substr(0, word.find('=')), {"log", "start", "sigma"}));
    }
    constexpr std::string_view largest = "9007199254740992";  // 2^53, to which 2^53 + 1 would be rounded
    const bool is_largest = p_.kind == Parameter::Kind::integer && std::abs(*value) == 9007199254740992;
    if (is_largest && !word.ends_with(largest)) {
      refuse("'" + word + "' is beyond the integers that a double has: limits are from -2^53 to 2^53, " +
             std::string(largest));
    }
    return *value;
  }

  void read_item(const std::string& item) {
    const bool is_choice = p_.kind == Parameter::Kind::choice;
    if (item == "log" && !is_choice) {
      p_.log = true;
    } else if (item.starts_with("start=")) {
      start_ = item.substr(6);
    } else if (item.starts_with("sigma=") && !is_choice) {
      p_.sigma = number(item.substr(6));
    } else if (is_choice) {
      p_.choices.push_back(unquoted(item));
    } else if (p_.log || !start_.empty() || p_.sigma) {
      refuse("'" + item + "' must come before log, start and sigma");
    } else {
      numbers_.push_back(number(item));
    }
  }

  void finish() {
    switch (p_.kind) {
      case Parameter::Kind::grid: p_.values = numbers_; break;
      case Parameter::Kind::choice: break;
      case Parameter::Kind::fixed:
        if (numbers_.size() != 1) refuse("fixed needs one number");
        p_.start = numbers_.front();
        break;
      default:
        if (numbers_.size() != 2 && !numbers_.empty())
          refuse("it needs two limits, LOW and HIGH; write inf for no limit");
        if (!numbers_.empty()) p_.low = numbers_[0];
        if (!numbers_.empty()) p_.high = numbers_[1];
    }
    if (start_.empty()) return;
    p_.start = p_.kind == Parameter::Kind::choice ? p_.parse(unquoted(start_)) : number(start_);
  }

  const std::string& text_;
  Parameter p_;
  std::vector<double> numbers_;
  std::string start_;
};

}  // namespace

std::optional<double> number_in(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<double> engineering_number(std::string_view word) {
  struct Suffix {
    std::string_view word;
    std::string_view exponent;
  };
  constexpr std::array<Suffix, 14> suffixes = {{{"meg", "e6"},
                                                {"Meg", "e6"},
                                                {"MEG", "e6"},
                                                {"f", "e-15"},
                                                {"p", "e-12"},
                                                {"n", "e-9"},
                                                {"u", "e-6"},
                                                {"m", "e-3"},
                                                {"k", "e3"},
                                                {"K", "e3"},
                                                {"g", "e9"},
                                                {"G", "e9"},
                                                {"t", "e12"},
                                                {"T", "e12"}}};
  for (const Suffix& suffix : suffixes) {
    if (!word.ends_with(suffix.word)) continue;
    const std::string_view digits = word.substr(0, word.size() - suffix.word.size());
    if (digits.empty() || digits.find_first_not_of("+-.0123456789") != std::string_view::npos) break;
    return number_in(std::string(digits).append(suffix.exponent));
  }
  return number_in(word);
}

std::vector<std::string> split_outside_quotes(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  bool is_quoted = false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted && c == '\\' && i + 1 < text.size()) {
      parts.back() += c;
      parts.back() += text[++i];
      continue;
    }
    if (c == '\'') is_quoted = !is_quoted;
    if (!is_quoted && c == '(') ++depth;
    if (!is_quoted && c == ')') --depth;
    if (c == separator && !is_quoted && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Parameter parameter_from_text(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) reject("parameter", "'" + text + "'", "write NAME=real(LOW,HIGH)");
  return ParameterReader(text, trimmed_word(text.substr(0, equals))).read(trimmed_word(text.substr(equals + 1)));
}

}  // namespace surefoot
