#pragma once

#include <string>
#include <vector>

namespace surefoot::cli {

/// Reads a list: "1-5,8" is 1, 2, 3, 4, 5, 8.
/// \throws std::invalid_argument unless the text has positive integers and ranges of them.
std::vector<int> integer_list(const std::string& option, const std::string& list);

/// The same list with another type of integer.
template <class T>
std::vector<T> integer_list_of(const std::string& option, const std::string& list) {
  const std::vector<int> values = integer_list(option, list);
  return {values.begin(), values.end()};
}

}  // namespace surefoot::cli
