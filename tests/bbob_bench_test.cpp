#include "experiments/bbob_bench.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "experiments/bbob_published.hpp"
#include "experiments/csv.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {
namespace {

BbobOutcome hits_at(std::int64_t evaluations, std::size_t count) {
  BbobOutcome outcome;
  for (std::size_t k = 0; k < count; ++k) outcome.hits.at(k) = evaluations;
  return outcome;
}

TEST(BbobScores, AreAreasOfStepFunctions) {
  // Targets that are all hit within d evaluations fill the whole area; targets hit at the end of the budget add
  // nothing.
  EXPECT_DOUBLE_EQ(score(hits_at(1, bbob_targets), 10, 100).area, 1);
  EXPECT_DOUBLE_EQ(score(hits_at(10, bbob_targets), 10, 100).area, 1);
  EXPECT_NEAR(score(hits_at(100, bbob_targets), 10, 100).area, 0.5, 1e-12);
  EXPECT_NEAR(score(hits_at(1000, bbob_targets), 10, 100).area, 0, 1e-12);
  EXPECT_NEAR(score(hits_at(100, 17), 10, 100).area, 17 / 51.0 / 2, 1e-12);
  EXPECT_NEAR(score(hits_at(1000, 17), 10, 100).share, 17 / 51.0, 1e-12);
  EXPECT_EQ(score({}, 10, 100).area, 0);
}

TEST(BbobScores, HaveStandardErrorsOverInstances) {
  // Two functions, two instances. Areas with budget 100: 1 or 1/2.
  const std::vector<BbobTask> tasks = {{1, 10, 1}, {1, 10, 2}, {8, 10, 1}, {8, 10, 2}};
  const BbobOutcome one = hits_at(10, bbob_targets);
  const BbobOutcome half = hits_at(100, bbob_targets);
  const std::vector<BbobResults> results = {{"a", {one, half, one, one}}, {"b", {half, half, one, half}}};
  const std::vector<BbobRow> rows = summarise(tasks, results, 100);

  const auto find = [&](const std::string& method, bool difference, std::optional<int> function) {
    return *std::find_if(rows.begin(), rows.end(), [&](const BbobRow& r) {
      return r.method == method && r.against.has_value() == difference && r.scope.function == function &&
             !r.scope.dimension && (function || !r.scope.group);
    });
  };
  // a: instance 1 has mean 1, instance 2 has 3/4. Standard error: |1 - 3/4|/2.
  EXPECT_NEAR(find("a", false, {}).area.mean, 0.875, 1e-12);
  EXPECT_NEAR(*find("a", false, {}).area.standard_error, 0.125, 1e-12);
  // b - a: instances -1/4 and -1/4: paired, it has no error.
  EXPECT_NEAR(find("b", true, {}).area.mean, -0.25, 1e-12);
  EXPECT_NEAR(*find("b", true, {}).area.standard_error, 0, 1e-12);
  EXPECT_EQ(find("b", true, {}).against, "a");
  EXPECT_NEAR(find("a", false, 1).area.mean, 0.75, 1e-12);
  EXPECT_NEAR(find("b", false, 8).area.mean, 0.75, 1e-12);
}

TEST(BbobScores, NeedTwoInstancesForAnError) {
  const std::vector<BbobRow> rows = summarise({{1, 2, 1}}, {{"a", {hits_at(2, 3)}}}, 10);
  EXPECT_FALSE(rows.front().area.standard_error);
}

TEST(BbobScores, OfSmallerBudgetsForgetLaterHits) {
  BbobOutcome outcome = hits_at(10, 20);
  for (std::size_t k = 20; k < 40; ++k) outcome.hits.at(k) = 10 * 50;
  EXPECT_NEAR(score(outcome, 10, 20).area, 20 / 51.0, 1e-12);
  EXPECT_NEAR(score(outcome, 10, 20).share, 20 / 51.0, 1e-12);
  EXPECT_NEAR(score(outcome, 10, 50).share, 40 / 51.0, 1e-12);  // the last evaluation of a budget counts
  EXPECT_EQ(smaller_budgets(2000), (std::vector<double>{20, 100, 500}));
  EXPECT_EQ(smaller_budgets(100), std::vector<double>{20});
  const std::vector<BbobRow> rows = summarise({{1, 10, 1}}, {{"a", {outcome}}}, 2000);
  ASSERT_EQ(rows.front().smaller.size(), 3U);
  EXPECT_EQ(rows.front().smaller[1].budget, 100);
  EXPECT_NEAR(rows.front().smaller[1].area.mean, score(outcome, 10, 100).area, 1e-12);
}

TEST(BbobScores, HaveAVirtualBestOfSeveralMethods) {
  const BbobOutcome early = hits_at(10, 5);
  const BbobOutcome late = hits_at(1000, 30);
  const BbobResults best = virtual_best({{"a", {early, late}}, {"b", {late, {}}}});
  EXPECT_EQ(best.outcomes[0].hits.at(4), 10);
  EXPECT_EQ(best.outcomes[0].hits.at(5), 1000);
  EXPECT_EQ(best.outcomes[0].hits.at(30), 0);
  EXPECT_EQ(best.outcomes[1].hits, late.hits);
  const auto named = [](const std::vector<BbobRow>& rows) {
    return std::count_if(rows.begin(), rows.end(), [](const BbobRow& r) { return r.method == virtual_best_name; });
  };
  EXPECT_EQ(named(summarise({{1, 10, 1}}, {{"a", {early}}}, 100)), 0);
  EXPECT_GT(named(summarise({{1, 10, 1}}, {{"a", {early}}, {"b", {late}}}, 100)), 0);
}

TEST(BbobReferences, AreThoseOfTheBudget) {
  EXPECT_TRUE(published_areas(500).empty());
  for (const std::int64_t budget : {2000, 20000}) {
    const std::vector<PublishedAreas> rows = published_areas(budget);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.mean > b.mean; }));
    EXPECT_GT(rows.size(), 5U);
  }
}

