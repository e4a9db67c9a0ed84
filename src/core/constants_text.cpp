#include "core/constants_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <type_traits>

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

/// The words for a choice, in the order of its enumeration.
template <class Choice>
constexpr std::array<std::string_view, 0> words = {};
template <>
constexpr std::array<std::string_view, 2> words<PathFrame> = {"symmetric", "B"};
template <>
constexpr std::array<std::string_view, 2> words<RateCoupling> = {"one", "separate"};
template <>
constexpr std::array<std::string_view, 2> words<CmaForm> = {"authors", "cmaes"};
template <>
constexpr std::array<std::string_view, 4> words<IgoForm> = {"rank-mu", "igo", "ml", "gigo"};

/// "'a', 'b' or 'c'".
std::string alternatives(std::span<const std::string_view> all) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += i == 0 ? "" : i + 1 == all.size() ? " or " : ", ";
    text += "'" + std::string(all[i]) + "'";
  }
  return text;
}

void read(const std::string& option, const std::string& given, double& value) {
  const char* end = given.data() + given.size();
  const auto [stop, error] = std::from_chars(given.data(), end, value);
  if (error != std::errc{} || stop != end) reject(option, "'" + given + "'", "it must be a number");
}

void read(const std::string& option, const std::string& given, std::optional<double>& value) {
  read(option, given, value.emplace());
}

template <class Choice>
requires std::is_enum_v<Choice>
void read(const std::string& option, const std::string& given, Choice& value) {
  const auto found = std::find(words<Choice>.begin(), words<Choice>.end(), given);
  if (found == words<Choice>.end()) reject(option, "'" + given + "'", "it must be " + alternatives(words<Choice>));
  value = static_cast<Choice>(found - words<Choice>.begin());
}

/// Empty for an optional constant that is not given.
std::string written(double value) { return text(value); }
std::string written(const std::optional<double>& value) { return value ? text(*value) : ""; }
template <class Choice>
requires std::is_enum_v<Choice> std::string written(Choice value) {
  return std::string(words<Choice>[static_cast<std::size_t>(value)]);
}

void set(const Slot::Target& target, const std::string& option, const std::string& text) {
  std::visit([&](auto* value) { read(option, text, *value); }, target);
}

std::string get(const Slot::Target& target) {
  return std::visit([](const auto* value) { return written(*value); }, target);
}

}  // namespace

ConstantsText::ConstantsText(std::string_view option, std::string_view text)
    : option_(option), name_(text.substr(0, text.find(':'))) {
  if (name_.size() == text.size()) return;
  std::string_view rest = text.substr(name_.size() + 1);
  while (true) {
    const std::string_view item = rest.substr(0, rest.find_first_of(",;"));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      items_.emplace_back("", item);
    } else {
      items_.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    }
    if (item.size() == rest.size()) return;
    rest.remove_prefix(item.size() + 1);
  }
}

void ConstantsText::assign(const Slots& slots) const {
  for (const auto& [key, value] : items_) {
    const auto slot = std::find_if(slots.begin(), slots.end(),
                                   [&, &key = key](const Slot& s) { return key.empty() || s.key == key; });
    if (slot == slots.end()) {
      const std::string shown = key.empty() ? value : key;
      reject(option_ + " " + name_ + ": key", "'" + shown + "'",
             slots.empty() ? "there are no keys" : "known keys are " + list_keys(slots));
    }
    for (const Slot::Target& target : slot->targets) {
      set(target, option_ + " " + name_ + ": " + slot->key, value);
    }
  }
}

std::string list_keys(const Slots& slots) {
  std::vector<std::string> keys(slots.size());
  std::transform(slots.begin(), slots.end(), keys.begin(), [](const Slot& slot) { return slot.key; });
  return listed(keys);
}

std::string constants_text(std::string_view name, const Slots& slots, const Slots& defaults) {
  std::string result(name);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].targets.size() > 1) continue;  // a shorthand; its constants have slots of their own
    const std::string value = get(slots[i].targets.front());
    if (value == get(defaults[i].targets.front())) continue;
    result += (result.size() == name.size() ? ":" : ",") + slots[i].key + "=" + value;
  }
  return result;
}

}  // namespace surefoot
