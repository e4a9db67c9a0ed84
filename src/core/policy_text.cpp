#include "core/policy_text.hpp"

#include <algorithm>
#include <charconv>

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

double number_from(const std::string& option, const std::string& given) {
  double value = 0;
  const char* end = given.data() + given.size();
  const auto [stop, error] = std::from_chars(given.data(), end, value);
  if (error != std::errc{} || stop != end) reject(option, "'" + given + "'", "it must be a number");
  return value;
}

PathFrame frame_from(const std::string& option, const std::string& text) {
  if (text == "symmetric") return PathFrame::symmetric_root;
  if (text == "B") return PathFrame::B;
  reject(option, "'" + text + "'", "it must be 'symmetric' or 'B'");
}

void set(const Slot::Target& target, const std::string& option, const std::string& text) {
  if (PathFrame* const* frame = std::get_if<PathFrame*>(&target)) {
    **frame = frame_from(option, text);
  } else if (double* const* number = std::get_if<double*>(&target)) {
    **number = number_from(option, text);
  } else {
    *std::get<std::optional<double>*>(target) = number_from(option, text);
  }
}

/// Empty for an optional constant that is not given.
std::string get(const Slot::Target& target) {
  if (PathFrame* const* frame = std::get_if<PathFrame*>(&target)) return **frame == PathFrame::B ? "B" : "symmetric";
  if (double* const* number = std::get_if<double*>(&target)) return text(**number);
  const auto& optional = *std::get<std::optional<double>*>(target);
  return optional ? text(*optional) : "";
}

}  // namespace

PolicyText::PolicyText(std::string_view text) : name_(text.substr(0, text.find(':'))) {
  if (name_.size() == text.size()) return;
  std::string_view rest = text.substr(name_.size() + 1);
  while (true) {
    const std::string_view item = rest.substr(0, rest.find(','));
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

void PolicyText::assign(const Slots& slots) const {
  for (const auto& [key, value] : items_) {
    const auto slot = std::find_if(slots.begin(), slots.end(),
                                   [&, &key = key](const Slot& s) { return key.empty() || s.key == key; });
    if (slot == slots.end()) {
      reject("learning_rate " + name_ + ": key", "'" + key + "'", "known keys are " + list_keys(slots));
    }
    for (const Slot::Target& target : slot->targets) {
      set(target, "learning_rate " + name_ + ": " + slot->key, value);
    }
  }
}

std::string list_keys(const Slots& slots) {
  std::vector<std::string> keys(slots.size());
  std::transform(slots.begin(), slots.end(), keys.begin(), [](const Slot& slot) { return slot.key; });
  return listed(keys);
}

std::string policy_text(std::string_view name, const Slots& slots, const Slots& defaults) {
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
