#include "cli/fit_data.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "core/invalid_option.hpp"
#include "simulators/table_column.hpp"

namespace surefoot::cli {
namespace {

std::vector<double> fit_column(const std::string& file, const std::string& table, const std::string& column) {
  std::vector<double> numbers;
  const std::string why = append_column(table, column, numbers);
  if (!why.empty()) throw std::invalid_argument("data: " + file + ": " + why);
  return numbers;
}

Vector as_vector(const std::vector<double>& numbers) {
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

/// Whether the first line that counts has two cells.
bool has_deviations(const std::string& table) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string::npos && line[first] != '#') return cells_of(line.substr(first)).size() > 1;
  }
  return false;
}

}  // namespace

FitData read_fit_data(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::invalid_argument("data: " + file + " cannot be read");
  std::ostringstream content;
  content << in.rdbuf();
  const std::string table = content.str();
  FitData data{as_vector(fit_column(file, table, "1")), {}};
  data.sigma = Vector::Ones(data.values.size());
  if (has_deviations(table)) data.sigma = as_vector(fit_column(file, table, "2"));
  if (data.sigma.size() != data.values.size()) {
    throw std::invalid_argument("data: " + file + ": give each value a standard deviation, or none");
  }
  for (const double sigma : data.sigma) require_positive("data: standard deviation", sigma);
  if (!data.values.allFinite()) throw std::invalid_argument("data: " + file + ": values must be finite");
  return data;
}

}  // namespace surefoot::cli
