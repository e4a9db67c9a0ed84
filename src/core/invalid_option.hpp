#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace surefoot {

/// The one form of a message about wrong input: option, value, what is allowed.
template <class Value>
[[noreturn]] void reject(std::string_view option, const Value& value, std::string_view allowed) {
  throw std::invalid_argument(fmt::format("{} = {} is not allowed: {}", option, value, allowed));
}

/// \throws std::invalid_argument unless value > 0 and finite.
double require_positive(std::string_view option, double value);

}  // namespace surefoot
