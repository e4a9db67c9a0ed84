#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/invalid_option.hpp"

namespace surefoot {

inline bool contains(const std::vector<std::string>& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// \throws std::invalid_argument for an empty list, or one that names something twice.
template <class T>
void require_distinct(const char* option, const std::vector<T>& values) {
  if (values.empty()) reject(option, "an empty list", "name at least one");
  if (std::set<T>(values.begin(), values.end()).size() != values.size()) {
    reject(option, "a list of " + std::to_string(values.size()), "each may be named once only");
  }
}

}  // namespace surefoot
