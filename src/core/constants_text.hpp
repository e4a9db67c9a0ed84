#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/methods/cma/cma_form.hpp"
#include "core/methods/igo/igo_form.hpp"
#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// A constant of a method or policy under the name that texts use for it. A shorthand may set several constants.
struct Slot {
  using Target = std::variant<double*, std::optional<double>*, PathFrame*, RateCoupling*, CmaForm*, IgoForm*>;
  std::string key;
  std::vector<Target> targets;
};

using Slots = std::vector<Slot>;

/// `name`, `name:value` or `name:key=value,key=value`. Semicolons separate too, for lists in which commas are taken.
class ConstantsText {
 public:
  /// `option` is what the text was given for, for messages: "learning_rate", "method".
  ConstantsText(std::string_view option, std::string_view text);

  [[nodiscard]] const std::string& name() const { return name_; }

  /// Writes the given values to the slots. A value without a key belongs to the first slot.
  /// \throws std::invalid_argument for an unknown key, with the known keys, or for an invalid value.
  void assign(const Slots& slots) const;

 private:
  std::string option_;
  std::string name_;
  std::vector<std::pair<std::string, std::string>> items_;
};

/// "factor, eta, ..." for help texts and messages.
std::string list_keys(const Slots& slots);

/// The shortest text that `assign` turns into these values, given the slots of default-constructed constants.
std::string constants_text(std::string_view name, const Slots& slots, const Slots& defaults);

}  // namespace surefoot
