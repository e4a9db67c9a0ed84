#include "cli/integer_list.hpp"

#include <algorithm>
#include <charconv>

#include "core/invalid_option.hpp"

namespace surefoot::cli {
namespace {

int integer_of(const std::string& option, const std::string& list, const std::string& text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 1 || value > 1000000) {
    reject(option, "'" + list + "'", "write positive integers and ranges, as in 1-5,8");
  }
  return value;
}

}  // namespace

std::vector<int> integer_list(const std::string& option, const std::string& list) {
  std::vector<int> values;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string item = list.substr(at, end - at);
    const std::size_t dash = item.find('-');
    const int first = integer_of(option, list, item.substr(0, dash));
    const int last = dash == std::string::npos ? first : integer_of(option, list, item.substr(dash + 1));
    if (last < first) reject(option, "'" + list + "'", "a range must go upwards");
    for (int value = first; value <= last; ++value) values.push_back(value);
    at = end + 1;
  }
  return values;
}

}  // namespace surefoot::cli
