#include "surefoot/optimizer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <istream>
#include <iterator>
#include <limits>
#include <ostream>
#include <random>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/bound_transform.hpp"
#include "driver/checkpoint_file.hpp"
#include "driver/restart_schedule.hpp"
#include "driver/stop_criteria.hpp"

namespace surefoot {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index largest_size = (Index{1} << 24) - 1;  // what the counters of the normals can tell apart

// Generations of normals that no search reaches, for the draws of a restart.
constexpr std::uint64_t start_draw = (std::uint64_t{1} << 48U) - 1;
constexpr std::uint64_t schedule_draw = start_draw - 1;

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

void require_tolerance(const char* option, double value) {
  if (!(value >= 0)) reject(option, value, "it must be a number >= 0; 0 switches it off");
}

void check_tolerances(const Options& o) {
  require_tolerance("tolconditioncov", o.tolconditioncov);
  require_tolerance("tolflatfitness", o.tolflatfitness);
  require_tolerance("tolfun", o.tolfun);
  require_tolerance("tolfunhist", o.tolfunhist);
  require_tolerance("tolstagnation", static_cast<double>(o.tolstagnation.value_or(0)));
  require_tolerance("tolupsigma", o.tolupsigma);
  require_tolerance("tolx", o.tolx);
}

void check_failures(const FailurePolicy& policy) {
  if (policy.retry < 0) reject("failures: retry", policy.retry, "it must be at least 0");
  if (policy.generations < 1) reject("failures: generations", policy.generations, "it must be at least 1");
  if (!(policy.fraction >= 0 && policy.fraction <= 1)) {
    reject("failures: fraction", policy.fraction, "it must be from 0 to 1");
  }
}

/// Every default filled in but those of a run, which depend on its popsize.
Options completed(Options options, Index dimension) {
  if (options.ftarget && std::isnan(*options.ftarget)) reject("ftarget", *options.ftarget, "it must be a number");
  if (options.maxfevals && *options.maxfevals < 1) reject("maxfevals", *options.maxfevals, "it must be at least 1");
  if (options.maxiter && *options.maxiter < 1) reject("maxiter", *options.maxiter, "it must be at least 1");
  if (options.timeout) require_positive("timeout", *options.timeout);
  if (!options.popsize) options.popsize = default_popsize(dimension);
  if (*options.popsize < 2 || *options.popsize > largest_size) {
    reject("popsize", *options.popsize, "it must be from 2 to " + text(largest_size));
  }
  if (options.workers < 1 || options.workers > 10000) reject("workers", options.workers, "it must be from 1 to 10000");
  check_tolerances(options);
  check_failures(options.failures);
  if (!options.seed) options.seed = seed_from_system();
  return options;
}

double uniform_of(double normal) { return std::erfc(-normal / std::sqrt(2.0)) / 2; }

std::string listed_numbers(const Vector& numbers) {
  std::string list;
  for (const double number : numbers) list.append(list.empty() ? "" : ",").append(text(number));
  return list;
}

/// Ends at which restarting makes sense: the run is over, the search is not.
bool is_converged(StopReason reason) {
  switch (reason) {
    case StopReason::vanished:
    case StopReason::tolx:
    case StopReason::tolfun:
    case StopReason::tolfunhist:
    case StopReason::noeffectaxis:
    case StopReason::noeffectcoord: return true;
    default: return false;
  }
}

/// Quarter of the bounds' width where no sigma is given.
Vector start_deviations(const Sigma0& sigma0, const BoundTransform& bounds) {
  if (sigma0.is_given()) return bounds.searched(sigma0.per_coordinate(bounds.user_dimension()));
  if (!bounds.is_box()) {
    throw std::invalid_argument(
        "sigma0 is missing: give a standard deviation, or two finite bounds for every coordinate");
  }
  return bounds.searched((bounds.upper() - bounds.lower()) / 4);
}

/// A field of a checkpoint that must be what this search has.
void require_same(StateVisitor& visitor, const char* name, const std::string& ours) {
  std::string found = ours;
  visitor.text(name, found);
  if (found != ours) {
    reject(std::string("checkpoint: ") + name, "'" + found + "'", "this search has '" + ours + "'");
  }
}

}  // namespace

std::int64_t default_maxiter(std::int64_t dimension, std::int64_t popsize) {
  const auto d = static_cast<double>(dimension);
  return 100 + static_cast<std::int64_t>(150 * (d + 3) * (d + 3) / std::sqrt(static_cast<double>(popsize)));
}

