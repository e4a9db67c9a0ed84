#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "surefoot/learning_rate.hpp"

namespace surefoot {

/// Restrictions of the paper's protocol that a user asks for. An empty list means everything.
struct ProtocolRequest {
  std::set<int> figures = {};
  std::vector<std::string> functions = {};
  std::vector<Index> popsizes = {};
  std::vector<std::string> methods = {};
  std::optional<int> trials = {};
  std::uint64_t seed = 1;
  bool quick = false;  // few trials
};

/// One point of figure 4, which is this many independent trials.
struct Cell {
  std::string function;
  Index popsize = 0;
  std::string method;
  int trials = 0;
};

/// One typical run of figures 1 to 3.
struct TypicalRun {
  int figure = 0;
  std::string function;
  Index popsize = 0;
  std::string method;

  /// "figure2_sphere_30_adaptive", the name of its file.
  [[nodiscard]] std::string name() const;
};

/// What is to be run. It decides every byte of the results.
struct Protocol {
  std::uint64_t seed = 1;
  bool quick = false;
  std::set<int> figures;
  std::vector<Cell> cells;
  std::vector<TypicalRun> runs;
};

/// \throws std::invalid_argument for names and numbers that the paper does not have.
Protocol make_protocol(const ProtocolRequest& request);

nlohmann::ordered_json to_json(const Protocol& protocol);

/// `adaptive` is lra as published, `x8` eight times the default rate.
LearningRate learning_rate_of(const std::string& method);

std::uint64_t trial_seed(std::uint64_t seed, const std::string& function, Index popsize, const std::string& method,
                         int trial);

}  // namespace surefoot
