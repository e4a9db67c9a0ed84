// The surrogate between ask and tell: how much is evaluated, what is told, failures, batches, drift, checkpoints.

#include "driver/model/surrogate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "driver/checkpoint/state_bytes.hpp"
#include "surefoot/method.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using Objective = std::function<double(const Vector&)>;

/// CMA-ES with a surrogate, by hand.
class Course {
 public:
  Course(Index d, Objective f, std::uint64_t seed = 1, const SurrogateRules& rules = {}, double start = 1)
      : f_(std::move(f)),
        strategy_(make_strategy("cma", {.start = Start{Vector::Constant(d, start), Vector::Ones(d)}})),
        normals_(seed),
        surrogate_(d, strategy_->popsize(), rules) {}

  void generation() {
    begin();
    while (!surrogate_.is_complete()) step();
    tell();
  }

  /// The surrogate may have proposed the first two.
  void tell() {
    constexpr std::array<Index, 2> changed = {0, 1};
    strategy_->tell({population_, surrogate_.values(), changed});
  }

  void begin() {
    population_ = strategy_->ask(static_cast<std::uint64_t>(generations_++), normals_);
    const Distribution& distribution = strategy_->distribution();
    Matrix axes = Matrix::Identity(population_.rows(), population_.rows());
    distribution.unwhiten(axes);
    axes.colwise() -= distribution.mean();
    surrogate_.propose(population_, distribution.mean(), axes);
    surrogate_.begin(population_);
  }

  void step() {
    Vector values(static_cast<Index>(surrogate_.wanted().size()));
    for (Index k = 0; k < values.size(); ++k) {
      values[k] = f_(population_.col(surrogate_.wanted()[static_cast<std::size_t>(k)]));
      best_ = std::min(best_, std::isfinite(values[k]) ? values[k] : best_);
    }
    evaluations_ += values.size();
    surrogate_.take(values);
  }

  Surrogate& surrogate() { return surrogate_; }
  Strategy& strategy() { return *strategy_; }
  Matrix& population() { return population_; }
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }
  [[nodiscard]] double best() const { return best_; }

  /// Evaluations to a value.
  std::int64_t to(double target, std::int64_t most) {
    while (best_ > target && evaluations_ < most) generation();
    return best_ <= target ? evaluations_ : most;
  }

 private:
  Objective f_;
  std::unique_ptr<Strategy> strategy_;
  CounterNormals normals_;
  Surrogate surrogate_;
  Matrix population_;
  std::int64_t generations_ = 0;
  std::int64_t evaluations_ = 0;
  double best_ = test::inf;
};

double stretched(const Vector& x) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) {
    sum += std::pow(1e6, static_cast<double>(i) / static_cast<double>(x.size() - 1)) * x[i] * x[i];
  }
  return sum;
}

TEST(Surrogate, QuadraticsTakeAboutAsManyEvaluationsAsTheyHaveTerms) {
  EXPECT_LE(Course(10, test::sphere).to(1e-8, 1000), 80);   // plain CMA-ES: 1200
  EXPECT_LE(Course(10, stretched).to(1e-8, 1000), 2 * 66);  // plain: 3900
  EXPECT_LE(Course(5, stretched).to(1e-8, 1000), 3 * 21);   // plain: 1400
}

TEST(Surrogate, EvaluatesFiveFirst) {
  Course course(10, test::sphere);
  course.begin();
  EXPECT_EQ(course.surrogate().wanted().size(), 5U);  // 1 + max(0.02 popsize, 4 - 0)
}

TEST(Surrogate, KnownPointsCount) {
  Course course(10, test::sphere);
  for (int i = 0; i < 4; ++i) course.surrogate().remember(Vector::Constant(10, i), 100.0 * i * i);
  course.begin();
  EXPECT_EQ(course.surrogate().wanted().size(), 1U);
}

