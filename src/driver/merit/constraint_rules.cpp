#include "driver/merit/constraint_rules.hpp"

#include <cmath>

#include "core/invalid_option.hpp"

namespace surefoot {

double ConstraintRules::excess(Index i, double value) const {
  if (!is_equality(i)) return value > 0 ? value : 0;
  return std::abs(value) > tolerance ? std::abs(value) : 0;
}

double ConstraintRules::violation(std::span<const double> values) const {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += excess(static_cast<Index>(i), values[i]);
  return sum;
}

std::string ConstraintRules::symbol(Index i) const {
  return is_equality(i) ? "h[" + text(i - inequalities) + "]" : "g[" + text(i) + "]";
}

std::string ConstraintRules::name(Index i) const {
  const auto k = static_cast<std::size_t>(i);
  return k < names.size() && !names[k].empty() ? names[k] : symbol(i);
}

std::vector<std::string> ConstraintRules::all_names() const {
  std::vector<std::string> all;
  for (Index i = 0; i < size(); ++i) all.push_back(name(i));
  return all;
}

std::string ConstraintRules::describe(std::span<const double> values) const {
  const double sum = violation(values);
  Index largest = 0;
  double most = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto i = static_cast<Index>(k);
    if (!(excess(i, values[k]) > most)) continue;
    largest = i;
    most = excess(i, values[k]);
  }
  if (most == 0) return {};
  const std::string single = short_text(most) + " of " + name(largest);
  return "least violation " + (most == sum ? single : short_text(sum) + ", " + single);
}

ConstraintRules constraint_rules(const Options& options) {
  return {options.constraints, options.equalities, options.equality_tolerance, {}};
}

}  // namespace surefoot
