#include "model/residuals/residual_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/linear_algebra/symmetric_eigen.hpp"
#include "core/visit_count.hpp"
#include "driver/draws.hpp"
#include "model/residuals/infinity.hpp"
#include "surefoot/normal_source.hpp"

namespace surefoot {
namespace {

constexpr Index drawn_before_a_run = 4;

FitRun::End checked_end(std::int64_t number) {
  constexpr auto last = static_cast<std::int64_t>(FitRun::End::failed);
  if (number < 0 || number > last) reject("checkpoint: end", number, "it must be from 0 to " + text(last));
  return static_cast<FitRun::End>(number);
}

/// The fit whose length scale is the most likely one, where a search takes one step towards it per evaluation.
std::optional<KernelFit> settled_fit(const FitArchive& archive, KernelFit::Request request) {
  constexpr int most_steps = 20;
  std::optional<KernelFit> fit = KernelFit::build(archive, request);
  for (int k = 0; k < most_steps && fit && fit->scale().rho != request.scale.rho; ++k) {
    request.scale = fit->scale();
    fit = KernelFit::build(archive, request);
  }
  return fit;
}

}  // namespace

ResidualSearch::ResidualSearch(const FitDomain& domain, const FitSettings& settings)
    : coordinates_(domain),
      settings_(settings),
      world_{FitArchive(coordinates_.dimension(), 4 * most_fit_points(coordinates_.dimension())), coordinates_.lower(),
             coordinates_.upper(), settings.ftol} {
  if (settings.batch < 1) reject("batch", settings.batch, "it must be at least 1");
  if (settings.restarts < -1) reject("restarts", settings.restarts, "it must be at least 0, or -1 without a limit");
  if (!(settings.ftol >= 0 && settings.ftol < 1)) reject("ftol", settings.ftol, "it must be from 0 to below 1");
  if (!(settings.noise >= 0 && std::isfinite(settings.noise)))
    reject("noise", settings.noise, "it must not be negative");
  world_.noise.is_tested = !settings.tests_noise || settings.noise > 0;
  const Index d = coordinates_.dimension();
  const std::int64_t lanes = settings.restarts == 0 || d == 0 ? 1 : std::max<std::int64_t>(1, settings.batch / (d + 1));
  for (std::int64_t k = 0; k < lanes; ++k) lanes_.push_back({FitRun(d, settings.batch / lanes)});
  for (Lane& lane : lanes_) begin(lane);
}

/// Uniform in the box. A coordinate without two bounds is normal around x0, wider from restart to restart.
Vector ResidualSearch::drawn_point() {
  Matrix z(coordinates_.dimension(), 1);
  CounterNormals(settings_.seed).fill(static_cast<std::uint64_t>(draws_++), z);
  const double width = std::ldexp(0.25, static_cast<int>(std::min<std::int64_t>(begun_, 3)));
  Vector u(z.rows());
  for (Index k = 0; k < u.size(); ++k) {
    const double low = world_.lower[k];
    const double high = world_.upper[k];
    u[k] = std::isfinite(low) && std::isfinite(high) ? low + (high - low) * uniform_of(z(k, 0)) : width * z(k, 0);
    u[k] = std::clamp(u[k], low, high);
  }
  return u;
}

Matrix ResidualSearch::drawn(Index count) {
  Matrix points(coordinates_.dimension(), count);
  for (Index j = 0; j < count; ++j) points.col(j) = drawn_point();
  return points;
}

void ResidualSearch::begin(Lane& lane) {
  const bool is_first = begun_ == 0;
  // A start around which nothing could be evaluated is no run.
  const auto failed = std::count_if(runs_.begin(), runs_.end(),
                                    [](const FitRunSummary& run) { return run.end == FitRun::End::failed; });
  lane.is_idle = is_finished_ || (settings_.restarts >= 0 && begun_ - failed > settings_.restarts);
  if (lane.is_idle) return;
  const Matrix starts =
      is_first && settings_.starts_at_x0 ? Matrix(Vector::Zero(coordinates_.dimension())) : drawn(drawn_before_a_run);
  lane.run.begin(world_, begun_++, starts);
}

Matrix ResidualSearch::ask() const {
  Matrix points(coordinates_.user_dimension(), 0);
  if (is_finished_) return points;
  for (const Lane& lane : lanes_) {
    if (lane.is_idle) continue;
    const Matrix round = coordinates_.to_user(lane.run.round());
    points.conservativeResize(Eigen::NoChange, points.cols() + round.cols());
    points.rightCols(round.cols()) = round;
  }
  return points;
}

void ResidualSearch::tell(const Matrix& residuals) {
  Index asked = 0;
  for (const Lane& lane : lanes_) asked += lane.is_idle ? 0 : lane.run.round().cols();
  if (residuals.cols() > asked) reject("residuals", text(residuals.cols()) + " columns", "one per point asked for");
  const bool is_any_finite = residuals.cols() > 0 && residuals.rows() > 0;
  if (residuals_count_ > 0 && is_any_finite && residuals.rows() != residuals_count_) {
    reject("residuals", text(residuals.rows()) + " numbers",
           "their number must not change; it was " + text(residuals_count_));
  }
  ++rounds_;
  Index first = 0;
  for (Lane& lane : lanes_) {
    if (lane.is_idle) continue;
    const Index count = std::min(lane.run.round().cols(), residuals.cols() - first);
    if (count > 0) take_lane(lane, residuals.middleCols(first, count));
    first += count;
  }
  for (Lane& lane : lanes_) {
    if (!lane.is_idle && lane.run.end() != FitRun::End::none) follow(lane);
  }
  is_finished_ =
      is_finished_ || std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.is_idle; });
}

