#pragma once

/// \file
/// The whole public API.

#include "surefoot/bounds.hpp"
#include "surefoot/evaluator.hpp"
#include "surefoot/failure.hpp"
#include "surefoot/learning_rate.hpp"
#include "surefoot/minimize.hpp"
#include "surefoot/natural_gradient.hpp"
#include "surefoot/normal_source.hpp"
#include "surefoot/optimizer.hpp"
#include "surefoot/option_table.hpp"
#include "surefoot/options.hpp"
#include "surefoot/practical.hpp"
#include "surefoot/problems.hpp"
#include "surefoot/record.hpp"
#include "surefoot/restart.hpp"
#include "surefoot/result.hpp"
#include "surefoot/search_distribution.hpp"
#include "surefoot/start.hpp"
#include "surefoot/state_visitor.hpp"
#include "surefoot/stop.hpp"
#include "surefoot/strategy.hpp"
#include "surefoot/types.hpp"
#include "surefoot/usage.hpp"
#include "surefoot/version.hpp"
