#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// The 24 noiseless functions of the BBOB suite [HansenFinck2009].

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// One row of the table of functions.
struct BbobFunction {
  int number;        // 1 to 24
  std::string name;  // "bbob-f1"
  std::string title;
  std::string group;
};

const std::vector<BbobFunction>& bbob_table();

namespace bbob {
class Formula;
}

/// One function at one dimension and instance. Copies share the set-up, and any number of threads may evaluate. Values
/// agree with the original program to the last bit, apart from the C library's mathematical functions.
class BbobProblem {
 public:
  /// \throws std::invalid_argument unless function is 1 to 24, dimension at least 2, instance 1 to 200000.
  BbobProblem(int function, Index dimension, int instance = 1);

  [[nodiscard]] const BbobFunction& function() const;
  [[nodiscard]] Index dimension() const;
  [[nodiscard]] int instance() const { return instance_; }

  [[nodiscard]] const Vector& optimum() const;
  [[nodiscard]] double optimal_value() const;

  /// NaN if a coordinate is NaN, infinity if one is infinite.
  double operator()(std::span<const double> x) const;
  Vector operator()(const Matrix& population) const;
  void evaluate(const Matrix& population, Vector& values) const;

 private:
  int number_;
  int instance_;
  std::shared_ptr<const bbob::Formula> formula_;
};

}  // namespace surefoot
