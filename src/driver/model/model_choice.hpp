#pragma once

#include "driver/model/quadratic_fit.hpp"
#include "surefoot/options.hpp"

namespace surefoot {

/// Most coordinates of a model: a fit of that size takes 40 ms and 8 MB.
inline constexpr Index most_modelled = 40;

/// The one place that decides what `model = auto` stands for: `quadratic` or `none`. It knows the dimension, the budget
/// and what an evaluation is said to cost, never a clock: the same options give the same search on every machine.
std::string chosen_model(const Options& options, Index dimension);

// What a model costs, in seconds of a processor of 2022. Fits, orders and rank correlations are counted, not timed.

/// One fit of this many terms, and what is done with it.
double fit_seconds(Index terms);
/// The same for each evaluation of a run that has a full model.
double model_seconds(Index dimension);
/// Points that are evaluated between two fits: a fit of many terms costs more than a generation.
Index fit_interval(Index dimension, ModelType largest);

/// What the fits of a search may take in all: so much, and something for each evaluation.
struct ModelBudget {
  double seconds = 0;
  double seconds_an_evaluation = 0;
};

/// Unlimited if the user has asked for the model. One that `auto` has chosen may take a tenth of a second and twice the
/// time of the evaluations.
ModelBudget model_budget(const Options& options, bool is_chosen);

}  // namespace surefoot
