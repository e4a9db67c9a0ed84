// What `model = auto` stands for, and how much time it may take.

#include "driver/model/model_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "surefoot/minimize.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

/// No function of x that a model could follow, but the same for the same x.
double unrankable(const Vector& x) {
  double phase = 0;
  for (const double number : x) phase = std::sin(1e4 * number + 7 * phase);
  return phase;
}

std::string choice(const Options& options, Index d = 10) {
  const Optimizer search(Vector::Zero(d), 1, options);
  return search.options().method + "/" + search.options().model;
}

TEST(ModelChoice, KnowsBudgetAndCost) {
  EXPECT_EQ(choice({}), "ig-xnes/none");
  EXPECT_EQ(choice({.ftarget = 1e-8}), "ig-xnes/none");
  EXPECT_EQ(choice({.maxfevals = 20000}), "cma/quadratic");
  EXPECT_EQ(choice({.maxfevals = 20001}), "ig-xnes/none");
  EXPECT_EQ(choice({.evaluation_seconds = 1e-6, .maxfevals = 20001}), "ig-xnes/none");
  EXPECT_EQ(choice({.evaluation_seconds = 1e-3, .maxfevals = 20001}), "cma/quadratic");
  EXPECT_EQ(choice({.evaluation_seconds = 1e-3, .timeout = 60}), "cma/quadratic");
}

TEST(ModelChoice, LeavesPatienceToSingleRuns) {
  EXPECT_EQ(choice({.evaluation_seconds = 60}), "ig-xnes/quadratic");
  EXPECT_EQ(choice({.maxfevals = 1000, .restarts = "none"}), "ig-xnes/quadratic");
  EXPECT_EQ(choice({.model = "quadratic", .restarts = "ipop"}), "cma/quadratic");
}

TEST(ModelChoice, LeavesAloneWhatTheUserNames) {
  EXPECT_EQ(choice({.maxfevals = 1000, .method = "xnes"}), "xnes/none");
  EXPECT_EQ(choice({.maxfevals = 1000, .method = "ig-xnes"}), "ig-xnes/none");
  EXPECT_EQ(choice({.learning_rate = "lra", .maxfevals = 1000}), "xnes/none");
  EXPECT_EQ(choice({.maxfevals = 1000, .model = "none"}), "ig-xnes/none");
  EXPECT_EQ(choice({.maxfevals = 1000, .popsize = 12}), "ig-xnes/none");
  EXPECT_EQ(choice({.evaluation_seconds = 1, .method = "cma"}), "cma/none");
}

TEST(ModelChoice, EndsWhereFitsAreTooLong) {
  EXPECT_EQ(choice({.evaluation_seconds = 1, .maxfevals = 1000}, 40), "cma/quadratic");
  EXPECT_EQ(choice({.evaluation_seconds = 1, .maxfevals = 1000}, 41), "ig-xnes/none");
  // A fit of 40 coordinates takes 40 ms and serves 17 evaluations.
  EXPECT_EQ(choice({.evaluation_seconds = 1e-3}, 40), "ig-xnes/none");
  EXPECT_EQ(choice({.evaluation_seconds = 1e-3}, 20), "ig-xnes/quadratic");
}

TEST(ModelChoice, RefusesACostThatIsNone) {
  EXPECT_THROW(choice({.evaluation_seconds = 0}), std::invalid_argument);
  EXPECT_THROW(choice({.evaluation_seconds = test::nan}), std::invalid_argument);
}

TEST(ModelChoice, CountsAsLongAsMeasured) {
  // Microseconds that a model takes for each evaluation of Rastrigin's function, in docs/evidence/model.md.
  const std::vector<std::pair<Index, double>> measured = {{2, 5}, {5, 26}, {10, 137}, {20, 350}};
  for (const auto& [d, microseconds] : measured) {
    EXPECT_GT(model_seconds(d), 1e-6 * microseconds) << d;
    EXPECT_LT(model_seconds(d), 1.5e-6 * microseconds) << d;
  }
}

