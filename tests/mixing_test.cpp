// Importance mixing: what is kept, what is counted, and when it is forgotten.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "core/methods/importance_mixing.hpp"
#include "state_fields.hpp"
#include "surefoot/gaussian.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

Options mixed(const std::string& method, double share = 0.1) {
  Options options = {.method = method, .mixing = share, .restarts = "none", .seed = 3};
  return options;
}

/// The numbers of a vector or matrix of a state.
Vector numbers_of(const std::string& state, const std::string& name) {
  const auto fields = test::fields_of(state);
  const auto field = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.name == name; });
  if (field == fields.end()) return {};
  Vector numbers(static_cast<Index>(field->bytes / 8));
  for (Index i = 0; i < numbers.size(); ++i) {
    const std::string_view bytes = std::string_view(state).substr(field->at + 8 * static_cast<std::size_t>(i), 8);
    numbers[i] = std::bit_cast<double>(decode<std::uint64_t>(bytes));
  }
  return numbers;
}

Index kept_by(const Optimizer& search) { return numbers_of(search.state(), "kept values").size(); }

std::string refusal_of(Options options, Index d = 2) {
  try {
    Optimizer(Vector::Zero(d), 1, std::move(options));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Mixing, IsRefusedWhereItDoesNotGo) {
  EXPECT_NE(refusal_of(mixed("ig-xnes")).find("not with method ig-xnes; methods xnes, cma, enes"), std::string::npos)
      << refusal_of(mixed("ig-xnes"));
  Options modelled = mixed("cma");
  modelled.model = "quadratic";
  EXPECT_NE(refusal_of(modelled).find("mixing = 0.1 is not allowed: not with a model"), std::string::npos);
  Options constrained = mixed("cma");
  constrained.constraints = 1;
  EXPECT_NE(refusal_of(constrained).find("not with constraints"), std::string::npos);
  for (const double share : {-0.1, 1.0, test::nan}) {
    EXPECT_NE(refusal_of(mixed("cma", share)).find("it must be from 0"), std::string::npos) << share;
  }
  EXPECT_THROW(Optimizer(Space().add("n=int(1,9)"), mixed("cma")), std::invalid_argument);
}

TEST(Mixing, HasDefaults) {
  EXPECT_EQ(Optimizer({0, 0}, 1, {.mixing = 0.1}).options().method, "cma");
  EXPECT_EQ(Optimizer({0, 0}, 1, {.maxfevals = 50, .mixing = 0.1}).options().model, "none");
  EXPECT_EQ(Optimizer({0, 0}, 1, mixed("cma")).options().popsize, 12);
  EXPECT_EQ(Optimizer({0, 0}, 1, {.method = "cma"}).options().mixing, 0);
  EXPECT_EQ(Optimizer({0, 0}, 1, {.method = "enes"}).options().mixing, 0.01);
  EXPECT_EQ(Optimizer({0, 0}, 1, {.method = "enes"}).options().popsize, 20);
  EXPECT_EQ(Optimizer({0, 0}, 1, {.method = "enes", .popsize = 19}).options().mixing, 0);
  EXPECT_EQ(Optimizer({0, 0}, 1, {.method = "enes", .mixing = 0.01, .popsize = 19}).options().mixing, 0.01);
  EXPECT_EQ(Optimizer({0, 0}, 1, {.method = "enes", .model = "quadratic"}).options().mixing, 0);
  EXPECT_EQ(Optimizer({0, 0}, 1, {.constraints = 1, .method = "enes"}).options().mixing, 0);
}

TEST(Mixing, CountsAndEvaluatesNewPointsOnly) {
  for (const char* method : {"cma", "xnes", "enes"}) {
    for (const std::int64_t budget : {1, 7, 100, 101, 102, 103, 333}) {
      std::int64_t calls = 0;
      Options options = without_tolerances(mixed(method));
      options.maxfevals = budget;
      const Result result = minimize(
          [&](const Vector& x) {
            ++calls;
            return x.squaredNorm();
          },
          Vector::Constant(4, 3), 1, options);
      EXPECT_EQ(result.nfev, calls) << method;
      EXPECT_EQ(calls, budget) << method;
    }
  }
}

/// Each kept value is f at the kept point, and finite.
TEST(Mixing, KeepsNoValueThatIsNotFinite) {
  const auto f = [](const Vector& x) {
    if (std::fmod(std::abs(x[0]) * 1000, 3) < 1) return test::nan;
    return std::fmod(std::abs(x[1]) * 1000, 3) < 1 ? test::inf : x.squaredNorm();
  };
  Optimizer search({3, 3, 3}, 1, mixed("cma"));
  Index kept = 0;
  for (int t = 0; t < 60 && !search.stop(); ++t) {
    const Matrix& population = search.ask();
    Vector values(population.cols());
    for (Index i = 0; i < values.size(); ++i) values[i] = f(population.col(i));
    search.tell(values);
    const std::string state = search.state();
    const Vector stored = numbers_of(state, "kept values");
    const Vector points = numbers_of(state, "kept points");
    for (Index k = 0; k < stored.size(); ++k) ASSERT_EQ(stored[k], f(points.segment(3 * k, 3)));
    kept += stored.size();
  }
  EXPECT_GT(kept, 50);
}

/// New points are few. That none of them has a value is no generation without one as long as kept points have.
TEST(Mixing, CountsKeptValuesAmongThoseOfAGeneration) {
  Options options = mixed("cma");
  options.evaluate_x0 = false;
  Optimizer search({3, 3, 3}, 1, options);
  for (int t = 0; t < 4; ++t) search.tell(search.ask().colwise().squaredNorm().transpose());
  for (int t = 0; t < 2; ++t) {
    ASSERT_GT(kept_by(search), 0);
    search.tell(Vector::Constant(search.ask().cols(), test::nan));
  }
  EXPECT_FALSE(search.stop());
  EXPECT_EQ(numbers_of(search.state(), "barren generations").size(), 1);
  EXPECT_EQ(numbers_of(search.state(), "barren generations")[0], 0);  // the bits of the integer 0
}

/// A kept point may be the best one for many generations: that is no plateau.
TEST(Mixing, ConvergesAlthoughTheBestPointStays) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Options options = {.ftarget = 1e-10, .method = "enes", .restarts = "ipop", .seed = seed};
    const Result result = minimize([](const Vector& x) { return std::abs(x[0] - 2); }, {30}, 5, options);
    EXPECT_TRUE(result.success) << result.message;
    EXPECT_LT(result.nfev, 1000);
  }
}

