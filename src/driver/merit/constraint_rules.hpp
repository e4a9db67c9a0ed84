#pragma once

#include <span>
#include <string>
#include <vector>

#include "surefoot/options.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// Which numbers behind f are inequalities g <= 0 and which, after them, equalities h = 0, and when one is met.
struct ConstraintRules {
  Index inequalities = 0;
  Index equalities = 0;
  double tolerance = 0;                 // of equalities
  std::vector<std::string> names = {};  // as the user calls them; those that have none may be empty or left out

  [[nodiscard]] Index size() const { return inequalities + equalities; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] bool is_equality(Index i) const { return i >= inequalities; }

  /// By how much constraint i is violated: g where it is positive, |h| where it is above the tolerance, otherwise 0.
  [[nodiscard]] double excess(Index i, double value) const;
  /// The sum of all excesses; 0 for a feasible point, and where there are no constraints.
  [[nodiscard]] double violation(std::span<const double> values) const;

  /// g[0], g[1], ..., h[0], ...: the same for every search.
  [[nodiscard]] std::string symbol(Index i) const;
  /// What people read: the user's name, or the symbol where there is none.
  [[nodiscard]] std::string name(Index i) const;
  /// The names of all.
  [[nodiscard]] std::vector<std::string> all_names() const;
  /// What a message says about a point that is not feasible: the violation, and which constraint is the worst.
  [[nodiscard]] std::string describe(std::span<const double> values) const;
};

ConstraintRules constraint_rules(const Options& options);

}  // namespace surefoot
