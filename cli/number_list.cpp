#include "cli/number_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <sstream>

#include "core/invalid_option.hpp"
#include "surefoot/start.hpp"

namespace surefoot::cli {

std::vector<double> numbers_of(const std::string& option, const std::string& list) {
  std::vector<double> numbers;
  std::size_t at = 0;
  while (at <= list.size() && !list.empty()) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string item = list.substr(at, end - at);
    item.erase(0, item.find_first_not_of(' '));
    item.erase(item.find_last_not_of(' ') + 1);
    const std::string shown = item;
    if (item.size() > 1 && item[0] == '+' && item[1] != '-') item.erase(0, 1);
    double number = 0;
    const auto [stop, error] = std::from_chars(item.data(), item.data() + item.size(), number);
    if (error != std::errc() || stop != item.data() + item.size() || item.empty()) {
      reject(option, "'" + list + "'", fmt::format("'{}' is no number; write numbers separated by commas", shown));
    }
    numbers.push_back(number);
    at = end + 1;
  }
  return numbers;
}

Vector vector_of(const std::string& option, const std::string& list) {
  return Point(numbers_of(option, list)).vector();
}

std::vector<Vector> points_of(const std::string& option, const std::string& file) {
  std::ifstream in(file);
  if (!in) reject(option, "'" + file + "'", "the file cannot be read");
  std::vector<Vector> points;
  for (std::string line; std::getline(in, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return std::isspace(c) != 0 || c == ','; }, ' ');
    std::istringstream words(line);
    std::string list;
    for (std::string word; words >> word;) list += (list.empty() ? "" : ",") + word;
    if (!list.empty()) points.push_back(vector_of(option, list));
  }
  if (points.empty()) reject(option, "'" + file + "'", "it holds no point; write one a line, as 1,2,3");
  return points;
}

}  // namespace surefoot::cli
