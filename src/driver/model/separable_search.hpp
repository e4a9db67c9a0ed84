#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/model/brent.hpp"
#include "driver/model/coordinate_line.hpp"
#include "driver/model/separability_test.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// Tests whether the objective is a sum of functions of one coordinate and, if it is, minimises each of them on a line
/// of its own. The base, the best point, moves with every improvement of any line, so the best of all lines together is
/// always a point that was evaluated.
///
///     while (!search.is_over()) search.tell(values of search.ask());
///
/// It is not for noisy objectives, whose test fails, nor for integers and constraints.
class SeparableSearch {
 public:
  /// At x, with value f there. `unit`, a length per coordinate, are the standard deviations of the search's start.
  /// `margin`: what an improvement of f is not worth the search for.
  SeparableSearch(const Vector& x, double f, const Vector& unit, const SearchBox& box, std::uint64_t seed,
                  double margin = 1e-8);

  [[nodiscard]] bool is_over() const { return phase_ == Phase::solved || phase_ == Phase::given_up; }
  /// The objective is not a sum: the run in which the test was made continues.
  [[nodiscard]] bool has_given_up() const { return phase_ == Phase::given_up; }

  /// Points to be evaluated, one per column: three during the test, then one.
  [[nodiscard]] const Matrix& ask() const { return points_; }
  void tell(const Vector& values);

  /// The best point and its value.
  [[nodiscard]] const Vector& base() const { return base_; }
  [[nodiscard]] double value() const { return f_; }

  /// A checkpoint holds the values told so far. A search that is new and made alike takes them in again.
  void visit(StateVisitor& visitor);

 private:
  enum class Phase { test, ends, sweeps, check, polish, solved, given_up };

  void learn(const Vector& values);
  void learn_from_test(const Vector& values);
  void learn_on_line(double value);
  void judge_check(double value);
  void begin_lines();

  // What is evaluated next. Each moves on by one line or phase; `advance` calls them until there is a point.
  void advance();
  void next_end();
  void next_of_sweep();
  void begin_check();
  void end_check();
  void next_sweep();
  void begin_polish();
  void next_polish();
  void begin_brent();
  void go_to(double t);
  [[nodiscard]] CoordinateLine& line() { return lines_[static_cast<std::size_t>(line_)]; }

  Vector start_;
  Vector base_;
  double f_;
  Vector unit_;
  SearchBox box_;
  std::uint64_t seed_;
  double margin_;
  SeparabilityTest test_;
  std::vector<double> told_;  // all values, in order

  Phase phase_ = Phase::test;
  std::vector<CoordinateLine> lines_;
  std::vector<double> polished_;  // the best of each line at its last polish
  int sweep_ = 3;                 // points that a line has, but for those of polishes
  Index step_ = 0;                // of the phase
  Index line_ = 0;                // the present one
  double t_ = 0;                  // the coordinate that is evaluated
  bool is_pending_ = false;
  double expected_ = 0;  // of a check
  double tolerance_ = 0;
  std::optional<Brent> brent_;
  double last_height_ = 0;
  int still_ = 0;  // values of a polish in a row without a change
  Matrix points_;
};

}  // namespace surefoot
