#pragma once

#include <vector>

#include "search/stop/stop.hpp"
#include "search/tally.hpp"
#include "surefoot/failure.hpp"
#include "surefoot/options.hpp"

namespace surefoot {

/// What ends a whole search: the target, an objective that does not work, and budgets. `failures` are those of the last
/// generation.
Stop met_end(const Options& options, const Tally& tally, const std::vector<Failure>& failures);

/// The same in the middle of a generation, of which some values are known.
Stop met_end_within(const Options& options, const Tally& tally, const std::vector<Failure>& failures);

/// What ends a run: too many generations in a row without a finite value. Around a start that has a value the search is
/// narrowed for longer.
Stop met_barren_ground(const Options& options, const Tally& tally, const std::vector<Failure>& failures);

}  // namespace surefoot
