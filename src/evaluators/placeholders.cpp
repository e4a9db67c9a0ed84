#include "evaluators/placeholders.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/edit_distance.hpp"
#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

constexpr std::array<const char*, 4> own_names = {"x", "id", "dir", "here"};

/// Calls replace(name) for every {name}, and puts its answer in place; what has none stays as it is.
template <class Replace>
std::string replace_braces(const std::string& text, const Replace& replace) {
  std::string out;
  std::size_t at = 0;
  for (auto open = text.find('{'); open != std::string::npos; open = text.find('{', at)) {
    const auto close = text.find('}', open);
    if (close == std::string::npos) break;
    const std::optional<std::string> value = replace(text.substr(open + 1, close - open - 1));
    const std::size_t next = value ? close + 1 : open + 1;  // a pair of braces may hold another one
    out.append(text, at, open - at).append(value ? *value : "{");
    at = next;
  }
  return out.append(text, at);
}

/// The number in x0, x1, ...; empty for other names.
std::optional<Index> coordinate_of(const std::string& name) {
  Index j = 0;
  if (name.size() < 2 || name[0] != 'x') return std::nullopt;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), j);
  if (error != std::errc() || end != name.data() + name.size() || j < 0) return std::nullopt;
  return j;
}

}  // namespace

Placeholders::Placeholders(Space space) : space_(std::move(space)), here_(std::filesystem::current_path().string()) {}

bool Placeholders::knows(const std::string& name) const {
  return std::find(own_names.begin(), own_names.end(), name) != own_names.end() || coordinate_of(name) ||
         space_.find(name);
}

std::string Placeholders::known() const {
  std::string sentence = "known are {x}, {x0}, {x1}, ..., {id}, {dir}, {here}";
  if (!space_.empty()) sentence += " and the parameters " + listed(parameter_names(space_, space_.size()));
  return sentence;
}

std::optional<std::string> Placeholders::like(const std::string& name) const {
  return meant_by(name, parameter_names(space_, space_.size()));
}

std::vector<Index> Placeholders::coordinates_of(const std::string& name, Index dimension) const {
  if (const auto named = space_.find(name)) return {*named};
  if (const auto numbered = coordinate_of(name)) return {*numbered};
  std::vector<Index> all;
  for (Index j = 0; name == "x" && j < dimension; ++j) all.push_back(j);
  return all;
}

std::string Placeholders::value(const std::string& name, const ProgramCandidate& candidate) const {
  const Vector& x = candidate.x;
  if (const auto named = space_.find(name)) return parameter_text(space_, *named, x[*named]);
  if (name == "x") return joined_values(space_, x, ',');
  if (name == "id") return candidate.id;
  if (name == "dir") return candidate.folder().string();
  if (name == "here") return here_;
  const Index j = coordinate_of(name).value_or(-1);
  if (j < 0 || j >= x.size()) {
    reject("placeholder", "'{" + name + "}'", "there are " + text(x.size()) + " coordinates");
  }
  return parameter_text(space_, j, x[j]);
}

void Placeholders::check(const std::string& option, const std::string& text) const {
  replace_braces(text, [&](const std::string& name) -> std::optional<std::string> {
    if (!knows(name)) reject(option, "'{" + name + "}'", known());
    return "";
  });
}

void Placeholders::check_command(const std::string& word) const {
  replace_braces(word, [&](const std::string& name) -> std::optional<std::string> {
    const auto meant = knows(name) ? std::nullopt : like(name);
    if (meant) reject("command", "'{" + name + "}'", "there is no such parameter; did you mean {" + *meant + "}?");
    return std::nullopt;
  });
}

std::string Placeholders::filled(const std::string& text, const ProgramCandidate& candidate) const {
  return replace_braces(text, [&](const std::string& name) -> std::optional<std::string> {
    return knows(name) ? std::optional(value(name, candidate)) : std::nullopt;
  });
}

std::vector<std::string> Placeholders::names_in(const std::string& text) const {
  std::vector<std::string> names;
  replace_braces(text, [&](const std::string& name) -> std::optional<std::string> {
    if (knows(name)) names.push_back(name);
    return std::nullopt;
  });
  return names;
}

std::string joined_values(const Space& space, const Vector& x, char separator) {
  std::string line;
  for (Index j = 0; j < x.size(); ++j) {
    if (j > 0) line += separator;
    line += parameter_text(space, j, x[j]);
  }
  return line;
}

std::string input_line(const Space& space, const Vector& x) {
  if (space.empty()) return joined_values(space, x, ' ');
  std::string line;
  for (Index j = 0; j < space.size(); ++j) {
    line.append(j > 0 ? " " : "").append(space[j].name).append(" ").append(parameter_text(space, j, x[j]));
  }
  return line;
}

}  // namespace surefoot
