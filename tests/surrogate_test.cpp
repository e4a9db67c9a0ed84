// The surrogate between ask and tell: how much is evaluated, what is told, failures, batches, drift, checkpoints.

#include "driver/model/surrogate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
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
