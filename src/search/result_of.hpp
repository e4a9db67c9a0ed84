#pragma once

#include "surefoot/result.hpp"
#include "surefoot/start.hpp"

namespace surefoot {

class Search;

/// What a search has found so far; in the middle of a generation what is known of it counts.
Result result_of(const Search& search);

/// The distribution of the run that found the best point, in the user's coordinates.
Start distribution_of(const Search& search);
/// That of the present run, or of the last one.
Start last_distribution_of(const Search& search);

}  // namespace surefoot
