#pragma once

/// \file
/// One enumeration of the state of a strategy, for everyone who needs all of it.

#include <cstdint>
#include <string>
#include <string_view>

#include "surefoot/types.hpp"

namespace surefoot {

/// Strategies and policies name each part of their state once; whoever compares, saves or restores it visits them.
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

  /// Counters, for example of generations. Does nothing by default: a visitor that compares numbers has no use for
  /// them.
  virtual void integer(std::string_view /*name*/, std::int64_t& /*value*/) {}
  /// Words, for example the name of a strategy. Does nothing by default, like integer.
  virtual void text(std::string_view /*name*/, std::string& /*value*/) {}

  /// Whether what is visited gets its values from the visitor.
  [[nodiscard]] virtual bool is_restoring() const { return false; }
};

}  // namespace surefoot
