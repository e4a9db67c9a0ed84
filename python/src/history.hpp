#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/optimizer.hpp"

namespace surefoot::python {

/// What a search did, generation by generation, for plots. A thinned history keeps every 1, 2, 4, ... generations, so
/// that the longest search costs no more memory than a few thousand generations.
class History {
 public:
  using Row = std::vector<double>;
  struct Axes {
    double generation = 0;
    Vector lengths;  // standard deviations along the principal axes, descending
  };

  /// Where the search is, in the user's coordinates; the first ones.
  struct Place {
    double generation = 0;
    Vector x;  // best point
    Vector mean;
    Vector stds;
  };
  static constexpr Index most_coordinates = 20;

  /// `whole`: every generation, with axes as often as the condition is measured; otherwise axes every d^2/20
  /// generations: their O(d^3) is then less than what one copy of the population costs. Places are kept every d/20
  /// generations: they cost O(d^2).
  History(bool whole, Index dimension);

  void add(const Record& record, const Optimizer& search);

  /// Names of a row's numbers: the columns of Record, then whatever else the method measures.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  [[nodiscard]] std::vector<Row> rows() const;  // with the last generation

  struct FailedAttempt {
    std::int64_t generation;
    Failure failure;
  };
  /// The last thousand.
  [[nodiscard]] const std::deque<FailedAttempt>& failures() const { return failures_; }
  void add_failure(FailedAttempt failure);

  [[nodiscard]] const std::vector<Axes>& axes() const { return axes_; }
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] static Place place_of(double generation, const Optimizer& search);
  /// `names` begins with the columns of Record.
  void restore(std::vector<std::string> names, std::vector<Row> rows, std::vector<Axes> axes,
               std::vector<Place> places);

 private:
  [[nodiscard]] Row row_of(const Record& record);
  void forget_from(std::int64_t generation);
  void thin();

  bool is_whole_;
  std::int64_t axes_interval_;
  std::int64_t places_interval_;
  std::int64_t stride_ = 1;
  std::vector<std::string> names_;
  std::vector<Row> rows_;    // early ones are shorter, if a measure came later
  std::optional<Row> last_;  // newer than rows_
  std::vector<Axes> axes_;
  std::vector<Place> places_;
  std::deque<FailedAttempt> failures_;
};

}  // namespace surefoot::python