class Optimizer::Impl {
 public:
  Impl(const Vector& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals)
      : bounds_(options.bounds, checked_start(x0)),
        has_given_seed_(options.seed.has_value()),
        options_(completed(std::move(options), bounds_.search_dimension())),
        given_normals_(std::move(normals)),
        start_mean_(bounds_.to_search(x0)),
        start_deviations_(start_deviations(sigma0, bounds_)),
        schedule_(options_.restarts, *options_.popsize),
        best_x_(x0) {
    begin_run(schedule_.first(), start_mean_);
  }

  Impl(const SearchDistribution& start, Options options)
      : bounds_(options.bounds, checked_start(start.mean)),
        has_given_seed_(options.seed.has_value()),
        options_(completed(std::move(options), start.dimension())),
        start_mean_(start.mean),
        start_deviations_(start.standard_deviations()),
        warm_start_(start),
        schedule_(options_.restarts, *options_.popsize),
        best_x_(start.mean) {
    if (bounds_.is_active()) throw std::invalid_argument("bounds: not together with a start distribution");
    begin_run(schedule_.first(), start_mean_);
  }

  const Matrix& ask() {
    if (population_ == nullptr) {
      population_ = &strategy_->ask(static_cast<std::uint64_t>(run_nit_), *normals_);
      if (bounds_.is_active()) bounds_.to_user(*population_, user_population_);
      generation_.start(user_population());
    }
    return user_population();
  }

  [[nodiscard]] bool is_asked() const { return population_ != nullptr; }

  Generation& generation() {
    ask();
    return generation_;
  }

  /// The order of the paper's program: evaluate, test for the end, update. The last population causes no update.
  void tell(const Matrix& candidates, const Vector& values) {
    check(candidates, values);
    count(candidates, values);
    Stop run_stop;
    stop_ = met_end();
    if (stop_) {
      keep_unapplied(candidates, values);
    } else {
      update(candidates, values);
      // After the update, so that a distribution which cannot be sampled is never handed to the objective.
      run_stop = criteria_->test(*strategy_, values, run_nit_);
      if (!run_stop) run_stop = met_run_budget();
    }
    if (!is_unapplied_) population_ = nullptr;
    notify(run_stop || stop_);
    if (!stop_ && run_stop) end_run(run_stop);
    if (stop_ && finished_runs_.size() <= static_cast<std::size_t>(run_)) close_run(stop_.reason);
  }

  void tell_generation() {
    if (population_ == nullptr) throw std::invalid_argument("tell: call ask first");
    if (!generation_.is_complete()) return abandon(cancel_reason());
    generation_.write_values(values_);
    tell(user_population(), values_);
  }

  void abandon(StopReason reason) {
    if (stop_) return;
    stop_ = reason == StopReason::timeout ? timed_out() : Stop{reason, "interrupted"};
    close_run(reason);
  }

  [[nodiscard]] Result result() const;

  [[nodiscard]] const Stop& stop() const { return stop_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] Strategy& strategy() const { return *strategy_; }
  [[nodiscard]] std::int64_t nfev() const { return nfev_; }
  [[nodiscard]] std::int64_t nit() const { return nit_; }

  void visit(StateVisitor& visitor, bool is_restoring);

 private:
  /// The last population causes no update. A checkpoint keeps it with its values, so that a search which goes on with a
  /// larger budget does the update then, as if it had never stopped.
  void keep_unapplied(const Matrix& candidates, const Vector& values) {
    is_unapplied_ = &candidates == &user_population();
    if (!is_unapplied_) return;
    for (Index i = 0; i < values.size(); ++i) {
      if (generation_.is_open(i)) generation_.restore(i, values[i], 1);
    }
  }

  /// Takes the count of an unapplied generation back (-1) or repeats it (1).
  void recount_unapplied(int sign) {
    nit_ += sign;
    run_nit_ += sign;
    nfev_ += sign * generation_.size();
    run_nfev_ += sign * generation_.size();
    nfailed_ += sign * last_failed_;
    std::swap(failed_generations_, failed_generations_before_);
  }

  [[nodiscard]] const Matrix& user_population() const { return bounds_.is_active() ? user_population_ : *population_; }

  /// Made when it is needed: kept, its d x d matrix would cost as much as the search's own.
  [[nodiscard]] SearchDistribution first_distribution() const {
    return warm_start_ ? *warm_start_ : SearchDistribution::axis_parallel(start_mean_, start_deviations_);
  }

