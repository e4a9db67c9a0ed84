// Rate policies and methods of users' own, from outside the library.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "folder_test.hpp"
#include "surefoot/surefoot.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was refused";
}

void expect_words(const std::function<void()>& act, const std::vector<std::string>& words) {
  const std::string message = message_of(act);
  for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << word << ": " << message;
}

/// Rates that fall a little every generation, to half of the default: their state is a count.
class Falling final : public LearningRatePolicy {
 public:
  explicit Falling(const LearningRateContext& context) : standard_(default_learning_rates(context)) {}

  [[nodiscard]] LearningRates first() const override { return standard_; }
  LearningRates next(const AppliedStep& /*step*/) override {
    ++count_;
    const double factor = std::max(0.5, 1 - 0.01 * static_cast<double>(count_));
    return {1, standard_.sigma * factor, standard_.B * factor};
  }
  void visit(StateVisitor& visitor) override { visitor.integer("count", count_); }

 private:
  LearningRates standard_;
  std::int64_t count_ = 0;
};

LearningRate falling() {
  return {"falling", [](const LearningRateContext& context) { return std::make_unique<Falling>(context); }};
}

/// Gives the rates that a test wants.
class Given final : public LearningRatePolicy {
 public:
  Given(LearningRates first, LearningRates next) : first_(first), next_(next) {}
  [[nodiscard]] LearningRates first() const override { return first_; }
  LearningRates next(const AppliedStep& /*step*/) override { return next_; }

 private:
  LearningRates first_, next_;
};

LearningRate given(LearningRates first, LearningRates next) {
  return {"given", [=](const LearningRateContext&) { return std::make_unique<Given>(first, next); }};
}

TEST(OwnPolicies, SetTheRatesOfXnesAndSnes) {
  for (const char* method : {"auto", "xnes", "snes"}) {
    std::vector<double> rates;
    const auto observer = [&](const Record& r) { rates.push_back(r.eta_sigma); };
    const Result best =
        minimize(test::sphere, {3, 3, 3}, 1,
                 {.ftarget = 1e-8, .learning_rate = falling(), .method = method, .observer = observer, .seed = 1});
    EXPECT_TRUE(best.success) << method << ": " << best.message;
    ASSERT_GT(rates.size(), 60U);
    EXPECT_NEAR(rates[60] / rates[0], 0.5 / 0.99, 1e-2) << method;
  }
}

/// Constants that are a policy by themselves, as CONTRIBUTING.md has them.
struct FallingRates {
  operator LearningRate() const { return falling(); }  // NOLINT(google-explicit-constructor)
};

TEST(OwnPolicies, MayBeStructsOfConstants) {
  EXPECT_EQ(Optimizer({3, 3}, 1, {.learning_rate = FallingRates{}, .seed = 1}).options().learning_rate.text(),
            "falling");
}

TEST(OwnPolicies, WithFixedRatesAreThePolicyOfThatName) {
  const LearningRates rates = default_learning_rates(3);
  const Result own = minimize(test::sphere, {3, 3, 3}, 1, {.learning_rate = given(rates, rates), .seed = 1});
  const Result fixed = minimize(test::sphere, {3, 3, 3}, 1, {.learning_rate = "fixed", .seed = 1});
  EXPECT_EQ(own.x, fixed.x);
  EXPECT_EQ(own.nfev, fixed.nfev);
}

TEST(OwnPolicies, AreMadeAnewForEveryRun) {
  int made = 0;
  const LearningRate counted("counted", [&](const LearningRateContext& context) {
    ++made;
    return std::make_unique<Falling>(context);
  });
  const Result best =
      minimize(test::sphere, {3, 3}, 1,
               {.evaluate_x0 = false, .learning_rate = counted, .maxfevals = 4000, .restarts = "same:2", .seed = 1});
  EXPECT_EQ(made, static_cast<int>(best.runs.size()));
  EXPECT_GT(made, 1);
}

TEST(OwnPolicies, GoOnFromACheckpointBitForBit) {
  const Options options{.learning_rate = falling(), .maxiter = 40, .seed = 1};
  const auto tell = [](Optimizer& search) { search.tell(search.ask().colwise().squaredNorm().transpose()); };
  Optimizer whole({3, 3}, 1, options);
  while (!whole.stop()) tell(whole);
  Optimizer first({3, 3}, 1, options);
  for (int t = 0; t < 17; ++t) tell(first);
  Optimizer second({3, 3}, 1, options);
  second.set_state(first.state());
  while (!second.stop()) tell(second);
  EXPECT_EQ(second.result().x, whole.result().x);
  Options other = options;
  other.learning_rate = "lra";
  Optimizer third({3, 3}, 1, other);
  expect_words([&] { third.set_state(first.state()); }, {"learning_rate", "falling", "lra"});
}

