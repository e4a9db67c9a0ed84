#include "driver/model/separable_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "surefoot/normal_source.hpp"

namespace surefoot {
namespace {

constexpr int last_sweep = 199;
constexpr std::array polished_sweeps = {30, 60, 100, 150, 199};
constexpr std::uint32_t check_stream = 0x5e9b;
constexpr int most_polish_evaluations = 30;
constexpr double first_reach = 3.5;   // of a line, in units
constexpr double finest_step = 1e-9;  // of a polish, in units

bool is_checked(int sweep) { return sweep == 6 || (sweep >= 12 && (sweep - 12) % 20 == 0); }

bool is_polished(int sweep) {
  return std::find(polished_sweeps.begin(), polished_sweeps.end(), sweep) != polished_sweeps.end();
}

}  // namespace

SeparableSearch::SeparableSearch(const Vector& x, double f, const Vector& unit, const SearchBox& box,
                                 std::uint64_t seed, double margin)
    : start_(x),
      base_(x),
      f_(f),
      unit_(unit),
      box_(box),
      seed_(seed),
      margin_(margin),
      test_(x, f, unit, box, seed),
      points_(test_.points()) {
  if (test_.verdict() == SeparabilityTest::Verdict::separable) begin_lines();
}

void SeparableSearch::tell(const Vector& values) {
  told_.insert(told_.end(), values.begin(), values.end());
  learn(values);
}

void SeparableSearch::learn(const Vector& values) {
  if (phase_ == Phase::test) return learn_from_test(values);
  if (!std::isfinite(values[0])) {
    phase_ = Phase::given_up;
    return;
  }
  if (phase_ == Phase::check) {
    judge_check(values[0]);
  } else {
    learn_on_line(values[0]);
  }
  advance();
}

void SeparableSearch::learn_from_test(const Vector& values) {
  test_.tell(values);
  points_ = test_.points();
  if (test_.verdict() == SeparabilityTest::Verdict::coupled) phase_ = Phase::given_up;
  if (test_.verdict() == SeparabilityTest::Verdict::separable) begin_lines();
}

/// Every line begins at the base, with value 0.
void SeparableSearch::begin_lines() {
  const Index d = base_.size();
  for (Index i = 0; i < d; ++i) {
    lines_.emplace_back(box_.lower[i], box_.upper[i], unit_[i], margin_ / static_cast<double>(d));
    lines_.back().add(base_[i], 0);
  }
  polished_.assign(lines_.size(), std::numeric_limits<double>::quiet_NaN());
  phase_ = Phase::ends;
  advance();
}

void SeparableSearch::learn_on_line(double value) {
  const double height = line().best_value() + (value - f_);
  line().add(t_, height);
  if (value < f_) {
    base_[line_] = t_;
    f_ = value;
  }
  if (phase_ != Phase::polish) return;
  brent_->tell(height);
  still_ = std::abs(height - last_height_) <= 1e-14 * line().range() ? still_ + 1 : 0;
  last_height_ = height;
}

/// Ends the search if the function turns out to be no sum after all.
void SeparableSearch::judge_check(double value) {
  if (std::abs(value - expected_) <= tolerance_) {
    end_check();
  } else {
    phase_ = Phase::given_up;
  }
}

void SeparableSearch::advance() {
  is_pending_ = false;
  while (!is_pending_) {
    switch (phase_) {
      case Phase::ends: next_end(); break;
      case Phase::sweeps: next_of_sweep(); break;
      case Phase::polish: next_polish(); break;
      default: return;
    }
  }
}

void SeparableSearch::go_to(double t) {
  t_ = t;
  points_ = base_;
  points_(line_, 0) = t;
  is_pending_ = true;
}

void SeparableSearch::next_end() {
  if (step_ == 2 * base_.size()) {
    phase_ = Phase::sweeps;
    step_ = 0;
    return;
  }
  line_ = step_ / 2;
  const double side = step_ % 2 == 0 ? -1 : 1;
  ++step_;
  if (const auto t = line().within(start_[line_] + side * first_reach * unit_[line_])) go_to(*t);
}

void SeparableSearch::next_of_sweep() {
  if (step_ == base_.size()) return is_checked(sweep_) ? begin_check() : end_check();
  line_ = step_++;
  if (const auto t = line().next()) go_to(*t);
}

/// Repeats the worse end of a random line, which was evaluated when the other coordinates were different.
void SeparableSearch::begin_check() {
  phase_ = Phase::check;
  Matrix normals(base_.size(), 1);
  CounterNormals(seed_, check_stream).fill(static_cast<std::uint64_t>(sweep_), normals);
  normals.col(0).maxCoeff(&line_);
  const CoordinateLine::Point end = line().worse_end();
  const double rise = end.value - line().best_value();
  expected_ = f_ + rise;
  tolerance_ = 1e-6 * std::abs(rise) + 1e-12 * std::abs(f_);
  go_to(end.t);
}

void SeparableSearch::end_check() {
  phase_ = Phase::sweeps;
  if (is_polished(sweep_)) return begin_polish();
  next_sweep();
}

void SeparableSearch::next_sweep() {
  phase_ = ++sweep_ > last_sweep ? Phase::solved : Phase::sweeps;
  step_ = 0;
}

void SeparableSearch::begin_polish() {
  phase_ = Phase::polish;
  step_ = 0;
  brent_.reset();
}

void SeparableSearch::next_polish() {
  if (brent_ && !brent_->is_over() && brent_->evaluations() < most_polish_evaluations && still_ < 2) {
    return go_to(brent_->next());
  }
  if (brent_) polished_[static_cast<std::size_t>(line_)] = line().best();
  brent_.reset();
  if (step_ == base_.size()) return next_sweep();
  line_ = step_++;
  if (line().best() != polished_[static_cast<std::size_t>(line_)]) begin_brent();
}

void SeparableSearch::begin_brent() {
  still_ = 0;
  last_height_ = std::numeric_limits<double>::infinity();
  brent_.emplace(line().left_of_best(), line().right_of_best(), line().best(), line().best_value(),
                 finest_step * unit_[line_]);
}

void SeparableSearch::visit(StateVisitor& visitor) {
  Vector told = Eigen::Map<const Vector>(told_.data(), static_cast<Index>(told_.size()));
  const bool is_new = told_.empty();
  visitor.vector("line search values", told);
  if (!is_new) return;
  Index next = 0;
  while (!is_over() && next + points_.cols() <= told.size()) {
    const Index count = points_.cols();
    tell(told.segment(next, count));
    next += count;
  }
}

}  // namespace surefoot