void ResidualSearch::take_lane(Lane& lane, const Matrix& residuals) {
  const Matrix round = lane.run.round();
  std::vector<Index> told;
  for (Index j = 0; j < residuals.cols(); ++j) {
    told.push_back(take_point(round.col(j), residuals.col(j)));
  }
  lane.run.learn(world_, told);
}

Index ResidualSearch::take_point(const Vector& u, const Vector& told) {
  ++evaluations_;
  Vector r = told.allFinite() && told.size() > 0 ? settings_.loss(told) : Vector();
  if (r.size() == 0 || !std::isfinite(r.squaredNorm())) {
    ++failed_;
    return -1;
  }
  if (residuals_count_ == 0) {
    residuals_count_ = r.size();
    world_.noise.variance = settings_.noise * settings_.noise * static_cast<double>(r.size());
    first_f_ = r.squaredNorm();
  }
  const Index i = world_.archive.add(u, std::move(r), in_use());
  if (best_ < 0 || world_.archive.f(i) < world_.archive.f(best_)) {
    best_ = i;
    best_residuals_ = told;
  }
  return i;
}

/// What comes after a run: a rough one from its best point, another start, or the end.
void ResidualSearch::follow(Lane& lane) {
  FitRun& run = lane.run;
  if (run.best() >= 0 && run.best() == best_) ended_ = Ended{run.request(world_, best_), run.end()};
  const bool is_smooth = !run.is_rough() && !(world_.noise.variance > 0);
  if (run.end() == FitRun::End::stuck && is_smooth && !is_finished_) return run.begin_rough(world_);
  const double f = run.best() < 0 ? std::numeric_limits<double>::quiet_NaN() : world_.archive.f(run.best());
  runs_.push_back({run.evaluations(), f, run.end(), run.is_rough()});
  if (has_best() && this->f() <= 1e-26 * first_f_) is_finished_ = true;
  begin(lane);
}

std::vector<Index> ResidualSearch::in_use() const {
  std::vector<Index> in_use;
  if (best_ >= 0) in_use.push_back(best_);
  for (const Lane& lane : lanes_) lane.run.list_in_use(in_use);
  return in_use;
}

Vector ResidualSearch::x() const {
  return has_best() ? coordinates_.to_user(Vector(world_.archive.u(best_))) : coordinates_.domain().x0;
}

double ResidualSearch::f() const { return has_best() ? world_.archive.f(best_) : fit_infinity; }

const FitRun* ResidualSearch::run_of_best() const {
  for (const Lane& lane : lanes_) {
    if (!lane.is_idle && has_best() && lane.run.best() == best_) return &lane.run;
  }
  return nullptr;
}

FitRun::End ResidualSearch::best_end() const {
  if (const FitRun* run = run_of_best()) return run->end();
  return ended_ && ended_->request.centre == best_ ? ended_->end : FitRun::End::none;
}

std::optional<ResidualSearch::Slopes> ResidualSearch::slopes() const {
  if (!has_best() || coordinates_.dimension() == 0) return {};
  const FitRun* run = run_of_best();
  if (run == nullptr && !ended_) return {};
  KernelFit::Request request = run != nullptr ? run->request(world_, best_) : ended_->request;
  const std::optional<KernelFit> fit = settled_fit(world_.archive, request);
  if (!fit) return {};
  const Vector x_per_u = coordinates_.slopes(world_.archive.u(best_));
  Slopes slopes{fit->full_jacobian(world_.archive), fit->jacobian_deviations().cwiseQuotient(x_per_u)};
  for (Index k = 0; k < x_per_u.size(); ++k) slopes.jacobian.col(k) /= x_per_u[k];
  slopes.uncertainty = Eigen::SelfAdjointEigenSolver<Matrix>(fit->gradient_covariance(), Eigen::EigenvaluesOnly)
                           .eigenvalues()
                           .tail(1)[0];
  return slopes;
}