TEST(BbobCurves, EndAtTheShareOfTargetsHit) {
  const std::vector<BbobTask> tasks = {{1, 10, 1}, {20, 10, 1}};
  const BbobResults results{"a", {hits_at(1000, 17), hits_at(100, 34)}};
  const BbobCurve all = ecdf({.dimension = 10}, tasks, results, 100);
  EXPECT_EQ(all.evaluations.front(), 1);
  EXPECT_NEAR(all.evaluations.back(), 100, 1e-9);
  EXPECT_EQ(all.share.front(), 0);
  EXPECT_DOUBLE_EQ(all.share.back(), 0.5);
  EXPECT_DOUBLE_EQ(all.share[all.share.size() / 2], 34 / 102.0);
  const BbobCurve weak = ecdf({.dimension = 10, .group = "weak structure"}, tasks, results, 100);
  EXPECT_DOUBLE_EQ(weak.share.back(), 34 / 51.0);
}

TEST(BbobRuns, CountEvaluationsToTargets) {
  const BbobProblem sphere(1, 3, 1);
  const BbobOutcome outcome = run_bbob(make_contender("xnes", "ipop"), sphere, 6000, 1);
  EXPECT_LE(outcome.precision, 1e-8);
  EXPECT_LT(outcome.evaluations, 6000);
  EXPECT_TRUE(std::is_sorted(outcome.hits.begin(), outcome.hits.end()));
  EXPECT_GT(outcome.hits.back(), 0);
  EXPECT_LE(outcome.hits.back(), outcome.evaluations);
}

TEST(BbobRuns, KeepToTheBudget) {
  const BbobProblem katsuura(23, 5, 1);
  for (const char* method : {"xnes", "random"}) {
    const BbobOutcome outcome = run_bbob(make_contender(method, "ipop"), katsuura, 1003, 1);
    EXPECT_EQ(outcome.evaluations, 1003) << method;
    EXPECT_LE(*std::max_element(outcome.hits.begin(), outcome.hits.end()), 1003);
    EXPECT_GT(outcome.precision, 1e-8);
  }
}

TEST(BbobRuns, RestartFromOtherPoints) {
  const BbobOutcome outcome = run_bbob(make_contender("xnes", "ipop"), BbobProblem(22, 2, 1), 20000, 3);
  EXPECT_GT(outcome.runs, 1);
}

/// Evaluations are counted, so the default has its model whatever the budget.
TEST(BbobRuns, CountEvaluationsAsExpensive) {
  const BbobProblem sphere(1, 3, 1);
  EXPECT_LT(run_bbob(make_contender("auto/auto", "ipop"), sphere, 30000, 1).evaluations, 100);
}

TEST(Contenders, AreNamedByTheirParts) {
  const Contender plain = make_contender("xnes", "ipop");
  EXPECT_EQ(plain.options.method, "xnes");
  EXPECT_EQ(Optimizer({0, 0}, 1, plain.options).options().learning_rate.text(), "fixed");
  EXPECT_EQ(plain.options.restarts.text(), Restarts("ipop").text());
  const Contender lra = make_contender("lra:frame=B;alpha=1.5/bipop:3", "none");
  EXPECT_EQ(lra.options.learning_rate.text(), "lra:frame=B;alpha=1.5");
  EXPECT_EQ(lra.options.restarts.text(), Restarts("bipop:3").text());
  EXPECT_TRUE(make_contender("random", "none").is_random);
  EXPECT_EQ(make_contender("auto/none", "ipop").options.method, "auto");
  EXPECT_THROW(make_contender("everest", "none"), std::invalid_argument);
  EXPECT_THROW(make_contender("", "none"), std::invalid_argument);
  EXPECT_THROW(make_contender("cma/lra", "none"), std::invalid_argument);
  EXPECT_THROW(make_contender("cma/xnes", "none"), std::invalid_argument);
  EXPECT_EQ(contender_names({"auto,lra:frame=B,alpha=1.5,xnes/bipop", "random"}),
            (std::vector<std::string>{"auto", "lra:frame=B;alpha=1.5", "xnes/bipop", "random"}));
}

TEST(CocoLogs, WriteLinesAtTargetsAndCounts) {
  const BbobProblem problem(1, 2, 1);
  CocoLog log(problem);
  const Vector x = problem.optimum();
  const double f = problem.optimal_value();
  // 30 values, of which the first, the tenth and the last improve.
  for (int i = 1; i <= 30; ++i) log.add(i, f + (i == 10 ? 1 : i == 30 ? 1e-9 : 100), x.data());
  std::istringstream dat(log.dat());
  std::string line;
  std::getline(dat, line);
  EXPECT_TRUE(line.starts_with("% f evaluations | g evaluations | best noise-free fitness - Fopt (7.948"));
  std::vector<std::string> starts;
  while (std::getline(dat, line)) starts.push_back(line.substr(0, line.find(' ')));
  EXPECT_EQ(starts, (std::vector<std::string>{"1", "10", "30"}));
  // Counts 10^(k/20) are 1, 1, 1, ..., 2, ..., 28; those of the dimension 2, 4, 10, 20; and the last.
  std::vector<int> counts;
  std::istringstream tdat(log.tdat());
  std::getline(tdat, line);
  while (std::getline(tdat, line)) counts.push_back(std::stoi(line));
  EXPECT_EQ(counts, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 15, 17, 19, 20, 22, 25, 28, 30}));
}

}  // namespace
}  // namespace surefoot
