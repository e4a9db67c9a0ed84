#pragma once

#include <cstdint>
#include <vector>

namespace surefoot {

/// The values that a discrete coordinate may take, in ascending order, and the cells of real numbers that stand for
/// them. A coordinate is a real number u, the value itself or, on a log scale, its logarithm. Between two neighbours
/// the cells meet in the middle; the middle itself belongs to the lower one.
class ValueGrid {
 public:
  /// All integers from low to high, which may be infinite; beyond 2^53 doubles know no odd numbers.
  static ValueGrid integers(double low, double high, bool is_log = false);
  /// At least two values in ascending order.
  static ValueGrid list(std::vector<double> values, bool is_log = false);

  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t last() const { return last_; }
  /// Whether the ends are values that a user gave.
  [[nodiscard]] bool is_bounded() const;

  /// The number of the cell that u lies in.
  [[nodiscard]] std::int64_t cell(double u) const;
  /// The value of a cell, exact for integers.
  [[nodiscard]] double value(std::int64_t k) const;
  /// The coordinate u of that value.
  [[nodiscard]] double position(std::int64_t k) const;
  /// Where cell k ends and k + 1 begins.
  [[nodiscard]] double threshold(std::int64_t k) const { return (position(k) + position(k + 1)) / 2; }
  /// The distance between the neighbours of a cell that are closest together, in u.
  [[nodiscard]] double step_at(std::int64_t k) const;

 private:
  ValueGrid(std::int64_t first, std::int64_t last, bool is_log, std::vector<double> values)
      : first_(first), last_(last), is_log_(is_log), values_(std::move(values)) {}

  std::int64_t first_;
  std::int64_t last_;
  bool is_log_;
  std::vector<double> values_;  // of a list; integers are their own numbers
};

/// A coordinate of a search that is discrete.
struct DiscreteCoordinate {
  std::int64_t coordinate = 0;  // of the search
  double unit = 1;              // u is the search coordinate times this
  ValueGrid grid;
};

}  // namespace surefoot