TEST(Mixing, ForgetsWhatPlateausCorrect) {
  Options options = mixed("cma");
  options.evaluate_x0 = false;
  Optimizer search({3, 3, 3}, 1, options);
  const Index popsize = static_cast<Index>(*search.options().popsize);
  for (int t = 0; t < 5; ++t) search.tell(search.ask().colwise().squaredNorm().transpose());
  ASSERT_GT(kept_by(search), 0);
  ASSERT_EQ(search.ask().cols(), popsize - kept_by(search));
  // Kept points have other values than these, so the population is no plateau until none is left.
  Options narrow = options;
  narrow.bounds = {Vector::Constant(3, 2.9), Vector::Constant(3, 3.1)};
  Optimizer bounded(Vector::Constant(3, 3), 5, narrow);
  for (int t = 0; t < 20; ++t) {
    bounded.tell(-bounded.ask().colwise().sum().transpose());
    const Vector points = numbers_of(bounded.state(), "kept points");
    for (const double x : points) EXPECT_TRUE(std::abs(x) < 4) << x;
    ASSERT_EQ(bounded.ask().cols(), popsize - kept_by(bounded));
  }
  Optimizer flat({3, 3, 3}, 1, options);
  flat.tell(Vector::Ones(flat.ask().cols()));
  EXPECT_EQ(kept_by(flat), 0);
  EXPECT_EQ(flat.ask().cols(), popsize);
}

TEST(Mixing, DoesNotKeepPointsOfTheCaller) {
  Options options = mixed("cma");
  options.evaluate_x0 = false;
  Optimizer search({3, 3, 3}, 1, options);
  for (int t = 0; t < 20; ++t) {
    Matrix points = search.ask();
    points(0, 0) = 2.75;
    search.tell(points, points.colwise().squaredNorm().transpose());
    const Vector kept = numbers_of(search.state(), "kept points");
    for (Index k = 0; k < kept.size(); k += 3) EXPECT_NE(kept[k], 2.75);
  }
}

TEST(Mixing, BeginsAnewAfterARestart) {
  Options options = mixed("cma");
  options.restarts = "ipop:2";
  options.tolfun = 1e-2;
  Optimizer search({3, 3, 3}, 1, options);
  std::int64_t runs = 1;
  while (!search.stop()) {
    search.tell(search.ask().colwise().squaredNorm().transpose());
    const auto now = static_cast<std::int64_t>(search.result().runs.size());
    if (now > runs && !search.stop()) {
      EXPECT_EQ(kept_by(search), 0);
    }
    runs = std::max(runs, now);
  }
  EXPECT_GE(runs, 2);
}

