#include "surefoot/optimizer.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/stop_criteria.hpp"

namespace surefoot {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index largest_size = (Index{1} << 24) - 1;  // what the counters of the normals can tell apart

Vector checked_start(const Vector& x0) {
  if (x0.size() < 1) reject("x0", "an empty list", "it needs at least one coordinate");
  if (x0.size() > largest_size) reject("x0", "a list of " + text(x0.size()) + " numbers", "too many coordinates");
  for (Index j = 0; j < x0.size(); ++j) {
    if (!std::isfinite(x0[j])) reject("x0[" + text(j) + "]", x0[j], "it must be finite");
  }
  return x0;
}

std::uint64_t seed_from_system() {
  std::random_device device;
  return (std::uint64_t{device()} << 32U) | device();
}

/// Every default filled in, so that the rest of the driver knows no optional but ftarget and the budgets.
Options completed(Options options, Index dimension) {
  if (options.ftarget && std::isnan(*options.ftarget)) reject("ftarget", *options.ftarget, "it must be a number");
  if (options.maxfevals && *options.maxfevals < 1) reject("maxfevals", *options.maxfevals, "it must be at least 1");
  if (options.maxiter && *options.maxiter < 1) reject("maxiter", *options.maxiter, "it must be at least 1");
  if (!options.popsize) options.popsize = default_popsize(dimension);
  if (*options.popsize < 2 || *options.popsize > largest_size) {
    reject("popsize", *options.popsize, "it must be from 2 to " + text(largest_size));
  }
  if (!options.maxfevals && !options.maxiter) options.maxiter = default_maxiter(dimension, *options.popsize);
  if (!options.seed) options.seed = seed_from_system();
  return options;
}

}  // namespace

std::int64_t default_maxiter(std::int64_t dimension, std::int64_t popsize) {
  const auto d = static_cast<double>(dimension);
  return 100 + static_cast<std::int64_t>(150 * (d + 3) * (d + 3) / std::sqrt(static_cast<double>(popsize)));
}

Optimizer::Optimizer(const Point& x0, const Sigma0& sigma0, Options options)
    : Optimizer(x0, sigma0, std::move(options), nullptr) {}

Optimizer::Optimizer(const Point& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals)
    : options_(completed(std::move(options), checked_start(x0.vector()).size())),
      normals_(normals ? std::move(normals) : std::make_unique<CounterNormals>(*options_.seed)),
      strategy_(make_strategy(options_.method, {.start = SearchDistribution::axis_parallel(
                                                    x0.vector(), sigma0.per_coordinate(x0.vector().size())),
                                                .popsize = static_cast<Index>(*options_.popsize),
                                                .learning_rate = options_.learning_rate,
                                                .observed = static_cast<bool>(options_.observer)})),
      degeneracy_(std::make_unique<DegeneracyTest>(x0.vector().size())),
      best_f_(nan),
      generation_best_f_(nan),
      condition_(nan),
      best_x_(x0.vector()) {}

Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;
Optimizer::~Optimizer() = default;

const Matrix& Optimizer::ask() {
  if (population_ == nullptr) population_ = &strategy_->ask(static_cast<std::uint64_t>(nit_), *normals_);
  return *population_;
}

void Optimizer::tell(const Vector& values) {
  if (population_ == nullptr)
    throw std::invalid_argument("tell: there is no population to have values; call ask first");
  tell(*population_, values);
}

/// The order of the paper's program: evaluate, test for the end, update. The last population causes no update.
void Optimizer::tell(const Matrix& candidates, const Vector& values) {
  count(candidates, values);
  stop_ = met_target_or_budget();
  if (!stop()) {
    strategy_->tell(candidates, values);
    // After the update, so that a distribution which cannot be sampled is never handed to the objective.
    stop_ = met_degeneracy();
  }
  population_ = nullptr;
  notify();
}

void Optimizer::count(const Matrix& candidates, const Vector& values) {
  const Index d = best_x_.size();
  if (stop()) throw std::invalid_argument("tell: the search has stopped (" + std::string(name(stop_)) + ")");
  if (population_ == nullptr) throw std::invalid_argument("tell: call ask first");
  if (candidates.rows() != d || candidates.cols() != popsize()) {
    reject("tell: candidates", "a " + text(candidates.rows()) + " x " + text(candidates.cols()) + " matrix",
           "it must be d x popsize, " + text(d) + " x " + text(popsize()));
  }
  if (values.size() != popsize()) {
    reject("tell: values", "a list of " + text(values.size()) + " numbers",
           "one per candidate is needed, " + text(popsize()));
  }
  if (&candidates != population_ && !candidates.allFinite())
    throw std::invalid_argument("tell: candidates hold NaN or infinity; they must be finite");

  ++nit_;
  nfev_ += popsize();
  generation_best_f_ = nan;
  for (Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    if (!(generation_best_f_ <= values[i])) generation_best_f_ = values[i];
    if (best_f_ <= values[i]) continue;
    best_f_ = values[i];
    best_x_ = candidates.col(i);
  }
}

StopReason Optimizer::met_target_or_budget() const {
  if (options_.ftarget && best_f_ <= *options_.ftarget) return StopReason::ftarget;
  if (options_.maxfevals && nfev_ >= *options_.maxfevals) return StopReason::maxfevals;
  if (options_.maxiter && nit_ >= *options_.maxiter) return StopReason::maxiter;
  return StopReason::none;
}

StopReason Optimizer::met_degeneracy() {
  const StopReason cheap = cheap_degeneracy(*strategy_);
  if (cheap != StopReason::none) return cheap;
  // At this interval the O(d^3) test costs less than reading B once a generation.
  const std::int64_t interval = 10 + best_x_.size();
  return nit_ % interval == 0 ? (*degeneracy_)(distribution()) : StopReason::none;
}

void Optimizer::notify() {
  if (!options_.observer) return;
  const LearningRates rates = strategy_->rates();
  const PathLength path = strategy_->path().value_or(PathLength{nan, nan});
  // The O(d^3) of the condition would dwarf a generation of many dimensions.
  const std::int64_t interval = 1 + best_x_.size() / 20;
  if (nit_ % interval == 0 || nit_ == 1 || stop()) condition_ = distribution().condition();
  options_.observer({.generation = nit_,
                     .nfev = nfev_,
                     .best = best_f_,
                     .generation_best = generation_best_f_,
                     .sigma = distribution().sigma,
                     .eta_m = rates.mean,
                     .eta_sigma = rates.sigma,
                     .eta_B = rates.B,
                     .l_theta = path.l_theta,
                     .gamma = path.gamma,
                     .condition = condition_});
}

}  // namespace surefoot