TEST(OwnPolicies, WithoutANameOrWithOneOfTheLibrarysAreRefused) {
  const LearningRate::Factory factory = [](const LearningRateContext& c) { return std::make_unique<Falling>(c); };
  expect_words([&] { LearningRate("", factory); }, {"learning_rate", "name"});
  expect_words([&] { LearningRate("lra", factory); }, {"learning_rate", "'lra'"});
  expect_words([&] { LearningRate("auto", factory); }, {"learning_rate", "'auto'"});
  expect_words([&] { LearningRate("fixed:8", factory); }, {"learning_rate", "'fixed:8'"});
  expect_words([&] { LearningRate("own", LearningRate::Factory()); }, {"learning_rate", "'own'", "empty"});
  const LearningRate none("none", [](const LearningRateContext&) { return nullptr; });
  expect_words([&] { Optimizer({3, 3}, 1, {.learning_rate = none, .seed = 1}); }, {"learning_rate", "'none'"});
}

TEST(OwnPolicies, RatesThatAreNoneAreRefusedWhereTheyArise) {
  const LearningRates good{1, 0.5, 0.5};
  for (const double bad : {0.0, -1.0, test::nan, test::inf}) {
    expect_words(
        [&] {
          Optimizer({3, 3}, 1, {.learning_rate = given({1, bad, 0.5}, good), .seed = 1});
        },
        {"learning_rate given: eta_sigma"});
    expect_words(
        [&] {
          minimize(test::sphere, {3, 3}, 1, {.learning_rate = given(good, {1, 0.5, bad}), .seed = 1});
        },
        {"learning_rate given: eta_B"});
  }
}

/// The smallest strategy there is: half of the population, with equal positive weights, for mean and step size. The
/// step size follows the gradient tr(sum_i w_i z_i z_i^T)/d - sum_i w_i.
class Smallest final : public Strategy {
 public:
  explicit Smallest(const StrategyContext& context)
      : normal_(context.start), x_(normal_.dimension(), *context.popsize) {}

  [[nodiscard]] Index popsize() const override { return x_.cols(); }
  [[nodiscard]] const Distribution& distribution() const override { return normal_; }
  const Matrix& ask(std::uint64_t generation, NormalSource& normals) override {
    normals.fill(generation, x_);
    normal_.unwhiten(x_);
    return x_;
  }
  void tell(const Told& told) override {
    Matrix z = told.points;
    normal_.whiten(z);
    std::vector<Index> order(static_cast<std::size_t>(z.cols()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
    const auto value = [&](Index i) { return is_finite(told.values[i]) ? told.values[i] : test::inf; };
    std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return value(i) < value(j); });
    order.resize(order.size() / 2);
    const Matrix best = z(Eigen::all, order);
    const auto d = static_cast<double>(z.rows());
    const double gradient = best.squaredNorm() / static_cast<double>(best.cols()) / d - 1;
    normal_.m += normal_.step_size * normal_.A * best.rowwise().mean();
    normal_.step_size *= std::exp(0.3 * gradient);
  }
  void correct(const Vector& shift, const Vector& factors) override { normal_.correct(shift, factors); }
  void report(Measures& measures) const override { measures.add("eta_sigma", 0.3); }
  void visit(StateVisitor& visitor) override { normal_.visit(visitor); }

 private:
  Gaussian normal_;
  Matrix x_;
};

std::unique_ptr<Strategy> smallest(const StrategyContext& context) { return std::make_unique<Smallest>(context); }

TEST(OwnMethods, Minimize) {
  const Result best =
      minimize(test::sphere, {3, 3, 3}, 1, {.ftarget = 1e-8, .popsize = 20, .seed = 1, .strategy = smallest});
  EXPECT_TRUE(best.success) << best.message;
}

TEST(OwnMethods, HaveBoundsIntegersConstraintsAndRestarts) {
  const Result bounded =
      minimize(test::sphere, {3, 3}, 1, {.bounds = {1, 5}, .popsize = 20, .seed = 1, .strategy = smallest});
  EXPECT_EQ(bounded.x, Vector::Ones(2)) << bounded.message;
  const auto constrained = [](const Vector& x) { return Evaluation{.f = x.squaredNorm(), .g = {1 - x[0]}}; };
  const Result feasible = minimize(
      constrained, {3, 3}, 1, {.constraints = 1, .maxfevals = 4000, .popsize = 20, .seed = 1, .strategy = smallest});
  EXPECT_TRUE(feasible.feasible);
  EXPECT_NEAR(feasible.fun, 1, 1e-2);
  const Result runs = minimize(test::sphere, {3, 3}, 1,
                               {.maxfevals = 6000, .popsize = 20, .restarts = "ipop", .seed = 1, .strategy = smallest});
  ASSERT_GT(runs.runs.size(), 1U);
  EXPECT_EQ(runs.runs[1].popsize, 40);
  Space space;
  const auto n = space.integer("n", {.low = -10, .high = 10});
  const Result whole = minimize([&](const Values& v) { return std::pow(static_cast<double>(v[n]) - 3, 2); }, space,
                                {.maxfevals = 400, .seed = 1, .strategy = smallest});
  EXPECT_EQ(whole.fun, 0);
}

