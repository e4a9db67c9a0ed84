#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// What a strategy reports to observers.

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace surefoot {

/// Numbers under the symbols of the papers, in the order in which they were added.
class Measures {
 public:
  void add(std::string_view name, double value) { all_.emplace_back(name, value); }

  /// NaN for what is not measured.
  [[nodiscard]] double operator[](std::string_view name) const {
    for (const auto& [known, value] : all_) {
      if (known == name) return value;
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }
  [[nodiscard]] bool empty() const { return all_.empty(); }

 private:
  std::vector<std::pair<std::string, double>> all_;
};

}  // namespace surefoot