TEST(Surrogate, AcceptedGenerationsAreToldTheModelsRanking) {
  Course course(4, stretched);
  for (int g = 0; g < 8; ++g) course.generation();
  course.begin();
  while (!course.surrogate().is_complete()) course.step();
  const Surrogate& s = course.surrogate();
  ASSERT_TRUE(s.is_accepted());
  EXPECT_GE(s.tau(), 0.85);
  EXPECT_LT(s.evaluated(), s.values().size());
  double lowest = test::inf;
  for (Index i = 0; i < s.values().size(); ++i) {
    if (s.is_evaluated(i)) lowest = std::min(lowest, s.true_values()[i]);
    EXPECT_EQ(s.is_evaluated(i), !std::isnan(s.true_values()[i]));
  }
  EXPECT_DOUBLE_EQ(s.values().minCoeff(), lowest);
  // The model is exact here: differences of told values are those of the function.
  Vector truth(s.values().size());
  for (Index i = 0; i < truth.size(); ++i) truth[i] = stretched(course.population().col(i));
  EXPECT_LT(((s.values().array() - s.values()[0]) - (truth.array() - truth[0])).abs().maxCoeff(),
            1e-7 * truth.maxCoeff());
}

TEST(Surrogate, RejectedGenerationsAreToldTrueValues) {
  test::RandomValues random(3);
  Course course(4, [&](const Vector&) { return random(1)[0]; });
  int rejected = 0;
  for (int g = 0; g < 60; ++g) {
    course.generation();
    if (course.surrogate().is_accepted()) continue;
    ++rejected;
    EXPECT_EQ(course.surrogate().values(), course.surrogate().true_values());
    EXPECT_EQ(course.surrogate().evaluated(), course.population().cols());
  }
  EXPECT_GE(rejected, 50);
}

TEST(Surrogate, InjectionIsMirroredAfterARejection) {
  test::RandomValues random(3);
  Course course(4, [&](const Vector&) { return random(1)[0]; });
  do course.generation();
  while (course.surrogate().is_accepted());
  const Vector mean = course.strategy().distribution().mean();
  course.begin();
  const Vector sum = course.population().col(0) + course.population().col(1) - 2 * mean;
  EXPECT_LT(sum.norm(), 1e-12 * course.strategy().distribution().sigma());
}

/// Without the mirror sigma grows a thousand times and the mean goes as many sigma0.
TEST(Surrogate, DoesNotDriftOnARandomFunction) {
  std::vector<double> sigmas, distances;
  for (std::uint64_t seed = 1; seed <= 7; ++seed) {
    test::RandomValues random(seed);
    const auto f = [&](const Vector&) { return random(1)[0]; };
    Course course(5, f, seed, {}, 0);
    while (course.evaluations() < 5000) course.generation();
    sigmas.push_back(course.strategy().distribution().sigma());
    distances.push_back(course.strategy().distribution().mean().norm());
  }
  std::nth_element(sigmas.begin(), sigmas.begin() + 3, sigmas.end());
  std::nth_element(distances.begin(), distances.begin() + 3, distances.end());
  EXPECT_LT(sigmas[3], 1);
  EXPECT_LT(distances[3], 40);
}

/// Never believes its model, and lets it rest after so many generations.
SurrogateRules sceptical(int patience) {
  SurrogateRules rules;
  rules.patience = patience;
  rules.accepted_tau = 1.1;
  return rules;
}

/// Which generations had a model (m) on a random function, and which had none (a dot).
std::string attempts(int patience, int generations) {
  test::RandomValues random(3);
  Course course(
      4, [&](const Vector&) { return random(1)[0]; }, 1, sceptical(patience));
  std::string had_model;
  for (int g = 0; g < generations; ++g) {
    had_model += course.surrogate().is_resting() ? '.' : 'm';
    course.begin();
    const bool is_whole = course.surrogate().wanted().size() == static_cast<std::size_t>(course.population().cols());
    EXPECT_EQ(is_whole, had_model.back() == '.') << g;
    while (!course.surrogate().is_complete()) course.step();
    course.tell();
  }
  return had_model;
}

TEST(Surrogate, RestsWhileItKnowsNothing) {
  EXPECT_EQ(attempts(0, 20), std::string(20, 'm'));
  const std::string course = attempts(3, 400);
  EXPECT_EQ(course.substr(0, 10), "mmm.......");
  EXPECT_LE(std::count(course.begin(), course.end(), 'm'), 20);  // chance passes one test in fifty
}

