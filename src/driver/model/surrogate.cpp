#include "driver/model/surrogate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/visit_count.hpp"
#include "driver/model/kendall_tau.hpp"

namespace surefoot {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t longest_pause = 16;

Index capacity(Index dimension, Index popsize, ModelType largest) {
  const Index terms = number_of_terms(largest, dimension);
  return std::max({2 * terms, popsize, Index{4}});
}

}  // namespace

Surrogate::Surrogate(Index dimension, Index popsize, const SurrogateRules& rules)
    : rules_(rules),
      popsize_(popsize),
      archive_(dimension, capacity(dimension, popsize, rules.largest)),
      model_(dimension, rules.largest),
      frame_(dimension),
      points_(Matrix::Zero(dimension, popsize)),
      true_values_(Vector::Constant(popsize, nan)),
      told_(Vector::Constant(popsize, nan)),
      is_known_(Vector::Zero(popsize)),
      local_model_(dimension),
      minimum_(dimension),
      other_frame_(dimension) {
  is_off_ = can_afford_fit() ? 0 : 1;  // NOLINT(cppcoreguidelines-prefer-member-initializer): asks other members
}

void Surrogate::propose(Matrix& population, const Vector& mean, const Matrix& axes) {
  has_injection_ = 0;
  if (is_off()) return model_.forget();
  if (rest_ > 1) return;
  frame_.set(mean, axes);
  refresh_model();
  if (is_resting()) return;
  has_injection_ = is_injection_due() ? 1 : 0;
  if (pause_ > 0) --pause_;
  if (has_injection_ != 0) inject(population);
}

void Surrogate::refresh_model() {
  const std::int64_t unseen = archive_.added() - model_.points_seen();
  const bool is_small = model_.type() < rules_.largest;  // and cheap, and may soon be a larger one
  if (unseen > 0 && (is_small || unseen >= fit_interval(points_.rows(), rules_.largest))) {
    model_.fit(archive_, frame_);
    if (rules_.observed && model_.exists()) model_.measure_condition();
    fitted_seconds_ += fit_seconds(number_of_terms(model_.type(), points_.rows()));
  }
}

/// One fit more, and those of a generation that has begun, may exceed what is left: a generation is not changed once
/// its size was given.
bool Surrogate::can_afford_fit() const {
  const double next = fit_seconds(number_of_terms(model_.affordable(archive_.size()), points_.rows()));
  return overdraft() + next <= rules_.budget.seconds;
}

double Surrogate::overdraft() const {
  return std::max(0.0, fitted_seconds_ - rules_.budget.seconds_an_evaluation * static_cast<double>(archive_.added()));
}

/// A model that was injected already has nothing new to say.
bool Surrogate::is_injection_due() const {
  return rules_.injects && archive_.size() >= 3 && model_.exists() && pause_ == 0 && model_.fits() > injected_fits_;
}

void Surrogate::inject(Matrix& population) {
  injected_fits_ = model_.fits();
  const Vector z = model_minimum(population.col(0));
  if (!z.allFinite()) {
    has_injection_ = 0;
    return;
  }
  population.col(0) = frame_.to_global(z);
  if (is_rejected_ != 0 && popsize_ > 1) population.col(1) = frame_.to_global(-z);
}

/// In the frame of the distribution. Models without mixed terms are minimised in a ball of their own frame; what is
/// then too long for this distribution takes the length of the candidate that it replaces.
Vector Surrogate::model_minimum(const Vector& candidate) {
  const double radius = std::sqrt(static_cast<double>(points_.rows()));
  if (model_.type() == ModelType::full) {
    model_.in_frame(frame_, local_model_);
    minimum_.find(local_model_, radius);
    return minimum_.point();
  }
  other_frame_.set_axis_parallel(frame_.center(), frame_.axes().rowwise().norm());
  model_.in_frame(other_frame_, local_model_);
  minimum_.find(local_model_, radius);
  Vector z = frame_.to_local(other_frame_.to_global(minimum_.point()));
  const double length = z.norm();
  if (length > radius) z *= frame_.to_local(candidate).norm() / length;
  return z;
}

