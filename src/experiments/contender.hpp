#pragma once

#include <string>
#include <vector>

#include "surefoot/options.hpp"

namespace surefoot {

/// A method as experiments name it: parts between slashes, each a row of the table of methods, a learning-rate policy,
/// a kind of restarts or a model, as in "xnes", "lra", "cma/bipop/quadratic", "lra:frame=B;alpha=1.5/none"; or
/// "random", uniform random search. "auto" is what users get who choose nothing.
struct Contender {
  std::string name;
  bool is_random = false;
  Options options = {};  // method, learning_rate, restarts
};

/// \throws std::invalid_argument listing what there is.
Contender make_contender(const std::string& name, const Restarts& default_restarts);

/// Splits "auto,lra:frame=B,alpha=1.5,cma/bipop" at the commas between methods: a piece with '=' but without ':'
/// belongs to the policy before it.
std::vector<std::string> contender_names(const std::vector<std::string>& given);

}  // namespace surefoot