/// A generation in a rest is what it would be without a model. A fit comes at the end of each rest, of 16 generations
/// in the long run, for the test.
TEST(Surrogate, NothingIsInjectedInARest) {
  test::RandomValues random(3);
  Course course(
      4, [&](const Vector&) { return random(1)[0]; }, 1, sceptical(1));
  CounterNormals normals(1);
  int rests = 0;
  std::int64_t fits = 0;
  for (std::uint64_t g = 0; g < 200; ++g) {
    const std::int64_t fits_before = course.surrogate().model().fits();
    const std::int64_t points = course.surrogate().archive().added();
    const Matrix sampled = course.strategy().ask(g, normals);
    const bool is_resting = course.surrogate().is_resting();
    course.generation();
    if (!is_resting) continue;
    ++rests;
    fits += course.surrogate().model().fits() - fits_before;
    EXPECT_EQ(course.population(), sampled);
    EXPECT_EQ(course.surrogate().values(), course.surrogate().true_values());
    EXPECT_EQ(course.surrogate().archive().added(), points + sampled.cols());  // it knows them when it wakes
  }
  EXPECT_GT(rests, 180);
  EXPECT_LT(fits, 30);
}

/// A rest is over within as many generations as it has lasted, 16 at most.
TEST(Surrogate, WakesWhenItKnowsSomething) {
  test::RandomValues random(3);
  bool is_random = true;
  SurrogateRules rules;
  rules.patience = 3;
  Course course(
      4, [&](const Vector& x) { return is_random ? random(1)[0] : stretched(x); }, 1, rules);
  for (int g = 0; g < 60; ++g) course.generation();
  is_random = false;
  int generations = 0;
  do {
    course.generation();
    ++generations;
  } while (!course.surrogate().is_accepted() && generations < 100);
  EXPECT_LE(generations, 40);  // the archive must forget the random values first
}

TEST(Surrogate, RestsAreResumed) {
  test::RandomValues random(3);
  Course course(
      4, [&](const Vector&) { return random(1)[0]; }, 1, sceptical(1));
  for (int g = 0; g < 9; ++g) course.generation();
  ASSERT_TRUE(course.surrogate().is_resting());
  StateWriter writer;
  course.surrogate().visit(writer);
  Surrogate restored(4, course.population().cols(), sceptical(1));
  StateReader reader(writer.bytes());
  restored.visit(reader);
  reader.finish();
  Surrogate& original = course.surrogate();
  for (std::uint64_t g = 0; g < 80; ++g) {
    ASSERT_EQ(restored.is_resting(), original.is_resting()) << g;
    Matrix points(4, course.population().cols());
    CounterNormals(9).fill(g, points);
    for (Surrogate* s : {&original, &restored}) {
      Matrix population = points;
      s->propose(population, Vector::Zero(4), Matrix::Identity(4, 4));
      s->begin(population);
      while (!s->is_complete()) {
        Vector values(static_cast<Index>(s->wanted().size()));
        for (Index k = 0; k < values.size(); ++k)
          values[k] = std::sin(1e4 * population(0, s->wanted()[static_cast<std::size_t>(k)]));
        s->take(values);
      }
    }
  }
}

TEST(Surrogate, BatchesAreMultiples) {
  SurrogateRules rules;
  rules.batch = 4;
  Course course(10, stretched, 1, rules);  // popsize 10
  for (int g = 0; g < 30; ++g) {
    course.begin();
    std::size_t left = 10;
    while (!course.surrogate().is_complete()) {
      const std::size_t wanted = course.surrogate().wanted().size();
      EXPECT_TRUE(wanted % 4 == 0 || wanted == left) << wanted;
      left -= wanted;
      course.step();
    }
    course.tell();
  }
}

TEST(Surrogate, FailuresAreReplacedAndNeverLearned) {
  int calls = 0;
  Course course(5, [&](const Vector& x) { return ++calls % 5 == 0 ? test::nan : test::sphere(x); });
  EXPECT_LE(course.to(1e-8, 1000), 150);
  const Archive& archive = course.surrogate().archive();
  for (Index i = 0; i < archive.size(); ++i) EXPECT_TRUE(std::isfinite(archive.value(i)));
}

TEST(Surrogate, ToldFailuresStayFailures) {
  Course course(4, [](const Vector& x) { return x[0] > 1 ? test::inf : test::sphere(x); });
  for (int g = 0; g < 10; ++g) {
    course.generation();
    const Surrogate& s = course.surrogate();
    for (Index i = 0; i < s.values().size(); ++i) {
      EXPECT_EQ(s.values()[i] == test::inf, s.is_evaluated(i) && course.population()(0, i) > 1);
    }
  }
}