  void begin_run(const RunPlan& plan, const Vector& mean) {
    plan_ = plan;
    run_mean_ = mean;
    run_nit_ = run_nfev_ = 0;
    run_best_ = nan;
    SearchDistribution start = first_distribution();
    start.mean = mean;
    start.sigma *= plan.sigma_factor;
    if (!given_normals_) own_normals_.emplace(*options_.seed, static_cast<std::uint32_t>(run_));
    normals_ = given_normals_ ? given_normals_.get() : &*own_normals_;
    criteria_ = std::make_unique<RunCriteria>(options_, start, static_cast<Index>(plan.popsize));
    strategy_ = make_strategy(options_.method, {.start = std::move(start),
                                                .popsize = static_cast<Index>(plan.popsize),
                                                .learning_rate = options_.learning_rate,
                                                .observed = static_cast<bool>(options_.observer)});
    generation_.on_cancel([this] { return cancel_reason() != StopReason::none; });
  }

  void close_run(StopReason reason) {
    finished_runs_.push_back({plan_.popsize, plan_.sigma_factor, run_nfev_, run_nit_, run_best_, reason});
  }

  /// Goes on with another run if there is one, otherwise ends the search.
  void end_run(const Stop& run_stop) {
    close_run(run_stop.reason);
    Matrix draws(1, 2);
    CounterNormals(*options_.seed, static_cast<std::uint32_t>(run_)).fill(schedule_draw, draws);
    const auto plan = schedule_.next(run_nfev_, uniform_of(draws(0, 0)), uniform_of(draws(0, 1)));
    if (!plan) {
      stop_ = run_stop;
      is_over_ = true;
      return;
    }
    ++run_;
    begin_run(*plan, restart_mean());
  }

  /// Uniform in the bounds if there are two for each coordinate, else around the first start.
  [[nodiscard]] Vector restart_mean() const {
    Matrix z(start_mean_.size(), 1);
    CounterNormals(*options_.seed, static_cast<std::uint32_t>(run_)).fill(start_draw, z);
    if (!bounds_.is_box() || !bounds_.is_active()) {
      const SearchDistribution first = first_distribution();
      return first.mean + first.sigma * (first.B * z.col(0));
    }
    Vector mean(z.rows());
    const Vector low = bounds_.searched(bounds_.lower());
    const Vector high = bounds_.searched(bounds_.upper());
    for (Index k = 0; k < mean.size(); ++k) {
      mean[k] = transform_back(low[k], high[k], low[k] + (high[k] - low[k]) * uniform_of(z(k, 0)));
    }
    return mean;
  }

  void check(const Matrix& candidates, const Vector& values) const {
    const Index d = best_x_.size();
    const Index popsize = strategy_->popsize();
    if (stop_) throw std::invalid_argument("tell: the search has stopped (" + std::string(name(stop_.reason)) + ")");
    if (population_ == nullptr) throw std::invalid_argument("tell: call ask first");
    if (candidates.rows() != d || candidates.cols() != popsize) {
      reject("tell: candidates", "a " + text(candidates.rows()) + " x " + text(candidates.cols()) + " matrix",
             "it must be d x popsize, " + text(d) + " x " + text(popsize));
    }
    if (values.size() != popsize) {
      reject("tell: values", "a list of " + text(values.size()) + " numbers",
             "one per candidate is needed, " + text(popsize));
    }
    if (&candidates != &user_population() && !candidates.allFinite()) {
      throw std::invalid_argument("tell: candidates hold NaN or infinity; they must be finite");
    }
  }

