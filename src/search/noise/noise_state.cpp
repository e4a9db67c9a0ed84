// What a checkpoint holds of the noise of an objective.

#include <cmath>
#include <stdexcept>

#include "core/visit_count.hpp"
#include "search/noise/noise_watch.hpp"

namespace surefoot {
namespace {

void require(bool is_true) {
  if (!is_true) throw std::invalid_argument("checkpoint: what it knows about noise makes no sense");
}

bool is_empty_or(const Vector& v, Index size) { return v.size() == 0 || (v.size() == size && v.allFinite()); }

bool are_points(const Matrix& x, const Vector& f, Index d) {
  return x.cols() == f.size() && (x.cols() == 0 || x.rows() == d) && x.allFinite() && f.allFinite();
}

}  // namespace

void NoiseWatch::visit(StateVisitor& visitor) {
  visitor.integer("noise", kind_);
  require(kind_ == unknown || kind_ == none || kind_ == found);
  if (kind_ == none) return archive_.reset();
  if (archive_) archive_->visit(visitor);
  visit_points(visitor);
  visit_regression(visitor);
  visit_measured(visitor);
  require_sound();
}

void NoiseWatch::visit_points(StateVisitor& visitor) {
  visitor.vector("generation values", values_);
  visitor.scalar("spread", spread_);
  visit_count(visitor, "whole generations", wholes_);
  visitor.vector("compared x", best_x_);
  visitor.scalar("compared f", best_f_);
  visitor.matrix("newest x", newest_x_);
  visitor.vector("newest f", newest_f_);
  visitor.matrix("again x", again_);
  visitor.vector("again f", before_);
  visitor.scalar("first difference", first_difference_);
  repeats_.visit(visitor);
  visit_count(visitor, "attempts at repeats", attempts_);
  visit_count(visitor, "evaluations at the last repeat", last_pair_);
}

void NoiseWatch::visit_regression(StateVisitor& visitor) {
  const Index d = setup_.domain->search_dimension();
  visitor.vector("noisy mean", mean_);
  visitor.vector("noisy m", frame_.origin);
  visitor.matrix("noisy A", frame_.axes);
  std::int64_t is_active = regression_ ? 1 : 0;
  visitor.integer("searches by regression", is_active);
  require(is_active == 0 || archive_);
  if (is_active == 0) return;
  if (!regression_) regression_.emplace(Axes{Vector::Zero(d), Matrix::Identity(d, d)}, 1.0, known_deviation());
  regression_->visit(visitor);
}

void NoiseWatch::visit_measured(StateVisitor& visitor) {
  visit_count(visitor, "planned measurement", planned_measure_);
  require(planned_measure_ <= 30);
  visit_count(visitor, "next measurement", next_measure_);
  visit_count(visitor, "measured", measured_.count);
  if (measured_.count == 0) return;
  visitor.vector("measured x", measured_.x);
  visitor.scalar("measured f", measured_.mean);
  visitor.scalar("measured error", measured_.error);
  require(measured_.x.size() == setup_.domain->user_dimension() && setup_.domain->contains(measured_.x));
}

void NoiseWatch::require_sound() const {
  const Index d = setup_.domain->search_dimension();
  const Index users = setup_.domain->user_dimension();
  require(values_.allFinite() && is_empty_or(best_x_, users) && is_empty_or(mean_, users));
  require(are_points(newest_x_, newest_f_, users) && are_points(again_, before_, users));
  require(again_.cols() <= 3 && (again_.cols() == 0 || setup_.domain->contains(again_)));
  require(is_empty_or(frame_.origin, d) && frame_.axes.rows() == frame_.origin.size() &&
          frame_.axes.cols() == frame_.origin.size());
}

}  // namespace surefoot