TEST(Surrogate, NothingFiniteIsEvaluatedWhole) {
  Course course(4, [](const Vector&) { return test::nan; });
  course.begin();
  while (!course.surrogate().is_complete()) course.step();
  EXPECT_EQ(course.surrogate().evaluated(), course.population().cols());
  EXPECT_FALSE(course.surrogate().model().exists());
}

TEST(Surrogate, FailedInjectionsPause) {  // the optimum of the linear half is where values fail
  Course course(3, [](const Vector& x) { return x.sum() < -1 ? test::nan : x.sum(); });
  int injections = 0;
  for (int g = 0; g < 60; ++g) {
    const Matrix plain = [&] {
      CounterNormals normals(1);
      return Matrix(course.strategy().ask(static_cast<std::uint64_t>(g), normals));
    }();
    course.begin();
    injections += (plain.col(0) - course.population().col(0)).norm() > 0 ? 1 : 0;
    while (!course.surrogate().is_complete()) course.step();
    course.tell();
  }
  EXPECT_GT(injections, 3);
  EXPECT_LT(injections, 50);
}

TEST(Surrogate, ConvergesByTheModel) {
  Course course(5, test::sphere);
  int generations = 0;
  while (!course.surrogate().has_converged() && generations < 200) {
    course.generation();
    ++generations;
  }
  EXPECT_LT(generations, 60);
  EXPECT_LT(course.best(), 1e-10);
}

double surrogate_valley(const Vector& x) {
  double sum = 0;
  for (Index i = 0; i + 1 < x.size(); ++i) sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(x[i] - 1, 2);
  return sum;
}

/// With many terms a model lives for several generations, in which it cannot promise anything new.
TEST(Surrogate, ConvergesByTwoModelsNotByOneTwice) {
  Course course(18, surrogate_valley, 1, {}, 0);
  while (!course.surrogate().has_converged() && course.best() > 1e-9 && course.evaluations() < 10000) {
    course.generation();
  }
  EXPECT_LT(course.best(), 1e-8);
}

TEST(Surrogate, SlopesDoNotConverge) {
  Course course(3, [](const Vector& x) { return x.sum(); });
  for (int g = 0; g < 40; ++g) course.generation();
  EXPECT_FALSE(course.surrogate().has_converged());
}

/// Values of an unsmooth function, for generations of every kind.
double rugged(const Vector& x) { return x.squaredNorm() + (10 * x.array()).sin().sum(); }

TEST(Surrogate, ResumesInTheMiddleOfAGeneration) {
  Matrix points;
  CounterNormals normals(9);
  for (const int at : {0, 3, 7, 20, 41}) {
    Course course(4, rugged);
    for (int g = 0; g < at; ++g) course.generation();
    course.begin();
    course.step();
    StateWriter writer;
    course.surrogate().visit(writer);
    Surrogate restored(4, course.population().cols());
    StateReader reader(writer.bytes());
    restored.visit(reader);
    reader.finish();
    Surrogate& original = course.surrogate();
    for (int step = 0; step < 200; ++step) {
      ASSERT_EQ(restored.is_complete(), original.is_complete());
      if (original.is_complete()) {
        EXPECT_EQ(restored.values(), original.values());
        Matrix a(4, original.values().size());
        normals.fill(static_cast<std::uint64_t>(step), a);
        Matrix b = a;
        original.propose(a, Vector::Zero(4), Matrix::Identity(4, 4));
        restored.propose(b, Vector::Zero(4), Matrix::Identity(4, 4));
        EXPECT_EQ(a, b);
        original.begin(a);
        restored.begin(b);
        points = a;
      } else if (step == 0) {
        points = course.population();
      }
      ASSERT_EQ(restored.wanted(), original.wanted());
      Vector values(static_cast<Index>(original.wanted().size()));
      for (Index k = 0; k < values.size(); ++k) {
        values[k] = rugged(points.col(original.wanted()[static_cast<std::size_t>(k)]));
      }
      original.take(values);
      restored.take(values);
    }
  }
}

}  // namespace
}  // namespace surefoot
