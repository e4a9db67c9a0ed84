#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// A constant of a policy under the name that texts use for it. A shorthand may set several constants.
struct Slot {
  using Target = std::variant<double*, std::optional<double>*, PathFrame*, RateCoupling*>;
  std::string key;
  std::vector<Target> targets;
};

using Slots = std::vector<Slot>;

/// `name`, `name:value` or `name:key=value,key=value`.
class PolicyText {
 public:
  explicit PolicyText(std::string_view text);

  [[nodiscard]] const std::string& name() const { return name_; }

  /// Writes the given values to the slots. A value without a key belongs to the first slot.
  /// \throws std::invalid_argument for an unknown key, with the keys there are, or for a value that is none.
  void assign(const Slots& slots) const;

 private:
  std::string name_;
  std::vector<std::pair<std::string, std::string>> items_;
};

/// "factor, eta, ..." for help texts and messages.
std::string list_keys(const Slots& slots);

/// The shortest text that `assign` turns into these values, given the slots of a default-constructed policy.
std::string policy_text(std::string_view name, const Slots& slots, const Slots& defaults);

}  // namespace surefoot
