#pragma once

#include <cstdint>

#include "driver/model/noise/regression_window.hpp"

namespace surefoot {

/// What a search knows about the noise of its objective: for results, messages and traces.
struct NoiseFound {
  /// Evaluations of one point that nothing was chosen by.
  struct Measured {
    std::int64_t count = 0;
    Vector x;          // the user's coordinates
    double mean = 0;   // of the values
    double error = 0;  // of the mean
  };

  double difference = 0;        // median difference of two values at the same point
  double deviation = 0;         // of the noise
  bool is_known = false;        // the user has said it
  const Axes* frame = nullptr;  // the distribution of the search by regression; null: another method searches
  double expected_loss = 0;     // what noise makes it lose at the minimum
  bool is_converged = false;    // that is as good as nothing
  Measured measured;
};

}  // namespace surefoot
