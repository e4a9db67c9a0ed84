#pragma once

namespace surefoot {

/// How a generation of a stage counts.
struct Counting {
  bool is_generation = true;  // among the generations of the search
  bool is_of_run = false;     // among those of the run, whose strategy learns from it
  bool has_mean = false;      // it evaluates the mean of the run
  bool is_in_run = true;      // its evaluations are among those of the run
};

}  // namespace surefoot
