#include "model/residuals/fit_run.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/symmetric_eigen.hpp"
#include "core/visit_count.hpp"
#include "model/residuals/infinity.hpp"

namespace surefoot {
namespace {

constexpr double first_rho = 0.3;
constexpr double short_difference = 0.02;  // in units of rho
constexpr double hopeless = 1e8;           // a point is a failure if f is this much larger than at the centre
constexpr double known_gradient = 0.05;
constexpr double unknown_gradient = 0.3;
constexpr std::int64_t most_idle_steps = 12;

bool is_inside(const FitWorld& world, const Vector& u) {
  return (u.array() >= world.lower.array()).all() && (u.array() <= world.upper.array()).all();
}

/// at + step, or at - step where the box ends, or each coordinate as it fits.
Vector placed(const FitWorld& world, const Vector& at, const Vector& step) {
  if (is_inside(world, at + step)) return at + step;
  if (is_inside(world, at - step)) return at - step;
  Vector u = at + step;
  for (Index i = 0; i < u.size(); ++i) {
    if (u[i] < world.lower[i] || u[i] > world.upper[i]) u[i] = at[i] - step[i];
  }
  return u.cwiseMax(world.lower).cwiseMin(world.upper);
}

/// How long differences must be for noise of this variance, in units of rho: the error by noise is as large as that by
/// curvature.
double length_for_noise(double s) { return std::clamp(std::sqrt(2.83 * std::sqrt(s)), short_difference, 0.7); }

void visit_flag(StateVisitor& visitor, std::string_view name, bool& flag) {
  std::int64_t number = flag ? 1 : 0;
  visitor.integer(name, number);
  flag = number != 0;
}

template <class Enum>
void visit_enum(StateVisitor& visitor, std::string_view name, Enum& value, Enum last) {
  auto number = static_cast<std::int64_t>(value);
  visitor.integer(name, number);
  if (number < 0 || number > static_cast<std::int64_t>(last)) {
    reject("checkpoint: " + std::string(name), number, "it must be from 0 to " + text(static_cast<int>(last)));
  }
  value = static_cast<Enum>(number);
}

/// An index, -1 for none.
void visit_index(StateVisitor& visitor, std::string_view name, Index& index) {
  std::int64_t next = index + 1;
  visit_count(visitor, name, next);
  index = static_cast<Index>(next) - 1;
}

}  // namespace

void MeasuredNoise::visit(StateVisitor& visitor) {
  visit_flag(visitor, "noise_is_tested", is_tested);
  visitor.scalar("noise_variance", variance);
  visitor.scalar("noise_f", f);
}

FitRun::FitRun(Index dimension, Index batch) : d_(dimension), batch_(batch), queue_(dimension, 0) {}

void FitRun::restart_at(Index centre) {
  centre_ = best_ = centre;
  slopes_.resize(0);
  scale_ = {};
  cap_ = fit_infinity;
  uncertainty_ = 1;
  last_ = Last::good_step;
  idle_steps_ = 0;
}

void FitRun::begin(const FitWorld& world, std::int64_t number, const Matrix& starts) {
  number_ = number;
  end_ = End::none;
  is_rough_ = false;
  evaluations_ = 0;
  restart_at(-1);
  begins_with_differences_ = starts.cols() == 1 && batch_ > 1;
  if (!begins_with_differences_) {
    plan(Phase::start, starts);
    return;
  }
  const bool repeats = !world.noise.is_tested;
  Matrix points(d_, d_ + (repeats ? 2 : 1));
  points.leftCols(d_ + 1) << starts, differences(world, starts.col(0));
  if (repeats) points.col(d_ + 1) = starts.col(0);
  plan(Phase::start, points);
}

void FitRun::begin_rough(const FitWorld& world) {
  end_ = End::none;
  is_rough_ = true;
  restart_at(best_);
  plan_differences(world);
}

void FitRun::finish(End end) {
  end_ = end;
  queue_.resize(d_, 0);
  told_.clear();
}

Matrix FitRun::round() const {
  const auto done = static_cast<Index>(told_.size());
  return queue_.middleCols(done, std::min(batch_, queue_.cols() - done));
}

void FitRun::learn(FitWorld& world, std::span<const Index> told) {
  for (const Index i : told) {
    ++evaluations_;
    told_.push_back(i);
    note_best(world.archive, i);
  }
  if (static_cast<Index>(told_.size()) == queue_.cols()) finish_phase(world);
}

void FitRun::note_best(const FitArchive& archive, Index i) {
  if (i >= 0 && (best_ < 0 || archive.f(i) < archive.f(best_))) best_ = i;
}

void FitRun::list_in_use(std::vector<Index>& in_use) const {
  for (const Index i : {centre_, best_}) {
    if (i >= 0) in_use.push_back(i);
  }
  for (const Index i : told_) {
    if (i >= 0) in_use.push_back(i);
  }
}

void FitRun::plan(Phase phase, Matrix points) {
  phase_ = phase;
  queue_ = std::move(points);
  told_.clear();
}

double FitRun::first_length(const FitWorld& world) const {
  if (!(world.noise.variance > 0) || centre_ < 0) return short_difference;
  return length_for_noise(world.noise.variance / world.archive.f(centre_));
}

Matrix FitRun::differences(const FitWorld& world, const Vector& at) const {
  Matrix points(d_, d_);
  const double h = first_length(world) * first_rho;
  for (Index k = 0; k < d_; ++k) points.col(k) = placed(world, at, h * Vector::Unit(d_, k));
  return points;
}

void FitRun::plan_differences(const FitWorld& world) {
  plan(Phase::differences, differences(world, world.archive.u(centre_)));
}

void FitRun::finish_phase(FitWorld& world) {
  switch (phase_) {
    case Phase::start: return finish_start(world);
    case Phase::repeat: measure_noise(world, told_[0]); return plan_differences(world);
    case Phase::differences: return finish_differences(world, 0);
    case Phase::retries: return begin_steps(world);
    case Phase::geometry:
      centre_ = best_;
      last_ = Last::geometry;
      return plan_next(world);
    case Phase::step: return finish_step(world);
    case Phase::later_repeat: measure_noise(world, told_[0]); return finish_round_of_steps(world);
  }
}

void FitRun::finish_start(FitWorld& world) {
  if (best_ < 0) return finish(End::failed);
  if (d_ == 0) return finish(End::converged);
  if (begins_with_differences_ && told_[0] >= 0) {
    centre_ = told_[0];
    if (static_cast<Index>(told_.size()) > d_ + 1) measure_noise(world, told_.back());
    // Noise wants longer differences than those that are there.
    if (first_length(world) > 2 * short_difference) return plan_differences(world);
    return finish_differences(world, 1);
  }
  centre_ = best_;
  if (world.noise.is_tested) return plan_differences(world);
  plan(Phase::repeat, world.archive.u(centre_));
}

void FitRun::measure_noise(FitWorld& world, Index again) const {
  if (again < 0) return;
  const double variance = (world.archive.r(again) - world.archive.r(centre_)).squaredNorm() / 2;
  world.noise.is_tested = true;
  if (variance <= 1e-20 * world.archive.f(centre_)) return;
  world.noise.variance = variance;
  world.noise.f = world.archive.f(centre_);
}

/// A difference that has failed is tried once more, to the other side and shorter.
void FitRun::finish_differences(FitWorld& world, Index first) {
  const Vector at = world.archive.u(centre_);
  Matrix retries(d_, 0);
  for (Index k = 0; k < d_; ++k) {
    if (told_[static_cast<std::size_t>(first + k)] >= 0) continue;
    retries.conservativeResize(Eigen::NoChange, retries.cols() + 1);
    retries.rightCols(1) = placed(world, at, (at - queue_.col(first + k)) / 4);
  }
  if (retries.cols() > 0) return plan(Phase::retries, retries);
  begin_steps(world);
}

/// The metric comes from differences around the start, the first step from the best of these points.
void FitRun::begin_steps(FitWorld& world) {
  if (world.archive.f(best_) == 0) return finish(End::converged);
  if (!fit_at(world, centre_)) return finish(End::failed);
  scale_.rho = first_rho;
  centre_ = best_;
  if (!fit_at(world, centre_)) return finish(End::failed);
  progress_f_ = world.archive.f(best_);
  progress_at_ = evaluations_;
  plan_next(world);
}

KernelFit::Request FitRun::request(const FitWorld& world, Index centre) const {
  KernelFit::Request request{centre, Vector::Ones(d_), scale_, world.noise.variance, is_rough_};
  if (slopes_.size() == 0 || !(slopes_.maxCoeff() > 0)) return request;
  // The square root of each slope in units of their geometric mean.
  const Vector slopes = slopes_.cwiseMax(1e-6 * slopes_.maxCoeff());
  request.metric = (slopes / elementary::exp(elementary::mean_log(slopes))).cwiseSqrt();
  return request;
}

std::optional<KernelFit> FitRun::fit_at(const FitWorld& world, Index centre) {
  const KernelFit::Request request = this->request(world, centre);
  std::optional<KernelFit> fit = KernelFit::build(world.archive, request);
  if (!fit) return fit;
  scale_ = fit->scale();
  slopes_ = fit->jacobian().colwise().norm().transpose().cwiseProduct(request.metric) / scale_.rho;
  return fit;
}

double FitRun::difference_length(double step_length) const {
  if (scale_.s > 0) return length_for_noise(scale_.s);
  if (!(step_length > 0)) return short_difference;
  return std::clamp(step_length / 10, short_difference / 10, short_difference);
}

bool FitRun::is_step_tiny(const FitWorld& world, double step_length) const {
  const double f = world.archive.f(centre_);
  const double by_noise = 0.03 * std::sqrt(world.noise.variance * f / static_cast<double>(world.archive.residuals()));
  return predicted_ <= world.ftol * f || predicted_ < by_noise || scale_.rho * step_length < 1e-11;
}

void FitRun::plan_next(FitWorld& world) {
  if (world.archive.f(centre_) == 0) return finish(End::converged);
  const std::optional<KernelFit> fit = fit_at(world, centre_);
  if (!fit) return finish(End::stuck);
  const double f = world.archive.f(centre_);
  const Vector at = world.archive.u(centre_);
  const FitStep step = least_phi(*fit, fit->to_w(world.lower - at), fit->to_w(world.upper - at), cap_ / scale_.rho);
  uncertainty_ =
      Eigen::SelfAdjointEigenSolver<Matrix>(fit->gradient_covariance(), Eigen::EigenvaluesOnly).eigenvalues()[d_ - 1];
  predicted_ = f - step.mean_square;
  const double length = step.w.norm();
  step_length_ = scale_.rho * length;
  if (is_step_tiny(world, length) && uncertainty_ < known_gradient) return finish(End::converged);
  if (last_ == Last::poor_step && uncertainty_ > unknown_gradient) return plan_geometry(world, *fit);
  plan_step(world, *fit, step.w);
}

/// Differences along the directions of which least is known.
void FitRun::plan_geometry(const FitWorld& world, const KernelFit& fit) {
  const Matrix axes = fit.unknown_directions();
  const double h = difference_length(step_length_ / scale_.rho);
  const Vector at = world.archive.u(centre_);
  Matrix points(d_, 0);
  for (Index k = 0; k < d_ && k < batch_; ++k) {
    if (k > 0 && !(fit.uncertainty(axes.col(k)) > unknown_gradient)) break;
    points.conservativeResize(Eigen::NoChange, k + 1);
    points.col(k) = placed(world, at, fit.to_u(h * fit.downhill(axes.col(k))));
  }
  plan(Phase::geometry, points);
}

/// The step, and with several workers differences around it.
void FitRun::plan_step(const FitWorld& world, const KernelFit& fit, const Vector& w) {
  const Vector to = (world.archive.u(centre_) + fit.to_u(w)).cwiseMax(world.lower).cwiseMin(world.upper);
  const Index differences = std::min(batch_ - 1, d_);
  Matrix points(d_, 1 + differences);
  points.col(0) = to;
  if (differences > 0) {
    const Matrix axes = fit.unknown_directions();
    const double h = difference_length(w.norm());
    for (Index k = 0; k < differences; ++k) {
      points.col(1 + k) = placed(world, to, fit.to_u(h * fit.downhill(axes.col(k))));
    }
  }
  plan(Phase::step, points);
}

void FitRun::finish_step(FitWorld& world) {
  const Index i = told_[0];
  const double f = world.archive.f(centre_);
  const double reached = i < 0 ? fit_infinity : world.archive.f(i);
  if (reached > hopeless * f) {
    cap_ = step_length_ / 4;
  } else if (reached < f) {
    cap_ *= 2;
  }
  const double ratio = i < 0 ? -1 : (f - reached) / std::max(predicted_, 1e-300);
  last_ = ratio < 0.5 ? Last::poor_step : Last::good_step;
  const bool is_better = world.archive.f(best_) < f;
  idle_steps_ = is_better ? 0 : idle_steps_ + 1;
  if (world.noise.variance > 0 && world.archive.f(best_) < world.noise.f / 4) {
    centre_ = best_;
    return plan(Phase::later_repeat, world.archive.u(centre_));
  }
  if (is_better) centre_ = best_;
  finish_round_of_steps(world);
}

void FitRun::finish_round_of_steps(FitWorld& world) {
  if (world.noise.variance > 0) find_centre_under_noise(world);
  const double f = world.archive.f(best_);
  if (f < progress_f_ * (1 - 1e-4)) {
    progress_f_ = f;
    progress_at_ = evaluations_;
  } else if (evaluations_ - progress_at_ > 4 * d_ + 8) {
    return finish(End::stuck);
  }
  if (idle_steps_ > most_idle_steps) return finish(End::stuck);
  plan_next(world);
}

/// The point of the archive with the least expected f: under noise the best value is luck.
void FitRun::find_centre_under_noise(const FitWorld& world) {
  const std::optional<KernelFit> fit = fit_at(world, centre_);
  if (!fit || fit->points() <= d_) return;
  const double S2 = fit->scale().S2;
  const auto expected = [&fit, S2](const Vector& w) {
    const KernelFit::Value value = fit->at(w);
    return value.mean.squaredNorm() + S2 * value.variance;
  };
  double least = expected(Vector::Zero(d_));
  for (Index j = 0; j < fit->points(); ++j) {
    const double value = expected(fit->w(j));
    if (!(value < least)) continue;
    least = value;
    centre_ = fit->near()[static_cast<std::size_t>(j)];
    idle_steps_ = 0;
  }
}

void FitRun::visit(StateVisitor& visitor) {
  visit_count(visitor, "number", number_);
  visit_enum(visitor, "phase", phase_, Phase::later_repeat);
  visit_enum(visitor, "last", last_, Last::geometry);
  visit_enum(visitor, "end", end_, End::failed);
  visit_flag(visitor, "is_rough", is_rough_);
  visit_flag(visitor, "begins_with_differences", begins_with_differences_);
  visit_index(visitor, "centre", centre_);
  visit_index(visitor, "best", best_);
  visitor.scalar("rho", scale_.rho);
  visitor.scalar("s", scale_.s);
  visitor.scalar("S2", scale_.S2);
  visitor.scalar("cap", cap_);
  visitor.scalar("uncertainty", uncertainty_);
  visitor.scalar("predicted", predicted_);
  visitor.scalar("step_length", step_length_);
  visit_count(visitor, "idle_steps", idle_steps_);
  visit_count(visitor, "evaluations", evaluations_);
  visitor.scalar("progress_f", progress_f_);
  visit_count(visitor, "progress_at", progress_at_);
  if (visitor.is_restoring()) {  // of any size
    queue_.resize(0, 0);
    slopes_.resize(0);
  }
  visitor.vector("slopes", slopes_);
  visitor.matrix("queue", queue_);
  auto count = static_cast<std::int64_t>(told_.size());
  visit_count(visitor, "told", count);
  if (count > queue_.cols()) reject("checkpoint: told", count, "more than the points of a round");
  told_.resize(static_cast<std::size_t>(count));
  for (Index& i : told_) visit_index(visitor, "told_point", i);
  check_restored();
}

/// What was read has the sizes of this search.
void FitRun::check_restored() {
  if (queue_.cols() == 0) queue_.resize(d_, 0);
  if (queue_.rows() != d_) reject("checkpoint: queue", text(queue_.rows()), "another dimension");
  if (slopes_.size() != 0 && slopes_.size() != d_) reject("checkpoint: slopes", text(slopes_.size()), "another size");
}

}  // namespace surefoot
