#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "simulators/output_use.hpp"
#include "surefoot/options.hpp"
#include "surefoot/result.hpp"

namespace surefoot::cli {

/// The summary of a search that has ended.
struct SearchEnd {
  const Result& result;
  const Options& options;
  OutputUse use = {};            // what f and constraints are made of
  double seconds = 0;            // of all parts of the search
  std::int64_t nfev_before = 0;  // evaluations of earlier parts
  double seconds_before = 0;
  std::int64_t same_values = 0;  // evaluations that were watched and all gave the same value; 0 if two differed
};

/// For people: best value and point, why it stopped, what it cost, what to do next.
std::string summary(const SearchEnd& end);

}  // namespace surefoot::cli
