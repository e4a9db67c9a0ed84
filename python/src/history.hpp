#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "surefoot/optimizer.hpp"

namespace surefoot::python {

/// What a search did, generation by generation, for plots. A thinned history keeps every 1, 2, 4, ... generations, so
/// that the longest search costs no more memory than a few thousand generations.
class History {
 public:
  static constexpr std::size_t columns = 13;
  using Row = std::array<double, columns>;
  struct Axes {
    double generation;
    Vector lengths;  // standard deviations along the principal axes, descending
  };

  /// `whole`: every generation, with axes as often as the condition is measured; otherwise axes every d^2/20
  /// generations: their O(d^3) is then less than what one copy of the population costs.
  History(bool whole, Index dimension);

  void add(const Record& record, const Optimizer& search);

  /// Names of a row's numbers: those of Record.
  static const std::array<const char*, columns>& names();

  [[nodiscard]] std::vector<Row> rows() const;  // with the last generation
  [[nodiscard]] const std::vector<Axes>& axes() const { return axes_; }
  void restore(std::vector<Row> rows, std::vector<Axes> axes);

 private:
  void thin();

  bool is_whole_;
  std::int64_t axes_interval_;
  std::int64_t stride_ = 1;
  std::vector<Row> rows_;
  std::optional<Row> last_;  // newer than rows_
  std::vector<Axes> axes_;
};

}  // namespace surefoot::python