class OwnMethodFiles : public test::FolderTest {};

TEST_F(OwnMethodFiles, AreResumedBitForBit) {
  const auto run = [&](std::int64_t maxiter, const std::string& name) {
    return Session({3, 3}, 1, {.maxiter = maxiter, .method = "smallest", .seed = 1, .strategy = smallest},
                   {.checkpoint = file(name + ".sf"), .trace = file(name + ".jsonl")})
        .minimize(test::sphere);
  };
  const Result whole = run(30, "whole");
  run(11, "parts");
  EXPECT_EQ(run(30, "parts").x, whole.x);
  EXPECT_NE(test::content(file("whole.jsonl")).find("\"method\":\"smallest\""), std::string::npos);
  Session other({3, 3}, 1, {.method = "cma", .seed = 1}, {.checkpoint = file("whole.sf")});
  expect_words([&] { other.open(); }, {"method", "smallest", "cma"});
}

TEST(OwnMethods, AreNamedAndCheckedAtTheStart) {
  EXPECT_EQ(Optimizer({3, 3}, 1, {.seed = 1, .strategy = smallest}).options().method, "own");
  expect_words([] { Optimizer({3, 3}, 1, {.method = "cma", .seed = 1, .strategy = smallest}); }, {"method", "'cma'"});
  expect_words([] { Optimizer({3, 3}, 1, {.model = "quadratic", .seed = 1, .strategy = smallest}); }, {"model", "own"});
  expect_words([] { Optimizer({3, 3}, 1, {.popsize = 1, .seed = 1, .strategy = smallest}); }, {"popsize"});
  const auto none = [](const StrategyContext&) { return std::unique_ptr<Strategy>(); };
  expect_words([&] { Optimizer({3, 3}, 1, {.seed = 1, .strategy = none}); }, {"strategy", "'own'"});
  const auto wrong = [](StrategyContext context) {
    context.start = {.mean = {0, 0, 0}, .deviations = {1, 1, 1}};
    return smallest(context);
  };
  expect_words([&] { Optimizer({3, 3}, 1, {.seed = 1, .strategy = wrong}); }, {"strategy", "3 coordinates"});
  // A state of one is not taken for another method.
  Optimizer own({3, 3}, 1, {.seed = 1, .strategy = smallest});
  Optimizer open({3, 3}, 1, {.seed = 1});
  EXPECT_NE(message_of([&] { open.set_state(own.state()); }), "nothing was refused");
  Optimizer library({3, 3}, 1, {.method = "cma", .seed = 1});
  expect_words([&] { own.set_state(library.state()); }, {"method", "cma", "own"});
}

TEST(Gaussians, AreTheDistributionOfTheirStart) {
  const Matrix A{{2, 0, 0}, {1, 1, 0}, {0, 1, 0.5}};
  const Start start = Start::with_factor(Vector{{1, 2, 3}}, A);
  const Gaussian normal(start);
  EXPECT_LT((normal.covariance() - A * A.transpose()).norm(), 1e-13);
  EXPECT_NEAR(normal.A.determinant(), 1, 1e-13);
  Vector deviations;
  normal.deviations(deviations);
  EXPECT_LT((deviations - Vector(A.rowwise().norm())).norm(), 1e-14);
  EXPECT_LT((normal.axis_lengths() - start.axis_lengths()).norm(), 1e-13);
  EXPECT_NEAR(normal.condition(), std::pow(normal.axis_lengths()[0] / normal.axis_lengths()[2], 2), 1e-9);
  const double frobenius = normal.frobenius_condition();
  EXPECT_NEAR(frobenius, A.norm() * A.inverse().norm(), 1e-10);
  const Matrix z = Matrix::Random(3, 5);
  Matrix x = z;
  normal.unwhiten(x);
  EXPECT_LT((x - ((A * z).colwise() + start.mean)).norm(), 1e-13);
  normal.whiten(x);
  EXPECT_LT((x - z).norm(), 1e-13);
  Gaussian moved(start);
  moved.correct(Vector{{1, 0, 0}}, Vector{{2, 1, 1}});
  EXPECT_EQ(moved.m, (Vector{{2, 2, 3}}));
  Vector after;
  moved.deviations(after);
  EXPECT_NEAR(after[0], 2 * deviations[0], 1e-13);
  EXPECT_TRUE(moved.is_finite());
  moved.A(0, 0) = test::nan;
  EXPECT_FALSE(moved.is_finite());
}

}  // namespace
}  // namespace surefoot
