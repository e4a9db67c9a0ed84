#pragma once

#include <string>

#include "surefoot/types.hpp"

namespace surefoot::cli {

/// Measured values and their standard deviations, which are 1 where the file has none.
struct FitData {
  Vector values;
  Vector sigma;
};

/// Reads a table with the value in the first column and, if there is a second one, its standard deviation. Lines that
/// begin with # and a first line of names are left out.
/// \throws std::invalid_argument naming the file and the line.
FitData read_fit_data(const std::string& file);

}  // namespace surefoot::cli
