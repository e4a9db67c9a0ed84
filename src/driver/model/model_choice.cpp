#include "driver/model/model_choice.hpp"

#include <algorithm>
#include <limits>

namespace surefoot {
namespace {

constexpr std::int64_t small_budget = 2000;  // times d: who gives no more counts evaluations
constexpr double unnoticed_seconds = 0.1;
constexpr double most_time_by_model = 2;  // in units of the time of the evaluations

/// Models are for the default strategies. Who names a method or a policy of rates gets that and nothing else, and who
/// chooses a population wants to see it evaluated, perhaps by as many workers.
bool is_left_open(const Options& options) {
  return options.method == "auto" && options.learning_rate.text() == "auto" && !options.popsize;
}

}  // namespace

/// Least squares by normal equations and what comes with them, fitted to benchmarks/model.cpp and doubled: the other
/// powers of f, orders and rank correlations take as long as a fit.
double fit_seconds(Index terms) {
  const auto m = static_cast<double>(terms);
  return 2 * (1e-6 + 1.46e-8 * m * m + 8.5e-11 * m * m * m);
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
