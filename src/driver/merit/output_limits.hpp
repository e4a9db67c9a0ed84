#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "surefoot/limit.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

// Limits as constraints g <= 0, one for each finite side, the lower one first. g is the distance from the side divided
// by the scale of the limit: the distance of two sides, or else the side itself. So limits in volts and in amperes are
// worth about the same.

/// The limit that a text such as gain=39.5..40.5, vc=6.., vc=..7, vc<=7 or vc>=6 describes.
/// \throws std::invalid_argument naming the text and what is allowed.
Limit limit_from_text(const std::string& text);

/// Adds a limit to others. Two sides of one output become one limit. \throws for a side that is there already.
void add_limit(const Limit& limit, std::vector<Limit>& limits);

/// "gain = 39.5..40.5", "vc >= 6" or "vc <= 7".
std::string text_of(const Limit& limit);

double scale_of(const Limit& limit);

/// The names of the constraints: "gain >= 39.5", "gain <= 40.5".
std::vector<std::string> constraint_names_of(const std::vector<Limit>& limits);

/// Appends the constraints of an output with this value.
void append_constraints(const Limit& limit, double value, std::vector<double>& g);

/// How a limit is met at a point.
struct LimitState {
  Limit limit;
  double value = 0;                       // of the output
  double excess = 0;                      // by how much the value is beyond the nearest side; 0: it is met
  std::optional<double> multiplier = {};  // by how much f would fall if the side that counts moved by 1
};

/// \param g the values of the constraints, \param multipliers theirs, or none.
std::vector<LimitState> states_of(const std::vector<Limit>& limits, std::span<const double> g,
                                  const Vector& multipliers);

}  // namespace surefoot
