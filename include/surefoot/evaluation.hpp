#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// What an objective with constraints returns.

#include <span>
#include <string>
#include <vector>

namespace surefoot {

/// f and the values of the constraints.
///
///     return surefoot::Evaluation{.f = cost, .g = {stress - limit, mass - 3}};
struct Evaluation {
  double f = 0;
  std::vector<double> g = {};  // inequalities: g <= 0 is wanted
  std::vector<double> h = {};  // equalities: h = 0 is wanted
};

/// All values in a row, f first, then g, then h: as outcomes, journals, messages and programs know them.
std::vector<double> values_of(const Evaluation& evaluation);

/// Why such values are no outcome: NaN or -infinity is among them. Empty if they are one. `names` are those of the
/// constraints; without them they have numbers, from 1.
std::string defect_of(std::span<const double> values, std::span<const std::string> names = {});

}  // namespace surefoot
