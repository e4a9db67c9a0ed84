#pragma once

#include <memory>

#include "surefoot/method.hpp"
#include "surefoot/options.hpp"

namespace surefoot {

/// A strategy of the user's own if the options have one, otherwise that of the table.
/// \throws std::invalid_argument if the user's function makes none, or one of another dimension.
std::unique_ptr<Strategy> strategy_by(const Options& options, StrategyContext context);

}  // namespace surefoot
