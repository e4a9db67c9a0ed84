#pragma once

#include "surefoot/options.hpp"
#include "surefoot/start.hpp"

namespace surefoot {

// What the optimizer tests before anything else. All throw std::invalid_argument naming the option, its value and what
// is allowed.

/// What the counters of the normals can tell apart.
inline constexpr Index largest_size = (Index{1} << 24) - 1;

/// A start with at least one coordinate, all finite.
Vector checked_start(const Vector& x0);

/// What the user left to the search, which a checkpoint may decide instead.
struct LeftOpen {
  bool seed = false;
  bool method = false;
  bool learning_rate = false;
  bool mixing = false;
  bool model = false;
  bool batch = false;
  bool restarts = false;
  bool popsize = false;
};
LeftOpen left_open(const Options& options);

/// What options are completed for.
struct SearchSize {
  Index dimension = 0;       // coordinates of the search
  Index choices = 0;         // parameters that are choices
  bool is_discrete = false;  // some parameters are integers, values of a grid or choices
};

/// Every default filled in but those of a run, which depend on its popsize.
Options completed(Options options, const SearchSize& size);

}  // namespace surefoot