  void count(const Matrix& candidates, const Vector& values) {
    ++nit_;
    ++run_nit_;
    nfev_ += values.size();
    run_nfev_ += values.size();
    generation_best_ = nan;
    Index failed = 0;
    for (Index i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) {
        if (values[i] != std::numeric_limits<double>::infinity()) ++failed;
        continue;
      }
      if (!(generation_best_ <= values[i])) generation_best_ = values[i];
      if (best_f_ <= values[i]) continue;
      best_f_ = values[i];
      best_x_ = candidates.col(i);
    }
    if (!(run_best_ <= generation_best_) && !std::isnan(generation_best_)) run_best_ = generation_best_;
    nfailed_ += failed;
    last_failed_ = failed;
    failed_generations_before_ = failed_generations_;
    failed_generations_ = failed == values.size() ? failed_generations_ + 1 : 0;
  }

  void update(const Matrix& candidates, const Vector& values) {
    if (&candidates == &user_population()) {
      strategy_->tell(*population_, values);
    } else if (!bounds_.is_active()) {
      strategy_->tell(candidates, values);
    } else {
      Matrix changed = *population_;
      for (Index i = 0; i < candidates.cols(); ++i) {
        if (candidates.col(i) != user_population_.col(i)) changed.col(i) = bounds_.to_search(candidates.col(i));
      }
      strategy_->tell(changed, values);
    }
  }

  /// What ends the whole search.
  [[nodiscard]] Stop met_end() const {
    const Options& o = options_;
    if (o.ftarget && best_f_ <= *o.ftarget) {
      return {StopReason::ftarget, "target reached: f = " + short_text(best_f_) + " <= ftarget = " + text(*o.ftarget)};
    }
    if (failed_generations_ >= o.failures.generations) {
      return {StopReason::failing, "failing: all evaluations of " + text(failed_generations_) +
                                       " generations in a row failed" + last_failure()};
    }
    const double share = static_cast<double>(nfailed_) / static_cast<double>(nfev_);
    if (nfev_ >= 100 && share > o.failures.fraction) {
      return {StopReason::failing, "failing: " + text(nfailed_) + " of " + text(nfev_) +
                                       " evaluations failed, more than the fraction " + text(o.failures.fraction) +
                                       last_failure()};
    }
    if (o.maxfevals && nfev_ >= *o.maxfevals) {
      return {StopReason::maxfevals, "budget used: " + text(nfev_) + " evaluations, maxfevals = " + text(*o.maxfevals)};
    }
    if (o.maxiter && nit_ >= *o.maxiter) {
      return {StopReason::maxiter, "budget used: " + text(nit_) + " generations, maxiter = " + text(*o.maxiter)};
    }
    const StopReason cancelled = cancel_reason();
    if (cancelled == StopReason::timeout) return timed_out();
    if (cancelled != StopReason::none) return {cancelled, "interrupted"};
    return {};
  }

  [[nodiscard]] Stop met_run_budget() const {
    if (plan_.maxfevals && run_nfev_ >= *plan_.maxfevals) {
      return {StopReason::maxfevals, "budget of a small run used: " + text(run_nfev_) + " evaluations"};
    }
    if (options_.maxfevals || options_.maxiter) return {};
    const std::int64_t limit = default_maxiter(start_mean_.size(), plan_.popsize);
    if (run_nit_ < limit) return {};
    return {StopReason::maxiter, "budget used: " + text(run_nit_) + " generations, maxiter = " + text(limit)};
  }

  [[nodiscard]] std::string last_failure() const {
    if (generation_.failures().empty()) return {};
    const Failure& last = generation_.failures().back();
    return "; the last one: " + std::string(name(last.kind)) + ", " + last.reason;
  }

  [[nodiscard]] double elapsed() const {
    return elapsed_before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  [[nodiscard]] Stop timed_out() const {
    return {StopReason::timeout, "time used: timeout = " + text(options_.timeout.value_or(0)) + " s"};
  }

  /// Asked from evaluators' threads: reads only what does not change during a generation.
  [[nodiscard]] StopReason cancel_reason() const {
    if (options_.interrupt && options_.interrupt()) return StopReason::interrupted;
    if (options_.timeout && elapsed() >= *options_.timeout) return StopReason::timeout;
    return StopReason::none;
  }

  void notify(bool is_last) {
    if (!options_.observer && !options_.callback) return;
    const LearningRates rates = strategy_->rates();
    const PathLength path = strategy_->path().value_or(PathLength{nan, nan});
    const SearchDistribution& distribution = strategy_->distribution();
    // The O(d^3) of the condition would dwarf a generation of many dimensions.
    const std::int64_t interval = 1 + distribution.dimension() / 20;
    if (run_nit_ % interval == 0 || run_nit_ == 1 || is_last) condition_ = distribution.condition();
    Record record{.generation = nit_,
                  .nfev = nfev_,
                  .best = best_f_,
                  .generation_best = generation_best_,
                  .sigma = distribution.sigma,
                  .eta_m = rates.mean,
                  .eta_sigma = rates.sigma,
                  .eta_B = rates.B,
                  .l_theta = path.l_theta,
                  .gamma = path.gamma,
                  .condition = condition_,
                  .run = run_ + 1,
                  .popsize = plan_.popsize,
                  .failures = generation_.failures()};
    std::sort(record.failures.begin(), record.failures.end(), [](const Failure& a, const Failure& b) {
      return std::pair(a.candidate, a.attempt) < std::pair(b.candidate, b.attempt);
    });
    if (options_.observer) options_.observer(record);
    if (options_.callback && options_.callback(record) && !stop_) {
      stop_ = {StopReason::callback, "stopped by the callback"};
    }
  }

  void visit_identity(StateVisitor& visitor);
  void visit_runs(StateVisitor& visitor, bool is_restoring);
  void visit_end(StateVisitor& visitor, bool is_restoring);
  void visit_generation(StateVisitor& visitor, bool is_restoring);

  BoundTransform bounds_;
  bool has_given_seed_;
  Options options_;  // with every default filled in
  std::unique_ptr<NormalSource> given_normals_;
  Vector start_mean_;  // of the first run, in search coordinates
  Vector start_deviations_;
  std::optional<SearchDistribution> warm_start_;
  RestartSchedule schedule_;

  // The search.
  std::int64_t nfev_ = 0;
  std::int64_t nfailed_ = 0;
  std::int64_t nit_ = 0;
  std::int64_t failed_generations_ = 0;         // in a row
  std::int64_t failed_generations_before_ = 0;  // without the last generation
  std::int64_t last_failed_ = 0;                // of the last generation
  double best_f_ = nan;
  double generation_best_ = nan;
  double condition_ = nan;  // as last measured for an observer
  Vector best_x_;
  Stop stop_;
  std::vector<RunSummary> finished_runs_;
  Clock::time_point begin_ = Clock::now();
  double elapsed_before_ = 0;  // seconds before this process

  // The present run.
  std::int64_t run_ = 0;
  RunPlan plan_;
  Vector run_mean_;  // where it started
  std::int64_t run_nit_ = 0;
  std::int64_t run_nfev_ = 0;
  double run_best_ = nan;
  std::optional<CounterNormals> own_normals_;
  NormalSource* normals_ = nullptr;
  std::unique_ptr<Strategy> strategy_;
  std::unique_ptr<RunCriteria> criteria_;

  // The present generation.
  const Matrix* population_ = nullptr;  // what the strategy gave; null before it
  Matrix user_population_;              // the same within the bounds
  Generation generation_;
  Vector values_;
  bool is_over_ = false;       // the last run has ended by itself, which no budget can change
  bool is_unapplied_ = false;  // counted, but a budget ended the search before the update
};

