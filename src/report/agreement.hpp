#pragma once

#include <vector>

namespace surefoot {

/// Whether the steps of a search's mean agree with each other: a measure of the information in its rankings that every
/// method has.
///
/// u is a step in units of the coordinates' standard deviations, of length 1. The path p <- (1 - c) p + sqrt(c (2 - c))
/// u has E |p|^2 = 1 where steps are independent with mean 0, as they are on a random function, whatever the method and
/// the dimension: the cumulation of [Hansen2016, eq. 43] with directions only. Above 1 the steps go the same way, below
/// they go back and forth.
class Agreement {
 public:
  /// Where the search is after a generation. Returns |p|^2; NaN where nothing has moved. A new run begins a new path.
  double add(double run, const std::vector<double>& mean, const std::vector<double>& deviations);

 private:
  double run_ = 0;
  std::vector<double> mean_;
  std::vector<double> path_;
};

}  // namespace surefoot
