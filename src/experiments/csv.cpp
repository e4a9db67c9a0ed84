#include "experiments/csv.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace surefoot {

std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

double csv_number(const std::string& field) {
  double value = 0;
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc{} || stop != end) throw std::invalid_argument("'" + field + "' is no number");
  return value;
}

}  // namespace surefoot
