#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "surefoot/method.hpp"

namespace surefoot {

/// What replaying a reference trajectory showed.
struct ReplayReport {
  std::string algorithm;
  std::string variant;
  std::string method;  // its name in the table of methods; empty for an augmented Lagrangian
  int iterations = 0;
  bool same_order = true;                    // every population ranked as in the file
  std::map<std::string, double> deviations;  // largest relative deviation (max norm) of each quantity

  [[nodiscard]] double largest() const;
};

/// Largest deviation that still counts as the same trajectory.
inline constexpr double replay_tolerance = 1e-9;

/// Runs the algorithm that a fixture file names with the normals that it gives, and compares everything.
/// \throws std::invalid_argument for a file that is not a fixture or names an unknown algorithm.
ReplayReport replay(const std::filesystem::path& fixture, ShapeRoute route = ShapeRoute::automatic);

}  // namespace surefoot
