#pragma once

#include <string>

#include "search/noise/noise_found.hpp"
#include "surefoot/result.hpp"

namespace surefoot {

class Search;

/// What noise changes of a result that has the best single value so far: the point that was measured takes its place.
void put_noise(const Search& search, const NoiseFound& noise, Result& result);

/// Whether the search has converged as far as the noise allows. `is_run_converged`: by the criteria of its runs.
[[nodiscard]] bool is_converged_under_noise(const Search& search, const NoiseFound& noise, bool is_run_converged);

/// Why it stopped and what came out, in a sentence. The best point is feasible.
[[nodiscard]] std::string outcome_under_noise(const Search& search, const NoiseFound& noise, const Result& result);

}  // namespace surefoot
