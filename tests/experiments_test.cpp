// Statistics by hand, the protocol of the paper, and the file of trials.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "driver/atomic_file.hpp"
#include "experiments/csv.hpp"
#include "experiments/experiment.hpp"
#include "experiments/paper.hpp"
#include "experiments/protocol.hpp"
#include "experiments/statistics.hpp"
#include "experiments/trial_summary.hpp"
#include "experiments/trials.hpp"
#include "experiments/typical_run.hpp"
#include "experiments/verdict.hpp"
#include "surefoot/minimize.hpp"
#include "surefoot/problems.hpp"

namespace surefoot {
namespace {

const std::vector<TrialOutcome> three_of_four = {{true, 100}, {false, 5000}, {true, 200}, {true, 300}};

TEST(Statistics, EvaluationsPerSuccessDividesByTheSuccessRate) {
  EXPECT_EQ(success_rate(three_of_four), 0.75);
  EXPECT_DOUBLE_EQ(*evaluations_per_success(three_of_four), 200 / 0.75);
  EXPECT_DOUBLE_EQ(*evaluations_per_success({{true, 100}, {true, 300}}), 200);
  EXPECT_FALSE(evaluations_per_success({{false, 100}, {false, 300}}));
}

TEST(Statistics, QuantilesAreLinearBetweenValues) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_EQ(quantile({0, 10}, 0.25), 2.5);
  EXPECT_EQ(quantile({1, HUGE_VAL}, 0), 1);
  EXPECT_EQ(quantile({7}, 0.975), 7);
}

// The mean of n values has standard error s/sqrt(n); the bootstrap's percentile interval is about 1.96 of them wide.
TEST(Statistics, BootstrapIntervalHasTheWidthOfTheStandardError) {
  std::vector<TrialOutcome> outcomes;
  for (int i = 0; i < 400; ++i) outcomes.push_back({true, 1000 + (i % 2 == 0 ? 100 : -100)});
  const Interval interval = *bootstrap_interval(outcomes);
  const double half = 1.96 * 100 / std::sqrt(400.0);
  EXPECT_NEAR(interval.low, 1000 - half, 1.5);
  EXPECT_NEAR(interval.high, 1000 + half, 1.5);
}

TEST(Statistics, BootstrapIntervalIncludesTheSuccessRate) {
  // Equal evaluations: only the success rate varies, with standard error sqrt(p(1-p)/n) = 0.05.
  std::vector<TrialOutcome> outcomes;
  for (int i = 0; i < 100; ++i) outcomes.push_back({i % 2 == 0, 1000});
  const Interval interval = *bootstrap_interval(outcomes);
  EXPECT_NEAR(interval.low, 1000 / 0.598, 60);
  EXPECT_NEAR(interval.high, 1000 / 0.402, 120);
  EXPECT_FALSE(bootstrap_interval({{false, 10}, {false, 10}}));
}

TEST(Statistics, BootstrapIntervalIsTheSameTwice) {
  const Interval first = *bootstrap_interval(three_of_four);
  const Interval second = *bootstrap_interval(three_of_four);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

TEST(Statistics, WilsonIntervalIsThatOfTheFormula) {
  // z = 1.96, n = 200, p = 1: low = 1/(1 + z^2/n).
  const Interval all = wilson_interval(std::vector<TrialOutcome>(200, {true, 1}));
  EXPECT_NEAR(all.low, 1 / (1 + 1.959963984540054 * 1.959963984540054 / 200), 1e-12);
  EXPECT_EQ(all.high, 1);
  const Interval half = wilson_interval({{true, 1}, {false, 1}});
  EXPECT_NEAR(half.low + half.high, 1, 1e-12);
}

TEST(Statistics, RepeatIntervalIsSqrt2TimesAsWide) {
  std::vector<TrialOutcome> outcomes;
  for (int i = 0; i < 400; ++i) outcomes.push_back({true, 1000 + (i % 2 == 0 ? 100 : -100)});
  const Interval interval = *repeat_interval(outcomes);
  const double half = std::sqrt(2.0) * 1.96 * 100 / std::sqrt(400.0);
  EXPECT_NEAR(interval.low, 1000 - half, 2);
  EXPECT_NEAR(interval.high, 1000 + half, 2);
  EXPECT_FALSE(repeat_interval({{false, 10}}));
}

TEST(Statistics, RepeatRateIntervalIsThatOfTheTwoSampleTest) {
  // All of 200 succeed: k of 200 is not told from it while (1-q) <= 1.96 sqrt(2 (1+q)/2 (1-q)/2/200), so 1-q <= 0.0188.
  const Interval all = repeat_rate_interval(std::vector<TrialOutcome>(200, {true, 1}));
  EXPECT_DOUBLE_EQ(all.low, 0.985);
  EXPECT_EQ(all.high, 1);
  std::vector<TrialOutcome> half(200, {true, 1});
  for (std::size_t i = 0; i < 100; ++i) half[i].success = false;
  EXPECT_NEAR(repeat_rate_interval(half).low, 0.5 - 1.96 * std::sqrt(0.5 / 200), 0.006);
}

TEST(Paper, HasTheFiguresNumbers) {
  EXPECT_EQ(paper::evaluations_per_success("sphere", 10, "adaptive"), 6585);
  EXPECT_EQ(paper::evaluations_per_success("bohachevsky", 70, "x10"), 5049);
  EXPECT_EQ(paper::evaluations_per_success("rastrigin", 250, "x6"), 40387);
  EXPECT_FALSE(paper::evaluations_per_success("sphere", 10, "x4"));
  EXPECT_FALSE(paper::evaluations_per_success("sphere", 11, "x1"));
  EXPECT_EQ(paper::success_rate("bohachevsky", 40, "x8"), 0.69);
  EXPECT_EQ(paper::success_rate("bohachevsky", 30, "x10"), 0);
  EXPECT_FALSE(paper::success_rate("sphere", 10, "x8"));
}

TEST(Protocol, IsThePapersWithoutRestrictions) {
  const Protocol protocol = make_protocol({});
  ASSERT_EQ(protocol.cells.size(), 140U);
  int trials = 0;
  int plotted = 0;
  for (const Cell& cell : protocol.cells) {
    trials += cell.trials;
    if (paper::evaluations_per_success(cell.function, cell.popsize, cell.method)) ++plotted;
  }
  EXPECT_EQ(trials, 2 * 35 * 50 + 2 * 35 * 200);
  EXPECT_EQ(plotted, 117);
  ASSERT_EQ(protocol.runs.size(), 4U + 4U + 5U);
  EXPECT_EQ(protocol.runs[2].name(), "figure1_rastrigin_400_x1");
  EXPECT_EQ(protocol.runs[7].name(), "figure2_bohachevsky_50_adaptive");
}

TEST(Protocol, CanBeRestricted) {
  const Protocol figure5 = make_protocol({.figures = {5}});
  EXPECT_EQ(figure5.cells.size(), 30U);
  EXPECT_TRUE(figure5.runs.empty());
  const Protocol small =
      make_protocol({.figures = {4}, .functions = {"sphere"}, .popsizes = {10, 20}, .methods = {"x1"}, .trials = 3});
  ASSERT_EQ(small.cells.size(), 2U);
  EXPECT_EQ(small.cells[1].popsize, 20);
  EXPECT_EQ(small.cells[1].trials, 3);
}

TEST(Protocol, RefusesWhatThePaperDoesNotHave) {
  EXPECT_THROW(make_protocol({.figures = {6}}), std::invalid_argument);
  EXPECT_THROW(make_protocol({.functions = {"ackley"}}), std::invalid_argument);
  EXPECT_THROW(make_protocol({.popsizes = {11}}), std::invalid_argument);
  EXPECT_THROW(make_protocol({.methods = {"x3"}}), std::invalid_argument);
  EXPECT_THROW(make_protocol({.trials = 0}), std::invalid_argument);
  EXPECT_THROW(make_protocol({.figures = {4}, .functions = {"sphere"}, .popsizes = {200}}), std::invalid_argument);
}

TEST(Protocol, SeedsDifferAndFitADouble) {
  std::set<std::uint64_t> seen;
  for (const char* method : {"x1", "x10", "adaptive"}) {
    for (const Index popsize : {10, 20}) {
      for (int trial = 0; trial < 200; ++trial) seen.insert(trial_seed(1, "sphere", popsize, method, trial));
    }
  }
  EXPECT_EQ(seen.size(), 1200U);
  EXPECT_LT(*seen.rbegin(), std::uint64_t{1} << 53U);
  EXPECT_NE(trial_seed(1, "sphere", 10, "x1", 0), trial_seed(2, "sphere", 10, "x1", 0));
}

TEST(Trials, CanBeRepeatedByHand) {
  const Trial trial = run_trial({"sphere", 20, "x2", 1}, 7, 1);
  const Result again = minimize(find_problem("sphere"), Vector::Constant(10, 3), 2,
                                {.evaluate_x0 = false,
                                 .ftarget = 1e-8,
                                 .learning_rate = "fixed:2",
                                 .maxfevals = 500000,
                                 .popsize = 20,
                                 .restarts = "none",
                                 .seed = trial.seed});
  EXPECT_TRUE(trial.outcome.success);
  EXPECT_EQ(trial.outcome.evaluations, again.nfev);
  EXPECT_EQ(trial.stop_reason, "ftarget");
}

TEST(Trials, EndEarlyWithTheirReasonWhenTheyCannotSucceed) {
  const Trial trial = run_trial({"sphere", 10, "x10", 1}, 0, 1);
  EXPECT_FALSE(trial.outcome.success);
  EXPECT_LT(trial.outcome.evaluations, 100000);
  EXPECT_NE(trial.stop_reason, "maxfevals");
}

class TrialFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("surefoot-trials-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static Trial made_up(const Cell& cell, int number) {
    return {cell, number, 5, {number % 2 == 0, 100 + number}, "ftarget"};
  }

  std::filesystem::path folder_;
  Protocol protocol_ =
      make_protocol({.figures = {4}, .functions = {"sphere"}, .popsizes = {10, 20}, .methods = {"x1"}, .trials = 3});
};

TEST_F(TrialFiles, SortRowsAtTheEnd) {
  TrialFile file(folder_ / "trials.csv", protocol_);
  for (const int number : {2, 0, 1}) {
    for (const std::size_t cell : {1U, 0U}) file.add(cell, number, row_fields(made_up(protocol_.cells[cell], number)));
  }
  file.finish();
  const std::string text = read_file(folder_ / "trials.csv");
  EXPECT_EQ(text.substr(0, text.find("\nsphere,20")),
            "function,popsize,method,trial,seed,success,evaluations,stop_reason\n"
            "sphere,10,x1,0,5,1,100,ftarget\nsphere,10,x1,1,5,0,101,ftarget\nsphere,10,x1,2,5,1,102,ftarget");
}

TEST_F(TrialFiles, ForgetALineThatWasCutOff) {
  {
    TrialFile file(folder_ / "trials.csv", protocol_);
    file.add(0, 0, row_fields(made_up(protocol_.cells[0], 0)));
    file.add(0, 1, row_fields(made_up(protocol_.cells[0], 1)));
  }
  const std::string text = read_file(folder_ / "trials.csv");
  for (const std::size_t cut : {1U, 5U, 20U}) {
    std::ofstream(folder_ / "trials.csv", std::ios::binary) << text.substr(0, text.size() - cut);
    TrialFile file(folder_ / "trials.csv", protocol_);
    EXPECT_TRUE(file.has(0, 0));
    EXPECT_FALSE(file.has(0, 1));
    file.add(0, 1, row_fields(made_up(protocol_.cells[0], 1)));
    EXPECT_EQ(read_file(folder_ / "trials.csv"), text);
  }
}

TEST_F(TrialFiles, RefuseLinesThatAreNoTrials) {
  std::ofstream(folder_ / "trials.csv") << "function\nnonsense\nmore\n";
  EXPECT_THROW(TrialFile(folder_ / "trials.csv", protocol_), std::invalid_argument);
}

TEST_F(TrialFiles, RefuseCountsThatAreNone) {
  for (const char* count : {"99999999999999999999", "1e300", "nan", "-1", "", "1x"}) {
    std::ofstream(folder_ / "trials.csv") << "header\nsphere,10,x1,0,5,1," << count << ",ftarget\n";
    const TrialFile file(folder_ / "trials.csv", protocol_);
    try {
      static_cast<void>(file.outcomes(0));
      ADD_FAILURE() << count;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("trials.csv"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("'" + std::string(count) + "' is not a count"), std::string::npos);
    }
  }
}

TEST(TypicalRuns, AreTheSameAfterAFile) {
  const Course course = run_typical({3, "sphere", 50, "adaptive"}, 1);
  const Course read = course_from_csv(to_csv(course));
  EXPECT_EQ(read.nfev, course.nfev);
  EXPECT_EQ(read.best, course.best);
  EXPECT_EQ(read.l_theta, course.l_theta);
  EXPECT_LE(course.best.back(), 1e-8);
  EXPECT_THROW(course_from_csv("a,b\n1,2\n"), std::invalid_argument);
}

TEST(Csv, ReadsNumbersThatAreNone) {
  EXPECT_TRUE(std::isnan(csv_number("nan")));
  EXPECT_EQ(csv_number("inf"), HUGE_VAL);
  EXPECT_THROW(csv_number("1x"), std::invalid_argument);
  EXPECT_EQ(rounded_for_display({1e-310, 2.5}), (std::vector<double>{1e-310, 2.5}));
}

CellSummary made_up_row(const char* method, double cost, double paper, double half_width) {
  CellSummary row;
  row.cell = {"sphere", 10, method, 50};
  row.success_rate = 1;
  row.evaluations_per_success = cost;
  row.interval = row.repeat = Interval{cost - half_width, cost + half_width};
  row.paper = paper;
  row.ratio = cost / paper;
  return row;
}

TEST(Verdicts, AreComputedFromTheData) {
  const std::vector<CellSummary> agreeing = {made_up_row("adaptive", 1000, 1005, 20), made_up_row("x1", 2000, 2000, 10),
                                             made_up_row("x8", 1500, 1500, 10)};
  const std::vector<Verdict> good = verdicts(agreeing, {});
  ASSERT_EQ(good.size(), 4U);
  EXPECT_FALSE(good[0].holds.has_value()) << "no typical run, no answer";
  EXPECT_TRUE(good[3].holds.value());
  std::vector<CellSummary> disagreeing = agreeing;
  disagreeing[0] = made_up_row("adaptive", 1200, 1005, 20);
  EXPECT_FALSE(verdicts(disagreeing, {})[3].holds.value());
  EXPECT_NE(verdicts(disagreeing, {})[3].answer.find("sphere 10 adaptive (1.19)"), std::string::npos);
}

}  // namespace
}  // namespace surefoot
