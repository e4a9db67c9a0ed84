#include "experiments/csv.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace surefoot {
namespace {

template <class Number>
bool read_number(const std::string& field, Number& value) {
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  return error == std::errc{} && stop == end;
}

}  // namespace

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
  if (!read_number(field, value)) throw std::invalid_argument("'" + field + "' is not a number");
  return value;
}

std::int64_t csv_count(const std::string& field) {
  std::int64_t value = 0;
  if (!read_number(field, value) || value < 0) throw std::invalid_argument("'" + field + "' is not a count");
  return value;
}

}  // namespace surefoot
