#pragma once

#include <cstdint>
#include <string>

#include "surefoot/options.hpp"
#include "surefoot/result.hpp"

namespace surefoot::cli {

/// For people: best value and point, why it stopped, what it cost, what to do next. So many evaluations were watched
/// that all gave the same value; 0 if two of them differed.
std::string summary(const Result& result, const Options& options, double seconds, std::int64_t same_values = 0);

/// For machines: one JSON object on one line.
std::string json(const Result& result, const Options& options);

}  // namespace surefoot::cli
