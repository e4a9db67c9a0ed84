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

/// All values, f first, then g, then h, in the order of outcomes, journals, messages and programs.
std::vector<double> values_of(const Evaluation& evaluation);

/// Why these values are a failed evaluation: one is NaN or -infinity. Empty if all are valid. `names` are those of the
/// constraints; without names they are numbered from 1.
std::string defect_of(std::span<const double> values, std::span<const std::string> names = {});

}  // namespace surefoot
