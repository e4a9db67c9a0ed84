#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// What observers receive once per generation.

#include <cstdint>
#include <functional>
#include <vector>

#include "surefoot/failure.hpp"
#include "surefoot/measures.hpp"

namespace surefoot {

/// State at the end of a generation. NaN for what the method does not measure.
struct Record {
  std::int64_t generation = 0;  // 1, 2, ...
  std::int64_t nfev = 0;
  double best = 0;             // lowest f so far
  double generation_best = 0;  // lowest f of this generation
  double sigma = 0;
  double eta_m = 0;  // rates of the next generation
  double eta_sigma = 0;
  double eta_B = 0;
  double l_theta = 0;    // path length
  double gamma = 0;      // its expectation under a random ranking
  double condition = 0;  // of the covariance; measured every 1 + d/20 generations
  std::int64_t run = 1;  // 1, and one more for each restart
  std::int64_t popsize = 0;
  std::vector<Failure> failures = {};  // of this generation, by candidate and attempt
  Measures measures = {};              // all that the method reports, the columns above included
};

using Observer = std::function<void(const Record&)>;

}  // namespace surefoot
