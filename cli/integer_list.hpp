#pragma once

#include <string>
#include <vector>

namespace surefoot::cli {

/// "1-5,8" as 1, 2, 3, 4, 5, 8.
/// \throws std::invalid_argument unless they are positive integers and ranges.
std::vector<int> integer_list(const std::string& option, const std::string& list);

/// The same as another type of integer.
template <class T>
std::vector<T> integer_list_of(const std::string& option, const std::string& list) {
  const std::vector<int> values = integer_list(option, list);
  return {values.begin(), values.end()};
}

}  // namespace surefoot::cli
