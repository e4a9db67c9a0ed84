// Searches of noisy objectives: what is noticed, what is returned, and that a checkpoint continues any of it.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <sstream>
#include <vector>

#include "checkpoint_support.hpp"
#include "driver/checkpoint/bytes.hpp"
#include "state_fields.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using test::contains;
using test::sphere;

/// f with noise that depends on the number of the evaluation alone, so that a restored search sees the same.
class Noisy {
 public:
  Noisy(std::function<double(const Vector&)> f, double deviation, std::uint64_t seed)
      : f_(std::move(f)), deviation_(deviation), normals_(seed) {}

  double operator()(const Vector& x, std::int64_t number) {
    Matrix z(1, 1);
    normals_.fill(static_cast<std::uint64_t>(number), z);
    return f_(x) + deviation_ * z(0, 0);
  }
  Vector operator()(const Matrix& points, std::int64_t before) {
    Vector f(points.cols());
    for (Index i = 0; i < f.size(); ++i) f[i] = (*this)(Vector(points.col(i)), before + i);
    return f;
  }

 private:
  std::function<double(const Vector&)> f_;
  double deviation_;
  CounterNormals normals_;
};

void advance(Optimizer& search, Noisy& f) {
  const Matrix points = search.ask();
  search.tell(f(points, search.nfev()));
}

Result searched(Optimizer& search, Noisy f) {
  while (!search.stop()) advance(search, f);
  return search.result();
}

Result searched(const Options& options, const Noisy& f, Index d = 5) {
  Optimizer search(Vector::Constant(d, 3), 2, options);
  return searched(search, f);
}

TEST(NoiseOption, IsAutoOrNoneOrADeviation) {
  EXPECT_EQ(Noise("auto").text(), "auto");
  EXPECT_EQ(Noise("none").text(), "none");
  EXPECT_EQ(Noise("0.25").text(), "0.25");
  EXPECT_EQ(Noise(0.25).deviation, 0.25);
  for (const char* wrong : {"", "some", "0", "-1", "inf", "nan", "1x"}) {
    EXPECT_TRUE(
        contains(test::rejection([&] { Noise{wrong}; }),
                 "noise = '" + std::string(wrong) + "' is not allowed: it must be auto, none or a standard deviation"))
        << wrong;
  }
  EXPECT_TRUE(contains(test::rejection([] { Noise{-1.0}; }), "noise = -1"));
}

TEST(Noise, OfADeterministicFunctionCostsAtMostOneEvaluation) {
  for (const std::int64_t budget : {400, 2000}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      Options options{.maxfevals = budget, .seed = seed};
      const Result watched = minimize(test::rosenbrock, {-1, 2, 1}, 1, options);
      options.noise = "none";
      options.maxfevals = budget - 1;
      const Result blind = minimize(test::rosenbrock, {-1, 2, 1}, 1, options);
      EXPECT_EQ(watched.noise, 0);
      EXPECT_EQ(watched.fun_std, 0);
      EXPECT_EQ(watched.fun, watched.lowest_fun);
      EXPECT_EQ(watched.x, watched.lowest_x);
      EXPECT_LE(watched.fun, std::max(1e-12, blind.fun * 1.000001)) << "budget " << budget << ", seed " << seed;
      EXPECT_FALSE(contains(watched.message, "noise"));
    }
  }
}

/// The course is the same, and one point is evaluated twice at most.
TEST(Noise, OfADeterministicFunctionChangesNoCandidate) {
  const auto points_of = [](const char* model, const char* noise) {
    std::vector<std::vector<double>> points;
    minimize(
        [&](const Vector& x) {
          points.emplace_back(x.begin(), x.end());
          return test::rosenbrock(x);
        },
        {-1, 2, 1, 0}, 1, {.maxfevals = 600, .model = model, .noise = noise, .seed = 4});
    return points;
  };
  for (const char* model : {"none", "quadratic"}) {
    const auto blind = points_of(model, "none");
    auto watched = points_of(model, "auto");
    std::set<std::vector<double>> seen;
    const auto is_again = [&](const auto& x) { return !seen.insert(x).second; };
    const auto again = std::find_if(watched.begin(), watched.end(), is_again);
    if (again != watched.end()) watched.erase(again);
    EXPECT_TRUE(again != watched.end() || *model == 'q') << "the model ranks the candidates";
    for (std::size_t i = 0; i + 20 < watched.size(); ++i) ASSERT_EQ(watched[i], blind[i]) << model << " " << i;
  }
}

