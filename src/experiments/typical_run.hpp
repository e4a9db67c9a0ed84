#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/protocol.hpp"

namespace surefoot {

/// The courses of one run of figures 1 to 3, one number a generation.
struct Course {
  std::vector<double> nfev;
  std::vector<double> best;
  std::vector<double> eta_sigma;
  std::vector<double> eta_B;
  std::vector<double> l_theta;
};

/// Runs a typical run with the path in the frame of the symmetric root, also where the rate is fixed.
Course run_typical(const TypicalRun& run, std::uint64_t protocol_seed);

std::string to_csv(const Course& course);

/// \throws std::invalid_argument for a text that `to_csv` did not write.
Course course_from_csv(const std::string& text);

}  // namespace surefoot
