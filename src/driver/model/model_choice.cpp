#include "driver/model/model_choice.hpp"

#include <algorithm>
#include <limits>

namespace surefoot {
namespace {

constexpr std::int64_t small_budget = 2000;  // times d: who gives no more counts evaluations
constexpr double unnoticed_seconds = 0.1;
constexpr double most_time_by_model = 2;  // in units of the time of the evaluations

/// Models are for the default strategies. A named method or policy is used without one, and whoever
/// chooses a population wants to see it evaluated, perhaps by as many workers.
bool is_left_open(const Options& options) {
  return options.method == "auto" && options.learning_rate.text() == "auto" && !options.popsize;
}

}  // namespace

/// Least squares by normal equations as benchmarks/model.cpp measures them. The factor and the linear term are for what
/// comes with a fit, as whole searches show: other powers of f, orders, rank correlations, rounds.
double fit_seconds(Index terms) {
  const auto m = static_cast<double>(terms);
  const double least_squares = 1e-6 + 1.46e-8 * m * m + 4e-11 * m * m * m;
  return 1.3 * least_squares + 8e-7 * m;
}

Index fit_interval(Index dimension, ModelType largest) {
  return std::max<Index>(1, number_of_terms(largest, dimension) / 50);
}

double model_seconds(Index dimension) {
  return fit_seconds(number_of_terms(ModelType::full, dimension)) /
         static_cast<double>(fit_interval(dimension, ModelType::full));
}

std::string chosen_model(const Options& options, Index dimension) {
  if (!is_left_open(options) || dimension > most_modelled) return "none";
  const double cost = options.evaluation_seconds.value_or(0);
  const bool is_expensive = most_time_by_model * cost >= model_seconds(dimension);
  const bool is_short = options.maxfevals && *options.maxfevals <= small_budget * dimension;
  return is_expensive || is_short ? "quadratic" : "none";
}

ModelBudget model_budget(const Options& options, bool is_chosen) {
  if (!is_chosen) return {.seconds = std::numeric_limits<double>::infinity()};
  return {.seconds = unnoticed_seconds,
          .seconds_an_evaluation = most_time_by_model * options.evaluation_seconds.value_or(0)};
}

}  // namespace surefoot
