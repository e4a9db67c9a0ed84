#pragma once

#include <span>
#include <string>
#include <vector>

#include "driver/trace/json_line.hpp"
#include "surefoot/limit.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {

// What a trace tells about its search beyond numbers of generations. All of it is a function of the search, so that a
// search which was interrupted writes the same bytes: nothing here knows workers, budgets that may be raised, or times.

/// Coordinates in each line; the end has more.
inline constexpr Index coordinates_of_a_line = 20;
inline constexpr Index coordinates_of_the_end = 50;

/// A number with six significant digits: enough for a picture.
[[nodiscard]] double short_number(double value);

/// What a search does not know about itself; all of it may be empty.
struct SearchWords {
  const std::string& objective;
  const std::string& command;          // repeats the search
  std::span<const Limit> limits = {};  // that inequalities stand for
};

/// What is searched and how: `about` of the first line.
[[nodiscard]] JsonLine about_search(const Optimizer& search, const SearchWords& words);

/// Where the search is: `x`, `mean`, `stds`, and correlations now and then. For the line of a generation.
void add_place(JsonLine& line, const Optimizer& search);

/// How it ended, with the best point: `end` of the last line.
[[nodiscard]] JsonLine end_of_search(const Optimizer& search);

}  // namespace surefoot