Result Optimizer::Impl::result() const {
  Result r;
  r.x = best_x_;
  r.fun = best_f_;
  r.nfev = nfev_;
  r.nfailed = nfailed_;
  r.nit = nit_;
  if (population_ != nullptr && !is_unapplied_) {  // in the middle of a generation
    r.nfev += generation_.count_set();
    r.nfailed += generation_.count_failed();
    for (Index i = 0; i < generation_.size(); ++i) {
      if (generation_.is_open(i) || !std::isfinite(generation_.value(i)) || r.fun <= generation_.value(i)) continue;
      r.fun = generation_.value(i);
      r.x = user_population().col(i);
    }
  }
  r.stop = stop_.reason;
  r.success =
      stop_.reason == StopReason::ftarget || (!options_.ftarget && is_converged(stop_.reason) && !std::isnan(r.fun));
  const SearchDistribution& distribution = strategy_->distribution();
  r.xfavorite = bounds_.is_active() ? bounds_.to_user(distribution.mean) : distribution.mean;
  r.stds = bounds_.all(distribution.standard_deviations(), 0);
  r.runs = finished_runs_;
  if (finished_runs_.size() <= static_cast<std::size_t>(run_)) {
    r.runs.push_back({plan_.popsize, plan_.sigma_factor, run_nfev_, run_nit_, run_best_, StopReason::none});
  }
  r.seed = *options_.seed;
  r.message = stop_ ? stop_.sentence : "still running after " + text(r.nfev) + " evaluations";
  if (stop_.reason != StopReason::ftarget) {
    if (std::isnan(r.fun)) {
      r.message += "; no value was finite";
    } else {
      r.message += "; best f = " + short_text(r.fun);
      if (options_.ftarget) r.message += " is above ftarget = " + text(*options_.ftarget);
    }
  }
  return r;
}

