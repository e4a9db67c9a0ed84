#pragma once

#include <string>
#include <vector>

#include "surefoot/limit.hpp"

namespace surefoot {

/// What is wanted of a program's outputs, in the user's words.
struct OutputWords {
  std::string minimize = {};             // the name of an output
  std::string maximize = {};             // the name of an output
  std::vector<std::string> limits = {};  // texts such as gain=39.5..40.5

  [[nodiscard]] bool empty() const { return minimize.empty() && maximize.empty() && limits.empty(); }
};

/// Which output of a program is f and which have limits. Without any wish the values are f and constraints as they are.
class OutputUse {
 public:
  OutputUse() = default;
  /// `names` are those of the outputs, empty ones for values without a name.
  /// \throws std::invalid_argument for a name that no output has, and for an output that nothing uses.
  OutputUse(const OutputWords& words, const std::vector<std::string>& names);

  [[nodiscard]] bool is_plain() const { return is_plain_; }
  [[nodiscard]] const std::vector<Limit>& limits() const { return limits_; }
  /// The name of the output that is f; empty if it has none.
  [[nodiscard]] const std::string& objective() const { return objective_; }
  [[nodiscard]] bool is_maximized() const { return is_maximized_; }

  /// f and the constraints.
  [[nodiscard]] std::vector<double> applied(const std::vector<double>& outputs) const;

  /// ", maximize gain, limit vc <= 7": what a search depends on.
  [[nodiscard]] std::string text() const;

 private:
  bool is_plain_ = true;
  bool is_maximized_ = false;
  std::string objective_;
  std::size_t objective_at_ = 0;
  std::vector<Limit> limits_;
  std::vector<std::size_t> limited_;  // the output of each limit
};

}  // namespace surefoot