TEST(Noise, IsNoticedAndSaid) {
  const Result r = searched({.maxfevals = 1000, .seed = 1}, {sphere, 1, 1});
  EXPECT_EQ(r.nfev, 1000);
  EXPECT_NEAR(r.noise, 1, 0.35);
  EXPECT_NEAR(r.fun_std, 1 / std::sqrt(20.0), 0.12);
  EXPECT_LT(sphere(r.x), 0.2);
  EXPECT_LT(std::abs(r.fun - sphere(r.x)), 3 * r.fun_std);
  EXPECT_LT(r.lowest_fun, r.fun);
  EXPECT_TRUE(contains(r.message, "the mean of 2")) << r.message;
  EXPECT_TRUE(contains(r.message, "; evaluations at the same point differ by ")) << r.message;
  EXPECT_TRUE(contains(r.message, "noise of about ")) << r.message;
  EXPECT_TRUE(contains(r.message, "the lowest single value was -")) << r.message;
}

/// What is said is as true as it says: f within two standard errors of the truth in about 95 % of the searches.
TEST(Noise, LeavesAnHonestValue) {
  int within = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Result r = searched({.maxfevals = 500, .seed = seed}, {sphere, 2, seed}, 2);
    within += std::abs(r.fun - sphere(r.x)) <= 2.3 * r.fun_std ? 1 : 0;  // t of 9 degrees of freedom
  }
  EXPECT_GE(within, 51);
}

/// Repeats that happen anyway say it too.
TEST(Noise, IsSeenInAPointThatIsGivenTwice) {
  Noisy f{sphere, 1, 1};
  const Vector x0{{3, 2}};
  Optimizer search(x0, 1, {.inject = {x0, x0}, .maxfevals = 100, .seed = 1});
  advance(search, f);
  EXPECT_EQ(search.nfev(), 3);
  EXPECT_GT(search.result().noise, 0);
  EXPECT_TRUE(std::isnan(search.result().fun_std)) << "it has not been measured";
  EXPECT_TRUE(contains(search.result().message, "to which repeats would add")) << search.result().message;
}

TEST(Noise, IsSearchedBetterThanByTheLuckiestSample) {
  double watched = 0;
  double blind = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    watched += std::log10(sphere(searched({.maxfevals = 500, .seed = seed}, {sphere, 1, seed}).x));
    blind += std::log10(sphere(searched({.maxfevals = 500, .noise = "none", .seed = seed}, {sphere, 1, seed}).x));
  }
  EXPECT_LT(watched / 5, blind / 5 - 0.7);
}

TEST(Noise, ThatIsKnownNeedsNoRepeats) {
  std::set<std::vector<double>> points;
  int repeated = 0;
  Noisy f{sphere, 1, 3};
  Optimizer search(Vector::Constant(4, 3), 2, {.maxfevals = 400, .noise = 1.0, .seed = 3});
  while (!search.stop()) {
    for (const auto& x : search.ask().colwise()) repeated += points.insert({x.begin(), x.end()}).second ? 0 : 1;
    advance(search, f);
  }
  const Result r = search.result();
  EXPECT_LE(repeated, 8 + 13) << "the measurement alone";
  EXPECT_EQ(r.noise, 1);
  EXPECT_TRUE(contains(r.message, "; noise of 1;")) << r.message;
  EXPECT_LT(sphere(r.x), 0.5);
}

TEST(Noise, LeavesNamedMethodsAsTheyAreButMeasures) {
  const Result r = searched({.maxfevals = 600, .method = "ig-xnes", .seed = 1}, {sphere, 1, 1});
  EXPECT_EQ(r.nfev, 600);
  EXPECT_GT(r.fun_std, 0);
  EXPECT_LT(sphere(r.x), 0.5) << "the minimum of a regression";
  const Result plain = searched({.maxfevals = 600, .method = "ig-xnes", .restarts = "none", .seed = 1}, {sphere, 1, 1});
  EXPECT_EQ(plain.noise, 0) << "a plain strategy is what its paper says";
}

TEST(Noise, WithinBoundsStaysThere) {
  const auto shifted = [](const Vector& x) { return (x.array() + 1).square().sum(); };
  const Noisy f{shifted, 1, 2};
  const Result r = searched({.bounds = {Vector::Zero(5), Vector::Constant(5, 10)}, .maxfevals = 800, .seed = 2}, f);
  EXPECT_GE(r.x.minCoeff(), 0);
  EXPECT_LT(shifted(r.x) - 5, 1);
  EXPECT_GT(r.fun_std, 0);
}

