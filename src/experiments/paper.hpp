#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/types.hpp"

// What [NomuraOno2022, sec. 4] did and published.

namespace surefoot::paper {

inline constexpr Index dimension = 10;
inline constexpr double ftarget = 1e-8;
inline constexpr std::int64_t maxfevals = 500000;

/// Generations until the budget is used. The authors' program finishes the last one.
constexpr std::int64_t generations(std::int64_t popsize) { return (maxfevals + popsize - 1) / popsize; }

/// `adaptive` and the default rate times 1, 2, 4, 6, 8, 10, in the order of the figures.
const std::vector<std::string>& methods();

/// The methods of figure 5.
const std::vector<std::string>& success_rate_methods();

/// One panel of figure 4.
struct Function {
  std::string name;
  int trials;
  std::vector<Index> popsizes;
  Index fixed_popsize;     // of the typical run of figure 1
  Index adaptive_popsize;  // of the typical run of figure 2
  bool multimodal;         // also a panel of figure 5
};

const std::vector<Function>& functions();

/// Population sizes of figure 3, on Sphere.
const std::vector<Index>& sphere_popsizes();

/// Figure 4: mean evaluations of successful trials divided by the success rate; empty where no trial succeeded.
/// Read off the vector graphics of the authors' slides, reading error below 0.2 percent.
std::optional<double> evaluations_per_success(const std::string& function, Index popsize, const std::string& method);

/// Figure 5; empty where the figure has no point.
std::optional<double> success_rate(const std::string& function, Index popsize, const std::string& method);

/// False for cells at the edge of divergence whose figures the authors' own program does not reproduce either.
bool reproducible(const std::string& function, Index popsize, const std::string& method);

}  // namespace surefoot::paper
