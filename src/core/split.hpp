#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace surefoot {

/// Parts of a text between separators, one more than there are separators; parts may be empty.
inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace surefoot
