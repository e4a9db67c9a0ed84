#pragma once

#include "surefoot/search_distribution.hpp"
#include "surefoot/stop.hpp"

namespace surefoot {

/// Whether the distribution can still be searched with, in doubles. O(d): finite mean and sigma.
StopReason cheap_degeneracy(const SearchDistribution& distribution);

/// The same for what needs all of B: not finite, standard deviations vanished or exploded, rank lost. O(d^3).
StopReason full_degeneracy(const SearchDistribution& distribution);

}  // namespace surefoot
