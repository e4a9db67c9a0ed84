#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// How a strategy enumerates its state, for saving, restoring and comparing.

#include <cstdint>
#include <string>
#include <string_view>

#include "surefoot/types.hpp"

namespace surefoot {

/// Strategies and policies name each part of their state once. Visitors compare, save or restore these parts.
/// Names are the symbols of the papers: m, sigma, B, eta_sigma, p_Sigma, ...
class StateVisitor {
 public:
  StateVisitor() = default;
  StateVisitor(const StateVisitor&) = delete;
  StateVisitor(StateVisitor&&) = delete;
  StateVisitor& operator=(const StateVisitor&) = delete;
  StateVisitor& operator=(StateVisitor&&) = delete;
  virtual ~StateVisitor() = default;

  virtual void scalar(std::string_view name, double& value) = 0;
  virtual void vector(std::string_view name, Vector& value) = 0;
  virtual void matrix(std::string_view name, Matrix& value) = 0;

  /// Visits a counter, for example of generations. Does nothing by default, because a visitor that compares numbers
  /// does not need counters.
  virtual void integer(std::string_view /*name*/, std::int64_t& /*value*/) {}
  /// Visits a text, for example the name of a strategy. Does nothing by default, like integer.
  virtual void text(std::string_view /*name*/, std::string& /*value*/) {}

  /// Whether the visitor's next part has this name.
  [[nodiscard]] virtual bool has_next(std::string_view /*name*/) const { return true; }

  /// Whether the visitor sets the values that it visits.
  [[nodiscard]] virtual bool is_restoring() const { return false; }
};

}  // namespace surefoot