void Optimizer::Impl::visit_identity(StateVisitor& visitor) {
  require_same(visitor, "method", options_.method);
  require_same(visitor, "learning_rate", options_.learning_rate.text());
  require_same(visitor, "popsize", text(*options_.popsize));
  require_same(visitor, "restarts", options_.restarts.text());
  require_same(visitor, "x0", listed_numbers(start_mean_));
  require_same(visitor, "sigma0", listed_numbers(start_deviations_));
  require_same(visitor, "lower bounds", listed_numbers(bounds_.lower()));
  require_same(visitor, "upper bounds", listed_numbers(bounds_.upper()));
  if (has_given_seed_) {
    require_same(visitor, "seed", text(*options_.seed));
  } else {
    std::string seed = text(*options_.seed);
    visitor.text("seed", seed);
    try {
      options_.seed = std::stoull(seed);
    } catch (const std::exception&) {
      reject("checkpoint: seed", "'" + seed + "'", "it must be a number");
    }
  }
}

void Optimizer::Impl::visit_runs(StateVisitor& visitor, bool is_restoring) {
  schedule_.visit(visitor);
  auto count = static_cast<std::int64_t>(finished_runs_.size());
  visitor.integer("finished runs", count);
  if (is_restoring) {
    if (count < 0 || count > 1000000) reject("checkpoint: finished runs", count, "no search has so many");
    finished_runs_.assign(static_cast<std::size_t>(count), RunSummary{});
  }
  for (RunSummary& run : finished_runs_) {
    auto stop = static_cast<std::int64_t>(run.stop);
    visitor.integer("popsize", run.popsize);
    visitor.scalar("sigma factor", run.sigma_factor);
    visitor.integer("nfev", run.nfev);
    visitor.integer("nit", run.nit);
    visitor.scalar("fun", run.fun);
    visitor.integer("stop", stop);
    run.stop = static_cast<StopReason>(stop);
  }
  std::int64_t maxfevals = plan_.maxfevals.value_or(-1);
  visitor.integer("run", run_);
  visitor.integer("run popsize", plan_.popsize);
  visitor.scalar("run sigma factor", plan_.sigma_factor);
  visitor.integer("run maxfevals", maxfevals);
  visitor.vector("run mean", run_mean_);
  if (is_restoring) {
    if (plan_.popsize < 2 || plan_.popsize > largest_size || run_ < 0 || !run_mean_.allFinite()) {
      throw std::invalid_argument("checkpoint: the present run makes no sense");
    }
    plan_.maxfevals = maxfevals < 0 ? std::nullopt : std::optional(maxfevals);
    begin_run(plan_, Vector(run_mean_));
  }
  visitor.integer("run nit", run_nit_);
  visitor.integer("run nfev", run_nfev_);
  visitor.scalar("run best", run_best_);
  strategy_->visit(visitor);
  criteria_->visit(visitor);
}

/// The outcomes of an unfinished generation. Its population is not stored: sampling again gives the same.
void Optimizer::Impl::visit_generation(StateVisitor& visitor, bool is_restoring) {
  std::int64_t known = population_ == nullptr ? 0 : generation_.size();
  visitor.integer("generation size", known);
  if (known == 0) return;
  if (is_restoring) {
    ask();
    if (known != generation_.size()) reject("checkpoint: generation size", known, "the run's popsize is another one");
  }
  for (Index i = 0; i < generation_.size(); ++i) {
    std::int64_t attempts = generation_.attempts(i);
    std::int64_t is_open = generation_.is_open(i) ? 1 : 0;
    double value = generation_.value(i);
    visitor.integer("open", is_open);
    visitor.integer("attempts", attempts);
    visitor.scalar("value", value);
    if (is_restoring && is_open == 0) generation_.restore(i, value, static_cast<int>(attempts));
  }
  auto count = static_cast<std::int64_t>(generation_.failures().size());
  visitor.integer("failures", count);
  for (std::int64_t k = 0; k < count; ++k) {
    Failure failure = is_restoring ? Failure{} : generation_.failures()[static_cast<std::size_t>(k)];
    std::int64_t candidate = failure.candidate;
    std::int64_t attempt = failure.attempt;
    auto kind = static_cast<std::int64_t>(failure.kind);
    visitor.integer("candidate", candidate);
    visitor.integer("attempt", attempt);
    visitor.integer("kind", kind);
    visitor.text("reason", failure.reason);
    if (!is_restoring) continue;
    if (candidate < 0 || candidate >= generation_.size()) reject("checkpoint: candidate", candidate, "there is none");
    failure.candidate = static_cast<long>(candidate);
    failure.attempt = static_cast<int>(attempt);
    failure.kind = static_cast<FailureKind>(kind);
    generation_.restore_failure(failure);
  }
}