/// Sizes of the rounds of a search on a function that no model can rank.
std::vector<Index> rounds_of(const Options& options, Index d) {
  Optimizer search(Vector::Zero(d), 1, options);
  std::vector<Index> sizes;
  while (!search.stop()) {
    const Matrix population = search.ask();
    sizes.push_back(population.cols());
    Vector values(population.cols());
    for (Index i = 0; i < values.size(); ++i) values[i] = unrankable(population.col(i));
    search.tell(values);
  }
  return sizes;
}

TEST(ModelChoice, TakesATenthOfASecondFromWhoHasNotAskedForIt) {
  constexpr Index d = 8;
  const Index popsize = default_popsize(d);
  Options options{.maxfevals = 4000, .restarts = "same", .seed = 1};
  const auto whole = [&](const std::vector<Index>& sizes) {
    return std::count(sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size()) / 2, sizes.end(), popsize);
  };
  const std::vector<Index> unknown = rounds_of(options, d);
  EXPECT_EQ(unknown[1], 4);       // the first round with x0 in the archive
  EXPECT_GT(whole(unknown), 50);  // in the end there is no model
  options.evaluation_seconds = 1;
  EXPECT_EQ(whole(rounds_of(options, d)), 0);
  options.evaluation_seconds.reset();
  options.model = "quadratic";
  EXPECT_EQ(whole(rounds_of(options, d)), 0);
}

/// 0.1 s and what earlier runs have left of it: a search that is loaded anywhere goes on bit for bit.
TEST(ModelChoice, IsResumedWithWhatIsLeft) {
  const Options options{.maxfevals = 3000, .restarts = "bipop", .seed = 4};
  const Result whole = minimize(unrankable, Vector::Zero(8), 1, options);
  for (const std::int64_t stop : {400, 1100, 2100}) {
    Optimizer first(Vector::Zero(8), 1, options);
    while (first.nfev() < stop) {
      const Matrix population = first.ask();
      Vector values(population.cols());
      for (Index i = 0; i < values.size(); ++i) values[i] = unrankable(population.col(i));
      first.tell(values);
    }
    std::stringstream file;
    first.save(file);
    Optimizer second(Vector::Zero(8), 1, options);
    second.load(file);
    double (*f)(const Vector&) = unrankable;
    SerialEvaluator evaluator(f);
    const Result resumed = run(second, evaluator);
    EXPECT_EQ(resumed.nfev, whole.nfev) << stop;
    EXPECT_EQ(resumed.nit, whole.nit) << stop;
    EXPECT_EQ(resumed.xfavorite, whole.xfavorite) << stop;
  }
}

TEST(ModelChoice, OfACheckpointStays) {
  Optimizer first(Vector::Zero(4), 1, {.maxfevals = 200, .seed = 1});
  std::stringstream file;
  first.save(file);
  Optimizer second(Vector::Zero(4), 1, {.maxfevals = 1000000});  // alone it would have no model
  second.load(file);
  EXPECT_EQ(second.options().model, "quadratic");
  EXPECT_EQ(second.options().method, "cma");
}

TEST(Batches, OfWorkersAreStored) {
  Optimizer first(Vector::Zero(10), 1, {.batch = "auto", .maxfevals = 200, .seed = 1, .workers = 3});
  EXPECT_EQ(first.options().batch.text(), "3");
  EXPECT_EQ(first.ask().cols(), 1);  // x0
  first.tell(Vector::Constant(1, 1.0));
  EXPECT_EQ(first.ask().cols() % 3, 0);
  std::stringstream file;
  first.save(file);
  Optimizer second(Vector::Zero(10), 1, {.batch = "auto", .maxfevals = 200, .seed = 1, .workers = 7});
  second.load(file);
  EXPECT_EQ(second.options().batch.text(), "3");
  std::stringstream again(file.str());
  Optimizer third(Vector::Zero(10), 1, {.batch = 7, .maxfevals = 200, .seed = 1});
  EXPECT_THROW(third.load(again), std::invalid_argument);
  EXPECT_THROW(Batch("some"), std::invalid_argument);
  EXPECT_THROW(Batch("0"), std::invalid_argument);
}

}  // namespace
}  // namespace surefoot
