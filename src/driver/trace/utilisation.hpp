#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "surefoot/usage.hpp"

namespace surefoot {

/// Share of the workers' time in which they evaluated; NaN if nothing is known about them.
[[nodiscard]] double utilisation(const Usage& usage, double seconds);

/// The share between one call and the next.
class UtilisationMeter {
 public:
  explicit UtilisationMeter(std::function<Usage()> usage);

  struct Lap {
    double seconds;
    double utilisation;
  };
  Lap lap();

 private:
  std::function<Usage()> usage_;
  Stopwatch watch_;
  double busy_;
};

/// For the summary: how busy several workers were, and what popsize would suit them better; no advice if it is 0. Empty
/// for one worker.
[[nodiscard]] std::string utilisation_line(const Usage& usage, double seconds, std::int64_t popsize);

}  // namespace surefoot
