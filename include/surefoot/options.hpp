#pragma once

/// \file
/// Everything about a search that has a default.

#include <cstdint>
#include <optional>
#include <string>

#include "surefoot/learning_rate.hpp"
#include "surefoot/record.hpp"

namespace surefoot {

/// Options in alphabetical order, so that designated initialisers keep compiling when options are added.
/// A wrong one throws std::invalid_argument when the optimizer is constructed.
struct Options {
  std::optional<double> ftarget = {};  // stop when f <= ftarget
  LearningRate learning_rate = {};     // policy of the NES strategies: "auto", "fixed:8", "lra", ...
  std::optional<std::int64_t> maxfevals =
      {};                                    // stop when so many evaluations are done; a generation is always finished
  std::optional<std::int64_t> maxiter = {};  // stop after so many generations; default below if no budget is given
  std::string method = "auto";               // strategy: "auto", "xnes"
  Observer observer = {};                    // called once a generation
  std::optional<std::int64_t> popsize = {};  // candidates a generation; default 4 + floor(3 ln d)
  std::optional<std::uint64_t> seed = {};    // 0 is a seed; empty: drawn from the system and told in the result
};

/// Generations of a search without any budget: 100 + 150 (d+3)^2/sqrt(popsize), pycma's default.
std::int64_t default_maxiter(std::int64_t dimension, std::int64_t popsize);

}  // namespace surefoot