void Surrogate::begin(const Matrix& points) {
  points_ = points;
  true_values_.setConstant(nan);
  told_.setConstant(nan);
  is_known_.setZero();
  known_ = 0;
  is_complete_ = 0;
  tau_ = nan;
  number_ = first_round();
  choose();
}

Index Surrogate::first_round() const {
  if (is_off() || is_resting()) return static_cast<Index>(popsize_);
  const double least = std::max(0.02 * static_cast<double>(popsize_), 4 - static_cast<double>(archive_.size()));
  return static_cast<Index>(rounded(static_cast<std::int64_t>(1 + least), 0));
}

/// A number for which the evaluations that are missing are a multiple of the batch.
std::int64_t Surrogate::rounded(std::int64_t number, std::int64_t known) const {
  const std::int64_t batches = (number - known + rules_.batch - 1) / rules_.batch;
  return std::min(popsize_, known + batches * rules_.batch);
}

/// The candidates that the model likes best, as many as are missing.
void Surrogate::choose() {
  order_candidates();
  wanted_.clear();
  for (const Index i : order_) {
    if (static_cast<std::int64_t>(wanted_.size()) == number_ - known_) return;
    if (is_known_[i] == 0) wanted_.push_back(i);
  }
}

void Surrogate::order_candidates() {
  order_.resize(static_cast<std::size_t>(popsize_));
  std::iota(order_.begin(), order_.end(), Index{0});
  if (!model_.exists()) return;
  model_.values(points_, predicted_);
  std::sort(order_.begin(), order_.end(), [this](Index a, Index b) {
    return predicted_[a] < predicted_[b] || (predicted_[a] == predicted_[b] && a < b);
  });
}

void Surrogate::take(const Vector& values) {
  std::int64_t failed = 0;
  for (Index k = 0; k < values.size(); ++k) {
    const Index i = wanted_[static_cast<std::size_t>(k)];
    true_values_[i] = values[k];
    is_known_[i] = 1;
    if (!archive_.add(points_.col(i), values[k])) ++failed;
    if (i == 0) judge_injection();
  }
  known_ += values.size();
  if (known_ == popsize_) return finish();
  if (failed > 0) {
    number_ = rounded(std::min(popsize_, number_ + failed), known_);
    return choose();
  }
  refresh_model();
  tau_ = rank_correlation();
  if (tau_ >= rules_.accepted_tau) return finish();
  grow_number();
  choose();
}

/// A failed injection changes neither archive nor model, so the next one would fail as well.
void Surrogate::judge_injection() {
  if (has_injection_ == 0) return;
  const bool is_failure = !std::isfinite(true_values_[0]);
  pause_ = is_failure ? next_pause_ : 0;
  next_pause_ = is_failure ? std::min(2 * next_pause_, longest_pause) : 1;
}

void Surrogate::grow_number() {
  const double more = std::ceil(static_cast<double>(number_) * (rules_.growth - 1));
  number_ += std::max<std::int64_t>(1, static_cast<std::int64_t>(more));
  number_ = rounded(std::min(popsize_, number_), known_);
}

double Surrogate::rank_correlation() {
  if (!model_.exists()) return nan;
  const double wide = std::min(1.2 * static_cast<double>(known_), 0.75 * static_cast<double>(popsize_));
  const Index n = std::min(archive_.size(), std::max(Index{15}, static_cast<Index>(wide)));
  return model_.rank_correlation(archive_, n);
}

void Surrogate::finish() {
  is_complete_ = 1;
  wanted_.clear();
  is_rejected_ = is_accepted() ? 0 : 1;
  is_off_ = can_afford_fit() ? 0 : 1;
  plan_rest();
  if (is_accepted()) {
    tell_model_values();
    test_promise();
  } else {
    told_ = true_values_;
  }
}

/// A model that has failed several times in a row most likely fails again. What it injects then takes the places of
/// samples, and what it is believed by chance is wrong. So it rests for 1, 2, 4, ... generations, until it ranks one.
void Surrogate::plan_rest() {
  if (is_resting()) {
    if (--rest_ > 0) return;
    if (ranks_unseen()) {
      rejections_ = 0;
    } else {
      rest_longer();
    }
  } else if (is_accepted()) {
    rejections_ = 0;
    next_rest_ = 1;
  } else if (rules_.patience > 0 && ++rejections_ >= rules_.patience) {
    rest_longer();
  }
}

