#include "driver/number_list.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/invalid_option.hpp"
#include "core/printable_text.hpp"
#include "driver/input_file.hpp"
#include "driver/space/space_text.hpp"
#include "surefoot/start.hpp"

namespace surefoot {

std::vector<double> numbers_of(const std::string& option, const std::string& list) {
  std::vector<double> numbers;
  std::size_t at = 0;
  while (at <= list.size() && !list.empty()) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string item = list.substr(at, end - at);
    item.erase(0, item.find_first_not_of(' '));
    item.erase(item.find_last_not_of(' ') + 1);
    const std::optional<double> number = number_in(item);
    if (!number) {
      reject(option, "'" + list + "'", "'" + item + "' is not a number; write numbers separated by commas");
    }
    numbers.push_back(*number);
    at = end + 1;
  }
  return numbers;
}

Vector vector_of(const std::string& option, const std::string& list) {
  return Point(numbers_of(option, list)).vector();
}

Vector point_of(const std::string& option, const std::string& given) {
  if (!given.starts_with('@')) return vector_of(option, given);
  const std::vector<Vector> lines = points_of(option, given.substr(1));
  const auto is_number = [](const Vector& line) { return line.size() == 1; };
  if (lines.size() == 1) return lines.front();
  if (!std::all_of(lines.begin(), lines.end(), is_number)) {
    reject(option, "'" + given + "'", "the file must have one point, in one line or with a number a line");
  }
  Vector point(static_cast<Index>(lines.size()));
  for (Index j = 0; j < point.size(); ++j) point[j] = lines[static_cast<std::size_t>(j)][0];
  return point;
}

std::vector<Vector> points_of(const std::string& option, const std::string& file) {
  std::istringstream in(read_input_file(option, file));
  const std::string place = option + " " + file + ", line ";
  std::vector<Vector> points;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find('\0') != std::string::npos) {
      reject(place + text(number), "'" + printable_line(line.substr(0, 40)) + "'",
             "it has a NUL byte, so the file is not a text; write numbers separated by commas or blanks");
    }
    line.erase(std::min(line.find('#'), line.size()));
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return std::isspace(c) != 0 || c == ','; }, ' ');
    std::istringstream words(line);
    std::string list;
    for (std::string word; words >> word;) list += (list.empty() ? "" : ",") + word;
    if (!list.empty()) points.push_back(vector_of(place + text(number), list));
  }
  if (points.empty()) reject(option, "'" + file + "'", "it holds no point; write one per line, as 1,2,3");
  return points;
}

}  // namespace surefoot