TEST(Noise, OfConstrainedAndDiscreteSearchesIsSaid) {
  Noisy f{sphere, 0.5, 5};
  Space space;
  space.integer("n", {.low = -10, .high = 10, .start = 5});
  space.real("a", {.low = -4, .high = 4, .start = 2});
  Optimizer search(space, {.maxfevals = 400, .seed = 5});
  const Result r = searched(search, f);
  EXPECT_GT(r.fun_std, 0);
  EXPECT_EQ(r.x[0], std::round(r.x[0]));
  EXPECT_TRUE(contains(r.message, "noise of about")) << r.message;
  EXPECT_LT(std::abs(r.fun - sphere(r.x)), 4 * r.fun_std + 0.2);
}

/// A single value below the target is luck.
TEST(Noise, ReachesATargetByItsMeanOnly) {
  const Result near = searched({.ftarget = 0.3, .maxfevals = 4000, .noise = 1.0, .seed = 1}, {sphere, 1, 1}, 3);
  EXPECT_EQ(near.stop, StopReason::ftarget);
  EXPECT_TRUE(near.success);
  EXPECT_LE(near.fun, 0.3);
  EXPECT_LT(sphere(near.x), 1.5);
  EXPECT_TRUE(contains(near.message, "the mean of")) << near.message;
  const Result never = searched({.ftarget = -0.9, .maxfevals = 2000, .noise = 1.0, .seed = 1}, {sphere, 1, 1}, 3);
  EXPECT_EQ(never.stop, StopReason::maxfevals);
  EXPECT_FALSE(never.success);
  EXPECT_LT(never.lowest_fun, -0.9);
}

/// Without a budget the search ends when more evaluations would bring next to nothing.
/// Whatever the method, and without a budget: noise far below what matters hides no target, and larger noise is
/// measured where a value says that the target is reached.
TEST(Noise, HidesNoTarget) {
  for (const char* method : {"auto", "xnes"}) {
    for (const double deviation : {1e-9, 1e-3}) {
      const Options options{.ftarget = 0.01, .maxfevals = 20000, .method = method, .seed = 1};
      const Result r = searched(options, Noisy(sphere, deviation, 3));
      EXPECT_EQ(r.stop, StopReason::ftarget) << method << ", " << deviation << ": " << r.message;
      EXPECT_TRUE(r.success) << r.message;
      EXPECT_LT(r.nfev, 2000) << method << ", " << deviation;
      EXPECT_LT(r.x.squaredNorm(), 0.012) << method << ", " << deviation;
    }
  }
}

TEST(Noise, EndsASearchWithoutABudget) {
  const Result r = searched({.evaluation_seconds = 10, .seed = 1}, {sphere, 1, 1}, 3);
  EXPECT_EQ(r.stop, StopReason::noise);
  EXPECT_TRUE(r.success);
  EXPECT_LT(sphere(r.x), 0.2);
  EXPECT_LT(r.nfev, 3000);
  EXPECT_GT(r.fun_std, 0);
  EXPECT_TRUE(contains(r.message, "converged as far as the noise allows")) << r.message;
  constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();
  const Result same = searched({.evaluation_seconds = 10, .maxfevals = endless, .seed = 1}, {sphere, 1, 1}, 3);
  EXPECT_EQ(same.stop, StopReason::noise);
}

/// Noise that is the solver's rounding: the fit ends when it can learn no more.
TEST(Noise, OfASolversRoundingEndsTheSearch) {
  CounterNormals normals(1);
  std::int64_t number = 0;
  const auto f = [&](const Vector& x) {
    Matrix z(1, 1);
    normals.fill(static_cast<std::uint64_t>(number++), z);
    return (1 + test::rosenbrock(x)) * (1 + 1e-6 * z(0, 0));
  };
  const Result r = minimize(f, {-1, 2, 1}, 1, {.evaluation_seconds = 10, .seed = 1});
  EXPECT_LT(r.nfev, 3000);
  EXPECT_LT(test::rosenbrock(r.x), 1e-5);
  EXPECT_NEAR(r.noise, 1e-6, 8e-7);
}

// Checkpoints.

