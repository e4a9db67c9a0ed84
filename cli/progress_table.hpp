#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "surefoot/options.hpp"

namespace surefoot::cli {

/// Where a search is.
struct Progress {
  std::int64_t generation = 0;
  std::int64_t nfev = 0;
  std::int64_t nfailed = 0;
  double best = 0;       // NaN: no value was finite yet
  double violation = 0;  // of constraints, at the best point
  double sigma = 0;      // of the present distribution
  std::int64_t run = 1;
  double elapsed = 0;               // seconds
  double pace = 0;                  // evaluations a second; 0: not known yet
  std::optional<double> left = {};  // seconds to the budget that ends first; empty: there is none, or nobody knows
};

/// Evaluations a second and what is left, by what was done in `seconds` of this process since it had `nfev` evaluations
/// and `generations`.
struct Pace {
  std::int64_t nfev = 0;
  std::int64_t generation = 0;
  double seconds = 0;
};
void estimate(Progress& progress, const Pace& since, const Options& options);

// The table is that of Python's disp: python/surefoot/_display.py.

std::string table_header();
std::string table_row(const Progress& progress);

/// The text behind a row whose best point is not feasible; empty for a feasible one.
std::string violation_note(const Progress& progress);

/// 1, 2, 5, 10, 20, 50, ...: the generations that get a row.
bool is_round_number(std::int64_t generation);

/// One line of at most `width` characters: what does not fit is left out, the least important first.
std::string live_line(const Progress& progress, int width);

}  // namespace surefoot::cli