void Surrogate::rest_longer() {
  rest_ = next_rest_;
  next_rest_ = std::min(2 * next_rest_, longest_pause);
}

/// Whether the model, which has seen no value of this generation, ranks it clearly better than chance: tau is at least
/// a half, and two standard deviations of a random ranking's, whose variance is 2 (2 n + 5)/(9 n (n - 1))
/// [Kendall1938].
bool Surrogate::ranks_unseen() {
  if (!model_.exists()) return false;
  model_.values(points_, predicted_);
  Index n = 0;
  for (Index i = 0; i < predicted_.size(); ++i) {
    if (!std::isfinite(true_values_[i])) continue;
    predicted_[n] = predicted_[i];
    told_[n++] = true_values_[i];
  }
  if (n < 4) return false;
  const auto count = static_cast<double>(n);
  const double deviation = std::sqrt(2 * (2 * count + 5) / (9 * count * (count - 1)));
  return kendall_tau(predicted_.head(n), told_.head(n)) >= std::max(0.5, 2 * deviation);
}

void Surrogate::tell_model_values() {
  model_.values(points_, told_);
  double lowest = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < told_.size(); ++i) {
    if (std::isfinite(true_values_[i])) lowest = std::min(lowest, true_values_[i]);
  }
  const double least_rise = model_.rise(told_.minCoeff());
  for (double& value : told_) value = lowest + model_.range() * (model_.rise(value) - least_rise);
  for (Index i = 0; i < told_.size(); ++i) {
    if (is_evaluated(i) && !std::isfinite(true_values_[i])) told_[i] = true_values_[i];
  }
}

/// The same model would promise the same again.
void Surrogate::test_promise() {
  if (model_.type() != ModelType::full || model_.fits() == promised_fits_) return;
  promised_fits_ = model_.fits();
  poor_promises_ = promise() < rules_.promise ? poor_promises_ + 1 : 0;
}

/// By how much the model goes below the best value near the best point; infinite if it has no minimum there.
double Surrogate::promise() {
  const Index best = archive_.best();
  other_frame_ = frame_;
  other_frame_.set_center(archive_.point(best));
  model_.in_frame(other_frame_, local_model_);
  minimum_.find(local_model_, 2 * std::sqrt(static_cast<double>(points_.rows())));
  if (!minimum_.is_interior()) return std::numeric_limits<double>::infinity();
  const double here = model_.rise(local_model_.constant);
  const double decrease = model_.rise(local_model_.constant + minimum_.decrease()) - here;
  const double excess = here - model_.rise_of(archive_.value(best));
  return std::max(0.0, -model_.range() * (decrease + std::min(0.0, excess)));
}

void Surrogate::visit(StateVisitor& visitor) {
  archive_.visit(visitor);
  model_.visit(visitor);
  frame_.visit(visitor);
  visitor.integer("is rejected", is_rejected_);
  visit_count(visitor, "injected fits", injected_fits_);
  visit_count(visitor, "pause", pause_);
  visit_count(visitor, "next pause", next_pause_);
  visit_count(visitor, "rejections", rejections_);
  visit_count(visitor, "rest", rest_);
  visit_count(visitor, "next rest", next_rest_);
  visit_count(visitor, "promised fits", promised_fits_);
  visit_count(visitor, "poor promises", poor_promises_);
  visitor.scalar("model budget", rules_.budget.seconds);
  visitor.scalar("model budget an evaluation", rules_.budget.seconds_an_evaluation);
  visitor.scalar("fitted seconds", fitted_seconds_);
  visitor.integer("is off", is_off_);
  visitor.matrix("points", points_);
  visitor.vector("true values", true_values_);
  visitor.vector("told", told_);
  visitor.vector("is known", is_known_);
  visitor.integer("has injection", has_injection_);
  visit_count(visitor, "known", known_);
  visit_count(visitor, "number", number_);
  visitor.integer("is complete", is_complete_);
  visitor.scalar("tau", tau_);
  if (!is_complete()) choose();
}

}  // namespace surefoot
