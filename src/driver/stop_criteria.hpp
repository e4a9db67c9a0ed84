#pragma once

#include "surefoot/search_distribution.hpp"
#include "surefoot/stop.hpp"

namespace surefoot {

/// Whether the distribution can be sampled at all: finite, sigma > 0. O(d^2), a small part of a generation.
StopReason cheap_degeneracy(const SearchDistribution& distribution);

/// Whether sampling still searches: standard deviations neither vanished nor exploded, rank not lost. O(d^3).
StopReason full_degeneracy(const SearchDistribution& distribution);

}  // namespace surefoot
