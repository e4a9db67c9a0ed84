#include "experiments/arena.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "experiments/row_file.hpp"
#include "surefoot/normal_source.hpp"

namespace surefoot {
namespace {

Vector values_of(const ProblemInstance& problem, const Matrix& population) {
  Vector f(population.cols());
  problem.values(population, f);
  return f;
}

TEST(ArenaProblems, AreRotatedWithTheirStartAndOptimum) {
  for (const ArenaFunction& function : arena_table()) {
    if (!function.rotated) continue;
    const ProblemInstance plain = make_problem(function.problem, 6);
    const ProblemInstance problem = make_arena_problem(function, 6, 7);
    Matrix points(6, 2);
    points << problem.start, problem.optimum;
    Matrix same(6, 2);
    same << plain.start, plain.optimum;
    const Vector expected = values_of(plain, same);
    const Vector found = values_of(problem, points);
    EXPECT_NEAR(found[0], expected[0], 1e-9 * expected[0] + 1e-9) << function.name;
    EXPECT_NEAR(found[1], 0, 1e-15) << function.name;
    EXPECT_NEAR(problem.start.norm(), plain.start.norm(), 1e-12);
    if (plain.start.norm() > 0) {
      EXPECT_GT((problem.start - plain.start).norm(), 0.1);
    }
  }
}

TEST(ArenaProblems, HaveNoiseThatKnowsNothing) {
  // The search and the noise have the same seed; neither a coordinate nor a length may predict the noise.
  constexpr Index d = 3;
  constexpr Index n = 4000;
  for (const char* name : {"noisy-sphere", "multiplicative-noise", "random"}) {
    const ProblemInstance exact = make_problem("sphere", d);
    const ProblemInstance noisy = make_arena_problem(find_arena_function(name), d, 11);
    Matrix x(d, n);
    CounterNormals(11).fill(0, x);
    const Vector f = values_of(exact, x);
    Vector noise = values_of(noisy, x);
    if (std::string(name) == "noisy-sphere") noise -= f;
    if (std::string(name) == "multiplicative-noise") noise = (noise.array() / f.array()).log();
    EXPECT_NEAR(noise.mean(), 0, 0.06) << name;
    EXPECT_NEAR(noise.squaredNorm() / n, 1, 0.1) << name;
    for (Index i = 0; i < d; ++i) EXPECT_NEAR(x.row(i).dot(noise) / n, 0, 0.06) << name;
    EXPECT_NEAR((f.array() - 3).matrix().dot(noise) / n, 0, 0.15) << name;
    EXPECT_NE(values_of(noisy, x), values_of(noisy, x)) << "noise is drawn anew";
  }
}

ArenaOutcome outcome(bool success, std::int64_t evaluations) {
  ArenaOutcome o;
  o.success = success;
  o.evaluations = evaluations;
  o.lowest_eta_m = o.lowest_eta_sigma = o.lowest_eta_B = 1;
  return o;
}

TEST(ArenaSummaries, HaveRatiosByHand) {
  const ArenaCell sphere{"sphere", 10, "default"};
  const ArenaCell cigar{"cigar", 10, "default"};
  // Two blocks of two trials. On the sphere b takes half, then a quarter of a's evaluations; on the cigar twice as
  // many.
  const std::vector<ArenaResult> results = {
      {sphere, "a", 2, {outcome(true, 100), outcome(true, 100), outcome(true, 100), outcome(true, 100)}},
      {cigar, "a", 2, {outcome(true, 100), outcome(true, 100), outcome(true, 100), outcome(true, 100)}},
      {sphere, "b", 2, {outcome(true, 50), outcome(true, 50), outcome(true, 25), outcome(true, 25)}},
      {cigar, "b", 2, {outcome(true, 200), outcome(true, 200), outcome(false, 999), outcome(true, 200)}}};
  const ArenaReport report = summarise(results, "a");
  ASSERT_EQ(report.cells.size(), 4U);
  EXPECT_NEAR(*report.cells[2].ratio, 0.375, 1e-12);
  EXPECT_NEAR(report.cells[3].success_rate, 0.75, 1e-12);
  EXPECT_NEAR(*report.cells[3].evaluations_per_success, 200 / 0.75, 1e-9);
  ASSERT_EQ(report.groups.size(), 2U);
  const ArenaGroup& b = report.groups[1];
  EXPECT_EQ(b.method, "b");
  ASSERT_EQ(b.ratios.size(), 2U);
  EXPECT_NEAR(b.ratios[0], std::sqrt(0.5 * 2), 1e-12);
  EXPECT_NEAR(b.ratios[1], std::sqrt(0.25 * 4), 1e-12);  // 200 evaluations at a success rate of 1/2
  EXPECT_NEAR(*b.median, 1, 1e-12);
  EXPECT_EQ(b.worst_function, "cigar");
  EXPECT_EQ(b.faster, 1);
  EXPECT_EQ(b.failures, 1);
}

TEST(ArenaSummaries, HaveNoRatioWithoutASuccess) {
  const ArenaCell sphere{"sphere", 10, "default"};
  const ArenaReport report =
      summarise({{sphere, "a", 1, {outcome(true, 100)}}, {sphere, "b", 1, {outcome(false, 9)}}}, "a");
  EXPECT_FALSE(report.cells[1].ratio);
  EXPECT_FALSE(report.groups[1].median);
  EXPECT_EQ(report.groups[1].failures, 1);
}

TEST(ArenaTrials, ReachTheTargetAndSurviveAFile) {
  ArenaCourse course;
  const ArenaCell cell{"rotated-ellipsoid", 3, "3x"};
  EXPECT_EQ(cell.candidates(), 21);
  const ArenaOutcome o = run_arena_trial(make_contender("xnes", "none"), cell, 5, &course);
  EXPECT_TRUE(o.success);
  EXPECT_EQ(o.stop, "ftarget");
  EXPECT_LT(o.distance, 1e-3);
  EXPECT_LT(o.growth, 1e-2);
  EXPECT_EQ(o.eta_m, 1);
  EXPECT_NEAR(o.eta_B, default_learning_rates(3).B, 1e-14);  // a geometric mean of equal numbers
  EXPECT_EQ(course.nfev.front(), 21);
  const std::string text = fields_of(o);
  std::vector<std::string> fields = {"key"};
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    fields.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const ArenaOutcome read = arena_outcome(fields);
  EXPECT_EQ(fields_of(read), text);
  EXPECT_EQ(read.stop, "ftarget");
}

}  // namespace
}  // namespace surefoot