TEST(Mixing, GoesOnFromACheckpointBitForBit) {
  for (const char* method : {"cma", "xnes", "enes"}) {
    Options options = mixed(method);
    options.bounds = {Vector::Constant(3, -1), Vector::Constant(3, 9)};
    options.restarts = "ipop";
    options.maxfevals = 900;
    const auto values_of = [](const Matrix& x) {
      return Vector((x.array() - 0.5).matrix().colwise().norm().transpose());
    };
    Optimizer whole({3, 3, 3}, 1, options);
    Optimizer resumed({3, 3, 3}, 1, options);
    while (!whole.stop()) {
      ASSERT_EQ(resumed.ask(), whole.ask()) << method;
      whole.tell(values_of(whole.ask()));
      resumed.tell(values_of(resumed.ask()));
      Optimizer next({3, 3, 3}, 1, options);
      next.set_state(resumed.state());
      ASSERT_EQ(numbers_of(next.state(), "kept points"), numbers_of(resumed.state(), "kept points")) << method;
      resumed.set_state(next.state());
    }
    EXPECT_EQ(resumed.result().fun, whole.result().fun) << method;
    EXPECT_EQ(resumed.result().nfev, 900);
  }
}

TEST(Mixing, BelongsToTheIdentityOfASearch) {
  const Optimizer with({3, 3}, 1, {.method = "cma", .mixing = 0.1, .popsize = 12, .seed = 1});
  const Optimizer without({3, 3}, 1, {.method = "cma", .mixing = 0, .popsize = 12, .seed = 1});
  const auto resume = [](std::optional<double> mixing, const std::string& state) {
    Optimizer search({3, 3}, 1, {.method = "cma", .mixing = mixing, .popsize = 12, .seed = 1});
    search.set_state(state);
    return search.options().mixing.value();
  };
  EXPECT_EQ(resume(std::nullopt, with.state()), 0.1);
  EXPECT_EQ(resume(std::nullopt, without.state()), 0);
  EXPECT_THROW(resume(0.2, with.state()), std::invalid_argument);
  EXPECT_THROW(resume(0, with.state()), std::invalid_argument);
  EXPECT_THROW(resume(0.1, without.state()), std::invalid_argument);
}

/// N(0, 1) becomes N(1/2, 1): kept and new points together are a sample of it, but for the slight bias of keeping a few
/// of those that might have stayed.
TEST(Mixing, MakesASampleOfThePresentDistribution) {
  constexpr Index popsize = 8;
  const Gaussian before({Vector::Zero(1), Vector::Ones(1)});
  const Gaussian now({Vector::Constant(1, 0.5), Vector::Ones(1)});
  CounterNormals normals(5);
  double sum = 0;
  double squares = 0;
  Index kept = 0;
  constexpr int repetitions = 20000;
  for (int t = 0; t < repetitions; ++t) {
    const auto generation = static_cast<std::uint64_t>(t);
    Matrix x(1, popsize);
    normals.fill(2 * generation, x);
    Matrix block(3, popsize);
    const auto fill = [&](Matrix& room) { normals.fill(2 * generation + 1, room); };
    fill(block);
    ImportanceMixing mixing(0.1);
    mixing.keep({x, Vector::Zero(popsize)}, std::vector<bool>(popsize, true), before.snapshot(), now,
                block.row(ImportanceMixing::row_of_kept(1)).transpose());
    const Matrix fresh = mixing.draw(popsize, now, fill);
    kept += mixing.kept().x.cols();
    ASSERT_EQ(mixing.kept().x.cols() + fresh.cols(), popsize);
    sum += mixing.kept().x.sum() + fresh.sum();
    squares += mixing.kept().x.squaredNorm() + fresh.squaredNorm();
  }
  const double count = static_cast<double>(popsize) * repetitions;
  EXPECT_NEAR(sum / count, 0.51, 0.01);
  EXPECT_NEAR(squares / count - std::pow(sum / count, 2), 1, 0.02);
  EXPECT_GT(static_cast<double>(kept), 0.6 * count);
}

TEST(Mixing, NeedsFewerEvaluationsOnSmoothFunctions) {
  std::int64_t with = 0;
  std::int64_t without = 0;
  const auto ellipsoid = [](const Vector& x) { return find_problem("ellipsoid").value(x.data(), x.size()); };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Options options = {.ftarget = 1e-8, .method = "cma", .model = "none", .restarts = "none", .seed = seed};
    Options mixed_options = options;
    mixed_options.mixing = 0.1;
    without += minimize(ellipsoid, Vector::Constant(5, 3), 2, options).nfev;
    with += minimize(ellipsoid, Vector::Constant(5, 3), 2, mixed_options).nfev;
  }
  EXPECT_LT(static_cast<double>(with), 0.75 * static_cast<double>(without));
}

}  // namespace
}  // namespace surefoot
