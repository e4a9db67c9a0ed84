#include "experiments/csv.hpp"

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace surefoot {

std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
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