struct Case {
  const char* name;
  Options options;
  double deviation;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class NoisyCheckpoints : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(, NoisyCheckpoints,
                         testing::Values(Case{"loud", {.maxfevals = 180, .seed = 1}, 3},
                                         Case{"quiet", {.maxfevals = 260, .seed = 2}, 1e-4},
                                         Case{"known", {.maxfevals = 140, .noise = 2.0, .seed = 3}, 2},
                                         Case{"named", {.maxfevals = 140, .method = "cma", .seed = 4}, 1},
                                         Case{"target", {.ftarget = 0.5, .maxfevals = 300, .seed = 5}, 1},
                                         Case{"unlimited", {.evaluation_seconds = 10, .maxiter = 60, .seed = 6}, 1},
                                         Case{"silent", {.maxfevals = 100, .seed = 7}, 0}),
                         [](const auto& test) { return test.param.name; });

/// One evaluation after the other, as an evaluator brings them; at `stop_at` evaluations the search is saved and
/// another one continues.
std::string course(const Case& c, std::int64_t stop_at, Result& result) {
  std::ostringstream log;
  log.precision(17);
  Noisy f{sphere, c.deviation, 9};
  auto search = std::make_unique<Optimizer>(Vector{{2, -1, 1.5}}, 1, c.options);
  std::int64_t count = 0;
  while (!search->stop()) {
    Generation& generation = search->generation();
    for (Index i = 0; i < generation.size(); ++i) {
      if (search->present().outcome(i).state != Outcome::State::open) continue;
      const Vector x = search->present().population().col(i);
      const double value = f(x, count);
      log << count << ' ' << x.transpose() << ' ' << value << '\n';
      search->generation().set(i, value);
      if (++count != stop_at) continue;
      auto next = std::make_unique<Optimizer>(Vector{{2, -1, 1.5}}, 1, c.options);
      next->set_state(search->state());
      search = std::move(next);
      if (search->stop()) break;
    }
    if (!search->stop()) search->tell();
  }
  result = search->result();
  return log.str();
}

TEST_P(NoisyCheckpoints, ContinueBitForBitFromAnyEvaluation) {
  Result whole;
  const std::string expected = course(GetParam(), -1, whole);
  for (std::int64_t stop_at = 1; stop_at < whole.nfev; ++stop_at) {
    Result result;
    ASSERT_EQ(course(GetParam(), stop_at, result), expected) << stop_at;
    ASSERT_EQ(result.message, whole.message) << stop_at;
    ASSERT_EQ(result.x, whole.x) << stop_at;
    ASSERT_EQ(result.fun, whole.fun) << stop_at;
  }
}

/// Checkpoints whose numbers no search has written are refused, or lead to a search that goes on.
TEST(NoisyCheckpoint, WithForgedNumbersIsRefusedOrGoesOn) {
  const Options options{.maxfevals = 300, .seed = 1};
  Noisy f{sphere, 2, 1};
  Optimizer search({2, -1, 1.5}, 1, options);
  while (search.nfev() < 120) advance(search, f);
  ASSERT_GT(search.result().noise, 0);
  const std::string state = search.state();
  int forged = 0;
  for (const test::StateField& field : test::fields_of(state)) {
    if (field.bytes < 8 || field.type == 't') continue;
    for (const double value : {test::nan, test::inf, -1.0, 0.0, 1e300}) {
      SCOPED_TRACE(testing::Message() << field.name << " = " << value);
      std::string bytes;
      append(bytes, field.type == 'i' ? static_cast<std::uint64_t>(-1) : std::bit_cast<std::uint64_t>(value));
      Optimizer victim({2, -1, 1.5}, 1, options);
      try {
        victim.set_state(std::string(state).replace(field.at, 8, bytes));
        for (int g = 0; g < 4 && !victim.stop(); ++g) advance(victim, f);
        static_cast<void>(victim.result());
      } catch (const std::invalid_argument&) {
      }
      ++forged;
    }
  }
  EXPECT_GT(forged, 200);
}

TEST(NoisyCheckpoint, OfAnotherNoiseOptionIsRefused) {
  Noisy f{sphere, 1, 1};
  Optimizer search({1, 2}, 1, {.maxfevals = 100, .seed = 1});
  advance(search, f);
  Optimizer other({1, 2}, 1, {.maxfevals = 100, .noise = 0.5, .seed = 1});
  EXPECT_TRUE(contains(test::rejection([&] { other.set_state(search.state()); }), "noise"));
}

/// With a larger budget a search that has measured its point searches on.
TEST(NoisyCheckpoint, ContinuesWithALargerBudget) {
  Noisy f{sphere, 1, 1};
  Optimizer search(Vector::Constant(5, 3), 2, {.maxfevals = 300, .seed = 1});
  const Result first = searched(search, f);
  Optimizer more(Vector::Constant(5, 3), 2, {.maxfevals = 3000, .seed = 1});
  more.set_state(search.state());
  EXPECT_FALSE(more.stop());
  const Result second = searched(more, f);
  EXPECT_EQ(second.nfev, 3000);
  EXPECT_LT(second.fun_std, first.fun_std);
  EXPECT_LT(sphere(second.x), sphere(first.x));
}

}  // namespace
}  // namespace surefoot