void Optimizer::Impl::visit_end(StateVisitor& visitor, bool is_restoring) {
  auto reason = static_cast<std::int64_t>(is_over_ ? stop_.reason : StopReason::none);
  std::string sentence = is_over_ ? stop_.sentence : "";
  visitor.integer("end", reason);
  visitor.text("sentence", sentence);
  if (!is_restoring) return;
  is_over_ = reason != 0;
  if (is_over_) stop_ = {static_cast<StopReason>(reason), sentence};
}

void Optimizer::Impl::visit(StateVisitor& visitor, bool is_restoring) {
  visit_identity(visitor);
  double seconds = elapsed();
  visitor.scalar("elapsed", seconds);
  if (is_restoring) {
    elapsed_before_ = seconds;
    begin_ = Clock::now();
    population_ = nullptr;
    is_unapplied_ = false;
    stop_ = {};
  }
  if (is_unapplied_) recount_unapplied(-1);
  visitor.integer("nfev", nfev_);
  visitor.integer("nfailed", nfailed_);
  visitor.integer("nit", nit_);
  visitor.integer("failed generations", failed_generations_);
  visitor.scalar("best f", best_f_);
  visitor.scalar("generation best", generation_best_);
  visitor.scalar("condition", condition_);
  visitor.vector("best x", best_x_);
  // The end by a budget is not part of the state: with another one the search goes on.
  const bool has_open_end = !is_restoring && stop_ && !is_over_;
  std::optional<RunSummary> last;
  if (has_open_end) {
    last = finished_runs_.back();
    finished_runs_.pop_back();
  }
  visit_runs(visitor, is_restoring);
  if (last) finished_runs_.push_back(*last);
  visit_end(visitor, is_restoring);
  visit_generation(visitor, is_restoring);
  if (is_unapplied_) recount_unapplied(1);
}

Optimizer::Optimizer(const Point& x0, const Sigma0& sigma0, Options options)
    : Optimizer(x0, sigma0, std::move(options), nullptr) {}

Optimizer::Optimizer(const SearchDistribution& start, Options options)
    : impl_(std::make_unique<Impl>(start, std::move(options))) {}

Optimizer::Optimizer(const Point& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals)
    : impl_(std::make_unique<Impl>(x0.vector(), sigma0, std::move(options), std::move(normals))) {}

Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;
Optimizer::~Optimizer() = default;

const Matrix& Optimizer::ask() { return impl_->ask(); }
Generation& Optimizer::generation() { return impl_->generation(); }
void Optimizer::tell() { impl_->tell_generation(); }
void Optimizer::abandon(StopReason reason) { impl_->abandon(reason); }
void Optimizer::tell(const Matrix& candidates, const Vector& values) { impl_->tell(candidates, values); }
StopReason Optimizer::stop_reason() const { return impl_->stop().reason; }
Result Optimizer::result() const { return impl_->result(); }
Index Optimizer::popsize() const { return impl_->strategy().popsize(); }
std::int64_t Optimizer::nfev() const { return impl_->nfev(); }
std::int64_t Optimizer::nit() const { return impl_->nit(); }
std::uint64_t Optimizer::seed() const { return *impl_->options().seed; }
const Options& Optimizer::options() const { return impl_->options(); }
const SearchDistribution& Optimizer::distribution() const { return impl_->strategy().distribution(); }
Strategy& Optimizer::strategy() { return impl_->strategy(); }

void Optimizer::tell(const Vector& values) {
  if (!impl_->is_asked()) throw std::invalid_argument("tell: there is no population to have values; call ask first");
  impl_->tell(impl_->ask(), values);
}

std::string Optimizer::state() {
  StateWriter writer;
  impl_->visit(writer, false);
  return writer.bytes();
}

void Optimizer::set_state(const std::string& bytes) {
  StateReader reader(bytes);
  impl_->visit(reader, true);
  reader.finish();
}

void Optimizer::save(std::ostream& out) { out << seal(state()); }

void Optimizer::load(std::istream& in) { set_state(unseal(std::string(std::istreambuf_iterator<char>(in), {}))); }

}  // namespace surefoot
