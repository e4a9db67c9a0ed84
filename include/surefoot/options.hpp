#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Everything about a search that has a default.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/batch.hpp"
#include "surefoot/bounds.hpp"
#include "surefoot/failure.hpp"
#include "surefoot/learning_rate.hpp"
#include "surefoot/method.hpp"
#include "surefoot/noise.hpp"
#include "surefoot/point.hpp"
#include "surefoot/record.hpp"
#include "surefoot/restart.hpp"
#include "surefoot/stop.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// Options in alphabetical order, so that designated initialisers keep compiling when options are added.
/// The optimizer's constructor throws std::invalid_argument for a wrong one. 0 switches a tolerance off.
struct Options {
  Batch batch = {};                                         // with a model: evaluations at a time are a multiple of it
  Bounds bounds = {};                                       // lower and upper limits of the coordinates
  std::function<StopRequest(const Record&)> callback = {};  // called once a generation; true stops the search, and so
                                                            // does a sentence that says why
  int constraints = 0;                                      // inequalities: numbers g behind f that must not be above 0
  std::string constraints_mode = "auto";                    // "auto", "augmented-lagrangian", "lexicographic"
  int equalities = 0;                                       // numbers h behind f and g that must be 0
  double equality_tolerance = 1e-6;                         // |h| that is taken for 0
  bool evaluate_x0 = true;                                  // evaluate the start itself before the first population
  std::optional<double> evaluation_seconds = {};            // what one takes, about: expensive ones are worth a model
  FailurePolicy failures = {};                              // what a failed evaluation means
  std::optional<double> ftarget = {};                       // stop when f <= ftarget
  PointList inject = {};                       // known good points: evaluated first, the best one is the start
  std::function<bool()> interrupt = {};        // called often, also during a generation; true stops the search
  LearningRate learning_rate = {};             // policy of the NES strategies: "auto", "fixed:8", "lra", ...
  std::optional<std::int64_t> maxfevals = {};  // stop after this many evaluations, never more
  std::optional<std::int64_t> maxiter = {};    // stop after this many generations; default below
  std::string method = "auto";                 // a row of method_table(), as "cma" or "snes:eta_m=0.5"
  std::optional<double> mixing = {};           // importance mixing: least share of a population that is evaluated
                                               // anew; 0: all are; default 0, with method enes 0.01
  std::string model = "auto";                  // of the objective: "auto", "none", "quadratic"
  bool noeffectaxis = true;                    // stop when a step along an axis does not change the mean
  bool noeffectcoord = true;                   // stop when a step along a coordinate does not change it
  Noise noise = {};                            // of the objective: "auto", "none", its standard deviation
  Observer observer = {};                      // called once a generation
  std::optional<std::int64_t> popsize = {};    // candidates a generation; default 4 + floor(3 ln d)
  std::function<Point(std::int64_t)> restart_point = {};  // start of run 2, 3, ...; default: drawn around x0, or
                                                          // uniform in a box of bounds
  Restarts restarts = {};                                 // "auto", "none", "same", "ipop", "bipop"
  std::optional<std::uint64_t> seed = {};                 // 0 is a seed; empty: drawn, and reported in the result
  StrategyFactory strategy = {};                          // makes a method of your own, which `method` then names
  int threads = 1;                                        // of the strategy itself, for very many variables
  std::optional<double> timeout = {};                     // stop after this many seconds
  std::optional<double> tolconditioncov = {};             // stop when the condition of the covariance exceeds it
  int tolflatfitness = 30;                                // generations of equal values in a row that are tolerated
  double tolfun = 1e-11;                                  // stop when current and recent best values all lie within it
  double tolfunhist = 1e-12;                              // stop when the recent best values all lie within it
  std::optional<std::int64_t> tolstagnation = {};         // stop after this many steps without progress; default
                                                          // 100 + 100 d^1.5/popsize
  double tolupsigma = 1e20;                               // stop when sigma has grown by a larger factor
  double tolx = 1e-11;                                    // stop when all standard deviations have shrunk below this
                                                          // fraction of the start's
  int workers = 1;                                        // threads that call the objective
};

/// The same options without any tolerance. Only targets, budgets and a distribution that cannot be sampled end a run.
Options without_tolerances(Options options);

/// Steps of a run without any budget: 100 + 150 (d+3)^2/sqrt(popsize), pycma's default. A generation counts as the
/// square root of its learning rate of the mean, which is 1 for most methods. Where the ranking says little and the
/// rates are low, a run may so take more generations.
std::int64_t default_maxiter(std::int64_t dimension, std::int64_t popsize);

}  // namespace surefoot