std::vector<int> ResidualSearch::active() const {
  return has_best() ? coordinates_.active(world_.archive.u(best_)) : std::vector<int>(coordinates_.free().size(), 0);
}

void ResidualSearch::visit(StateVisitor& visitor) {
  auto dimension = static_cast<std::int64_t>(coordinates_.dimension());
  std::int64_t batch = settings_.batch;
  visitor.integer("dimension", dimension);
  visitor.integer("batch", batch);
  if (dimension != coordinates_.dimension()) reject("checkpoint: dimension", dimension, "another one than this fit's");
  if (batch != settings_.batch) reject("batch", settings_.batch, "the checkpoint has " + text(batch));
  world_.archive.visit(visitor);
  world_.noise.visit(visitor);
  for (Lane& lane : lanes_) {
    std::int64_t is_idle = lane.is_idle ? 1 : 0;
    visitor.integer("is_idle", is_idle);
    lane.is_idle = is_idle != 0;
    lane.run.visit(visitor);
  }
  visit_counts(visitor);
  visit_runs(visitor);
  visit_ended(visitor);
  if (visitor.is_restoring()) check_restored();
}

void ResidualSearch::visit_counts(StateVisitor& visitor) {
  visit_count(visitor, "begun", begun_);
  visit_count(visitor, "draws", draws_);
  visit_count(visitor, "nfev", evaluations_);
  visit_count(visitor, "nfailed", failed_);
  visit_count(visitor, "rounds", rounds_);
  visit_count(visitor, "m", residuals_count_);
  std::int64_t is_finished = is_finished_ ? 1 : 0;
  visitor.integer("is_finished", is_finished);
  is_finished_ = is_finished != 0;
  std::int64_t best = best_ + 1;
  visit_count(visitor, "best_point", best);
  best_ = static_cast<Index>(best) - 1;
  visitor.scalar("first_f", first_f_);
  if (visitor.is_restoring()) best_residuals_.resize(0);
  visitor.vector("best_residuals", best_residuals_);
}

void ResidualSearch::visit_runs(StateVisitor& visitor) {
  auto count = static_cast<std::int64_t>(runs_.size());
  visit_count(visitor, "runs", count);
  if (count > begun_) reject("checkpoint: runs", count, "more than have begun");
  runs_.resize(static_cast<std::size_t>(count));
  for (FitRunSummary& run : runs_) {
    auto end = static_cast<std::int64_t>(run.end);
    std::int64_t is_rough = run.is_rough ? 1 : 0;
    visit_count(visitor, "run_nfev", run.evaluations);
    visitor.scalar("run_f", run.f);
    visitor.integer("run_end", end);
    visitor.integer("run_is_rough", is_rough);
    run.end = checked_end(end);
    run.is_rough = is_rough != 0;
  }
}

void ResidualSearch::visit_ended(StateVisitor& visitor) {
  std::int64_t has_ended = ended_ ? 1 : 0;
  visitor.integer("has_ended", has_ended);
  if (has_ended == 0) {
    ended_.reset();
    return;
  }
  if (!ended_) ended_.emplace();
  KernelFit::Request& request = ended_->request;
  std::int64_t centre = request.centre;
  std::int64_t chooses_noise = request.chooses_noise ? 1 : 0;
  auto end = static_cast<std::int64_t>(ended_->end);
  visit_count(visitor, "ended_centre", centre);
  if (visitor.is_restoring()) request.metric.resize(0);
  visitor.vector("ended_metric", request.metric);
  visitor.scalar("ended_rho", request.scale.rho);
  visitor.scalar("ended_s", request.scale.s);
  visitor.scalar("ended_S2", request.scale.S2);
  visitor.scalar("ended_noise", request.noise);
  visitor.integer("ended_chooses_noise", chooses_noise);
  visitor.integer("ended_end", end);
  request.centre = static_cast<Index>(centre);
  request.chooses_noise = chooses_noise != 0;
  ended_->end = checked_end(end);
}

/// Points and sizes that were read are those of this search.
void ResidualSearch::check_restored() const {
  std::vector<Index> points = in_use();
  const Index d = coordinates_.dimension();
  if (ended_ && ended_->request.metric.size() != d) reject("checkpoint: ended_metric", "", "another size");
  if (ended_) points.push_back(ended_->request.centre);
  for (const Index i : points) {
    if (i >= world_.archive.size()) reject("checkpoint: point", text(i), "more than the archive has");
  }
  if (world_.archive.dimension() != d) reject("checkpoint: u", text(world_.archive.dimension()), "another dimension");
}

}  // namespace surefoot
