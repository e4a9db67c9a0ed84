#pragma once

#include <string>

#include "surefoot/options.hpp"
#include "surefoot/result.hpp"

namespace surefoot::cli {

/// For people: best value and point, why it stopped, what it cost, what to do next.
std::string summary(const Result& result, const Options& options, double seconds);

/// For machines: one JSON object on one line.
std::string json(const Result& result, const Options& options);

}  // namespace surefoot::cli
