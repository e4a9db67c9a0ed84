#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "report/agreement.hpp"
#include "report/run_data.hpp"
#include "surefoot/normal_source.hpp"
#include "surefoot/types.hpp"

namespace surefoot {
namespace {

/// A trace that the program wrote; tests/data/traces/README.md has the commands.
CourseFacts recorded_facts(const std::string& name) {
  std::ifstream in(std::string(SUREFOOT_TEST_DATA) + "/traces/" + name + ".jsonl", std::ios::binary);
  EXPECT_TRUE(in) << name;
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return facts_of(read_trace(text, name));
}

Standing recorded(const std::string& name) { return standing_of(recorded_facts(name)); }

/// The same search as it stood after some generations.
CourseFacts first_of(const CourseFacts& all, std::size_t generations) {
  const auto part = [&](const std::vector<double>& column) {
    return std::vector<double>(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(generations));
  };
  return {.nfev = part(all.nfev), .best = part(all.best), .sigma = part(all.sigma), .run = part(all.run)};
}

/// f falls from the start to the limit; every window of evaluations keeps a share of the distance.
CourseFacts geometric(double start, double limit, double share, double window, int generations) {
  CourseFacts facts;
  for (int i = 1; i <= generations; ++i) {
    const double nfev = 10.0 * i;
    facts.nfev.push_back(nfev);
    facts.best.push_back(limit + (start - limit) * std::pow(share, nfev / window));
    facts.sigma.push_back(std::pow(share, nfev / window / 2));
    facts.run.push_back(1);
  }
  return facts;
}

TEST(Standing, RecordedTracesThatAreStuck) {
  for (const char* name : {"stuck_stagnation", "stuck_rugged", "stuck_restarts"}) {
    const Standing standing = recorded(name);
    EXPECT_EQ(standing.name, "stuck") << name << ": " << standing.title << ": " << standing.text;
    EXPECT_EQ(standing.title.find("Stuck since evaluation "), 0U) << standing.title;
  }
}

TEST(Standing, RecordedTracesThatHaveConverged) {
  for (const char* name : {"converged_sphere", "converged_rosenbrock", "converged_budget"}) {
    const Standing standing = recorded(name);
    EXPECT_EQ(standing.name, "converged") << name << ": " << standing.title << ": " << standing.text;
  }
}

TEST(Standing, RecordedTracesThatAreUnfinished) {
  for (const char* name : {"unfinished_rosenbrock", "unfinished_killed", "unfinished_small"}) {
    const Standing standing = recorded(name);
    EXPECT_TRUE(standing.name == "improving" || standing.name == "budget") << name << ": " << standing.title;
    EXPECT_NE(standing.text.find("evaluations lowered f from"), std::string::npos) << name << ": " << standing.text;
    EXPECT_NE(standing.text.find("As many again would most likely lead to a value between"), std::string::npos)
        << name << ": " << standing.text;
  }
  EXPECT_EQ(recorded("unfinished_small").title, "Budget too small");
  EXPECT_NE(recorded("unfinished_killed").text.find("still runs, or was killed"), std::string::npos);
}

// Windows of a quarter of 80 evaluations: f was 3 after 60 and is 2 after 80.
TEST(Outlook, IsBetweenNothingAndTheLastGain) {
  const std::optional<Outlook> outlook = outlook_of(geometric(17, 1, 0.5, 20, 8));
  ASSERT_TRUE(outlook);
  EXPECT_EQ(outlook->window, 20);
  EXPECT_NEAR(outlook->before, 3, 1e-12);
  EXPECT_NEAR(outlook->now, 2, 1e-12);
  EXPECT_NEAR(outlook->middle, 1.875, 1e-12);
  EXPECT_NEAR(outlook->lowest, 1, 1e-12);
}

TEST(Outlook, KeepsPositiveValuesPositive) {
  CourseFacts facts = geometric(1, 0, 0.5, 20, 8);
  facts.best = {9, 9, 9, 6, 6, 4, 4, 1};  // 4 and 1 after 60 and 80 evaluations: a quarter
  const std::optional<Outlook> outlook = outlook_of(facts);
  ASSERT_TRUE(outlook);
  EXPECT_NEAR(outlook->middle, 1.0 / 4, 1e-12);
  EXPECT_NEAR(outlook->lowest, 1.0 / 16, 1e-12);
}

TEST(Outlook, OfNegativeValuesGoesOnByDifferences) {
  CourseFacts facts = geometric(1, 0, 0.5, 20, 8);
  facts.best = {9, 9, 9, 6, 6, 4, 4, -4};
  const std::optional<Outlook> outlook = outlook_of(facts);
  ASSERT_TRUE(outlook);
  EXPECT_NEAR(outlook->middle, -5, 1e-12);
  EXPECT_NEAR(outlook->lowest, -12, 1e-12);
}

// Every recorded trace is cut off after every generation, and its outlook is compared with what followed.
// docs/evidence/reports.md has the shares of many more searches: .85 to .88, and .50 to .53.
TEST(Outlook, HoldsInRecordedTraces) {
  int cuts = 0;
  int above_lowest = 0;
  int above_middle = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::string(SUREFOOT_TEST_DATA) + "/traces")) {
    if (file.path().extension() != ".jsonl") continue;
    const CourseFacts all = recorded_facts(file.path().stem().string());
    for (std::size_t n = 12; n < all.nfev.size(); ++n) {
      const CourseFacts facts = first_of(all, n);
      const std::optional<Outlook> outlook = outlook_of(facts);
      const std::string name = standing_of(facts).name;
      const auto then =
          std::lower_bound(all.nfev.begin(), all.nfev.end(), facts.nfev.back() + (outlook ? outlook->window : 0));
      if (!outlook || then == all.nfev.end() || (name != "improving" && name != "budget")) continue;
      const double best = all.best[static_cast<std::size_t>(then - all.nfev.begin())];
      ++cuts;
      above_lowest += best >= outlook->lowest ? 1 : 0;
      above_middle += best > outlook->middle ? 1 : 0;
    }
  }
  ASSERT_GE(cuts, 100);
  EXPECT_GT(above_lowest, 0.7 * cuts) << above_lowest << " of " << cuts;
  EXPECT_GT(above_middle, 0.25 * cuts) << above_middle << " of " << cuts;
  EXPECT_LT(above_middle, 0.75 * cuts) << above_middle << " of " << cuts;
}

TEST(Outlook, SaysNothingOfASearchThatGainsNothing) {
  CourseFacts facts = geometric(1, 0, 0.5, 20, 8);
  facts.best.assign(8, 3.0);
  EXPECT_FALSE(outlook_of(facts));
  EXPECT_FALSE(outlook_of({}));
}

TEST(Standing, FollowsTheEndThatTheSearchKnows) {
  CourseFacts facts = geometric(100, 0, 0.5, 20, 40);
  const auto with = [&](const char* kind, bool success) {
    facts.end = CourseFacts::End{.kind = kind, .message = "because", .success = success};
    return standing_of(facts).name;
  };
  EXPECT_EQ(with("target", true), "target");
  EXPECT_EQ(with("converged", true), "converged");
  EXPECT_EQ(with("stalled", false), "stuck");
  EXPECT_EQ(with("degenerate", false), "broken");
  EXPECT_EQ(with("failing", false), "failing");
  EXPECT_EQ(with("budget", false), "improving");
  facts.end->kind = "converged";
  facts.end->missed_best = true;
  EXPECT_EQ(standing_of(facts).title, "Converged, but not at its best point");
}

TEST(Standing, NothingAndFailuresOnly) {
  EXPECT_EQ(standing_of({}).name, "empty");
  CourseFacts facts = geometric(1, 0, 0.5, 20, 3);
  facts.best.assign(3, std::nan(""));
  EXPECT_EQ(standing_of(facts).name, "failing");
  facts = geometric(1, 0, 0.5, 20, 3);
  facts.failed = 16;  // of 30
  EXPECT_EQ(standing_of(facts).name, "failing");
  facts.failed = 2;
  EXPECT_NE(standing_of(facts).text.find("2 of 30 evaluations failed"), std::string::npos);
}

// From a start that is far above everything else 2 % of |f| are still worth something.
TEST(Standing, IsNotStuckWhereTheStartWasHigh) {
  CourseFacts facts = geometric(1e6, 0, 0.5, 20, 40);
  for (std::size_t i = 0; i < 40; ++i) facts.best[i] = i < 2 ? 1e6 : i < 30 ? 1.02 : 1.0;
  facts.sigma.assign(40, 1.0);
  EXPECT_EQ(standing_of(facts).name, "improving");
  for (std::size_t i = 2; i < 30; ++i) facts.best[i] = 1.002;
  EXPECT_EQ(standing_of(facts).title, "Stuck since evaluation 30");
}

// An early generation met a good point by luck; the others come nearer to it, but have not got there.
TEST(Standing, IsNotStuckWhereGenerationsComeNearer) {
  CourseFacts facts = geometric(100, 0, 0.5, 20, 40);
  for (std::size_t i = 0; i < 40; ++i) facts.best[i] = i < 2 ? 100 : 1.5;
  facts.sigma.assign(40, 1.0);
  for (std::size_t i = 0; i < 40; ++i) facts.level.push_back(2 + 20 * std::pow(0.9, static_cast<double>(i)));
  EXPECT_EQ(standing_of(facts).title, "Not finished");
  for (std::size_t i = 0; i < 40; ++i) facts.level[i] = i % 2 == 0 ? 9 : 11;
  EXPECT_EQ(standing_of(facts).title, "Stuck since evaluation 30");
}

// Only the start is better than what generations find, but those still fall towards it, a quarter in half of the run.
TEST(Standing, IsNotStuckWhereTheStartIsNotReachedYet) {
  CourseFacts facts = geometric(100, 0, 0.5, 20, 40);
  facts.best.assign(40, 39.0);
  for (std::size_t i = 0; i < 40; ++i) facts.sigma[i] = i < 4 ? 100 : 1;  // narrow by now, and no longer shrinking
  for (std::size_t i = 0; i < 40; ++i) facts.level.push_back(39 + std::pow(0.985, static_cast<double>(i)));
  facts.end = CourseFacts::End{.kind = "budget", .message = "budget used", .success = false};
  const Standing standing = standing_of(facts);
  EXPECT_EQ(standing.title, "Not yet better than its start");
  EXPECT_EQ(standing.name, "waiting");
  EXPECT_NE(standing.text.find("their best values went from about 39.71 to 39.6."), std::string::npos) << standing.text;
  for (std::size_t i = 20; i < 40; ++i) facts.level[i] = i % 2 == 0 ? 39.6 : 39.7;
  EXPECT_EQ(standing_of(facts).name, "stuck");
  for (std::size_t i = 20; i < 40; ++i) facts.level[i] = 39.6 - 1e-6 * static_cast<double>(i);
  EXPECT_EQ(standing_of(facts).name, "stuck") << "it falls steadily, but will not get there";
}

// From 1e12 to 1e-50 in the first half, of a function whose generations are still wide.
TEST(Standing, IsConvergedWhereTheBestValueIsZeroForGenerations) {
  CourseFacts facts = geometric(1e12, 0, 0.5, 20, 40);
  for (std::size_t i = 0; i < 40; ++i) facts.best[i] = i < 2 ? 1e12 : 1e-50;
  facts.sigma.assign(40, 1.0);
  for (std::size_t i = 0; i < 40; ++i) facts.level.push_back(i % 2 == 0 ? 1e-14 : 1e-13);
  EXPECT_EQ(standing_of(facts).name, "converged");
  for (std::size_t i = 2; i < 40; ++i) facts.best[i] = 1e-15;
  EXPECT_EQ(standing_of(facts).name, "stuck");
}

TEST(Standing, CountsOneEvaluationAsOne) {
  CourseFacts facts{.nfev = {1}, .best = {27}, .sigma = {2}, .run = {1}, .level = {27}};
  facts.end = CourseFacts::End{.kind = "budget", .message = "budget used", .success = false};
  EXPECT_EQ(standing_of(facts).text,
            "f = 27 after 1 evaluation, where the step size is 100 % of its largest. The last evaluation gained "
            "nothing, which is too few to call it stuck. It stopped with \"budget used\".");
}

TEST(Standing, DoubtsAnObjectiveThatIsConstant) {
  CourseFacts facts = geometric(1, 1, 0.5, 20, 8);
  facts.level = facts.best;
  facts.end = CourseFacts::End{.kind = "budget", .message = "budget used", .success = false};
  EXPECT_EQ(standing_of(facts).title, "f has not changed yet");
  EXPECT_NE(standing_of(facts).text.find("does f depend on its parameters?"), std::string::npos);
  facts.level[5] = 2;
  EXPECT_EQ(standing_of(facts).title, "Budget too small");
  EXPECT_EQ(standing_of(facts).text.find("does f depend"), std::string::npos);
}

TEST(Standing, TellsHowFarTheTargetIs) {
  CourseFacts facts = geometric(17, 1, 0.5, 20, 8);  // as many again: in the middle 1.875, 1 at best
  const auto with = [&](double target) {
    facts.ftarget = target;
    return standing_of(facts).text;
  };
  EXPECT_NE(with(1.9).find("The target 1.9 is likely to be reached by then."), std::string::npos);
  EXPECT_NE(with(1.25).find("The target 1.25 needs luck or more evaluations."), std::string::npos);
  EXPECT_NE(with(0.5).find("The target 0.5 is lower still"), std::string::npos);
}

// The last quarter gained nothing, but the step size fell: neither stuck nor improving.
TEST(Standing, IsNotCalledImprovingWhereNothingImproves) {
  CourseFacts facts = geometric(100, 0, 0.5, 60, 40);
  for (std::size_t i = 28; i < 40; ++i) facts.best[i] = facts.best[28];
  Standing standing = standing_of(facts);
  EXPECT_EQ(standing.title, "Not finished");
  EXPECT_EQ(standing.name, "waiting");
  EXPECT_NE(standing.text.find("The last 100 evaluations gained nothing, which is too few to call it stuck."),
            std::string::npos)
      << standing.text;
  facts.end = CourseFacts::End{.kind = "budget", .message = "budget used", .success = false};
  facts.sigma.assign(40, 1.0);
  standing = standing_of(facts);
  EXPECT_EQ(standing.title, "Budget too small");
  EXPECT_NE(standing.text.find("the step size is 100 % of its largest"), std::string::npos) << standing.text;
  EXPECT_EQ(standing.text.find("improv"), std::string::npos) << standing.text;
}

TEST(Standing, OfConstraintsCountsFeasiblePointsOnly) {
  const auto record = [](int generation, double best, double violation) {
    return "{\"generation\":" + std::to_string(generation) + ",\"nfev\":" + std::to_string(10 * generation) +
           ",\"best\":" + std::to_string(best) + ",\"sigma\":1.0,\"run\":1,\"violation\":" + std::to_string(violation) +
           "}\n";
  };
  const std::string infeasible = record(1, 1, 3) + record(2, 0.5, 2);
  const Standing none = standing_of(facts_of(read_trace(infeasible, "t")));
  EXPECT_EQ(none.name, "infeasible");
  EXPECT_EQ(none.title, "No feasible point yet");
  EXPECT_NE(none.text.find("None of 20 evaluations met all constraints; the best point violates them by 2."),
            std::string::npos)
      << none.text;
  const CourseFacts found = facts_of(read_trace(infeasible + record(3, 7, 0) + record(4, 6, 0), "t"));
  EXPECT_TRUE(std::isnan(found.best[1]));
  EXPECT_EQ(found.best[2], 7);
  EXPECT_EQ(standing_of(found).name, "improving");
}

TEST(Agreement, IsOneOnARandomWalk) {
  constexpr Index d = 5;
  Agreement agreement;
  std::vector<double> mean(d, 0.0);
  const std::vector<double> deviations(d, 2.0);
  double sum = 0;
  constexpr int steps = 4000;
  for (int i = 0; i < steps; ++i) {
    Matrix z(d, 1);
    CounterNormals(7, 0).fill(static_cast<std::uint64_t>(i), z);
    for (Index j = 0; j < d; ++j) mean[static_cast<std::size_t>(j)] += z(j, 0);
    if (const double value = agreement.add(1, mean, deviations); std::isfinite(value)) sum += value;
  }
  EXPECT_NEAR(sum / steps, 1, 0.1);  // the variance of |p|^2 is about 2/d, and 20 steps in a row depend on each other
}

TEST(Agreement, IsLongWhereStepsAgreeAndShortWhereTheyAlternate) {
  Agreement straight;
  Agreement alternating;
  double longest = 0;
  double shortest = 1;
  for (int i = 0; i < 200; ++i) {
    longest = straight.add(1, {1.0 * i, 2.0 * i}, {1, 1});
    shortest = alternating.add(1, {i % 2 == 0 ? 0.0 : 1.0}, {3});
  }
  EXPECT_NEAR(longest, 1.9 / 0.1, 1e-6);   // the sum of a geometric series: (2 - c)/c
  EXPECT_NEAR(shortest, 0.1 / 1.9, 1e-6);  // with alternating signs: c/(2 - c)
  EXPECT_TRUE(std::isnan(straight.add(2, {5, 5}, {1, 1}))) << "a new run begins a new path";
  EXPECT_EQ(straight.add(2, {6, 5}, {1, 1}), 1);
  EXPECT_TRUE(std::isnan(straight.add(2, {6, 5}, {1, 1}))) << "nothing has moved";
}

TEST(RunData, TakesTheTraceApart) {
  const std::string text =
      "{\"generation\":1,\"nfev\":4,\"best\":2.0,\"sigma\":1.0,\"run\":1,\"x\":[0.5,1.0],\"mean\":[0.1,0.2],"
      "\"stds\":[1.0,1.0],\"about\":{\"seed\":\"7\",\"names\":[\"a\",\"b\"],\"lower\":[0.0,1.0],"
      "\"command\":\"surefoot minimize --dim 2\"}}\n"
      "{\"generation\":2,\"nfev\":8,\"best\":1.0,\"sigma\":1.0,\"run\":1,\"x\":[0.5,1.0],\"mean\":[0.3,0.2],"
      "\"stds\":[1.0,1.0],\"end\":{\"stop\":\"maxiter\",\"kind\":\"budget\",\"success\":false,\"message\":\"m\","
      "\"x\":[0.5,1.0],\"maxiter\":2}}\n"
      "{\"generation\":3,\"nf";
  const RunTrace trace = read_trace(text, "t");
  EXPECT_EQ(trace.records.size(), 2U);
  const nlohmann::ordered_json data = run_data(trace, "t.jsonl");
  EXPECT_EQ(data["about"]["command"], "surefoot minimize --dim 2 --seed 7 --maxiter 2");
  EXPECT_EQ(data["records"][1]["agreement"], 1.0);
  EXPECT_FALSE(data["records"][0].contains("about"));
  const std::string verdict = data["verdict"]["text"];
  EXPECT_NE(verdict.find("at bounds: b (lower);"), std::string::npos) << verdict;
  EXPECT_EQ(data["verdict"]["title"], "Budget too small");
}

// A thousandth of the width counts on the axis of the parameter: 101 is at the lower bound of 100 to 1e6 neither way,
// 900 would be on a linear axis.
TEST(RunData, BoundsOfALogParameterCountAsFactors) {
  const auto verdict = [](double x) {
    const std::string text = "{\"generation\":1,\"nfev\":4,\"best\":2.0,\"sigma\":1.0,\"run\":1,\"x\":[" +
                             std::to_string(x) +
                             ",1.0],\"about\":{\"seed\":\"7\",\"names\":[\"a\",\"kind\"],\"kinds\":[\"real "
                             "log\",\"choice\"],\"lower\":[100.0,0.0]"
                             ",\"upper\":[1e6,1.0]}}\n";
    return run_data(read_trace(text, "t"), "t")["verdict"]["text"].get<std::string>();
  };
  EXPECT_EQ(verdict(900).find("at bounds"), std::string::npos);
  EXPECT_NE(verdict(100.1).find("at bounds: a (lower);"), std::string::npos);
}

TEST(RunData, RefusesWhatIsNoTrace) {
  EXPECT_THROW(static_cast<void>(read_trace("{\"x\":1}\n", "t")), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(read_trace("precious\n", "t")), std::invalid_argument);
  EXPECT_EQ(run_data(read_trace("", "t"), "t")["verdict"]["standing"], "empty");
}

constexpr const char* log_head =
    "id,run,generation,candidate,attempt,status,f,constraints,seconds,worker,a,kind,reason\n";

TEST(EvaluatedPoints, AreReadFromBothFormats) {
  const std::string csv = std::string(log_head) +
                          "1,1,0,0,1,ok,0.5,,2.1,0,0.25,relu,\n"
                          "2,1,1,0,1,exit,,,0.4,,4,tanh,\"status 1: \"\"out\"\", of memory\"\n"
                          "3,1,1,1,1,infeasible,inf,,0.4,,5,tanh,\n4,1,1,2,1,ok,0.1,,0.4,,";
  const std::string json =
      R"({"id":1,"status":"ok","f":0.5,"params":{"a":0.25,"kind":"relu"}})"
      "\n"
      R"({"id":2,"status":"exit","f":null,"params":{"a":4,"kind":"tanh"},"reason":"status 1: \"out\", of memory"})"
      "\n"
      R"({"id":3,"status":"infeasible","f":null,"params":{"a":5,"kind":"tanh"}})"
      "\n";
  for (const std::string& text : {csv, json}) {
    const ReadLog log = read_log(text, "log");
    EXPECT_EQ(log.names, (std::vector<std::string>{"a", "kind"}));
    ASSERT_EQ(log.rows.size(), 3U);
    EXPECT_EQ(log.rows[0].f, 0.5);
    EXPECT_EQ(log.rows[1].x[0], 4);
    EXPECT_TRUE(std::isnan(log.rows[1].x[1]));
    EXPECT_TRUE(log.rows[1].has_failed());
    EXPECT_EQ(log.rows[1].reason, "status 1: \"out\", of memory");
    EXPECT_FALSE(log.rows[2].has_failed());
    const nlohmann::ordered_json points = points_of(log);
    EXPECT_EQ(points["points"].size(), 2U);
    EXPECT_EQ(points["failed"].size(), 1U);
  }
  EXPECT_THROW(static_cast<void>(read_log("precious\n", "log")), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(read_log(std::string(log_head) + "1,2\n", "log")), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(read_log("{\"id\":1}\n", "log")), std::invalid_argument);
}

TEST(EvaluatedPoints, KeepNamesOfChoicesAndTellWhichViolateConstraints) {
  const std::string csv = std::string(log_head) +
                          "1,1,0,0,1,ok,0.5,-1 0.05,2.1,0,0.25,relu,\n"
                          "2,1,1,0,1,ok,0.25,0.5 -0.2,2.1,0,0.5,tanh,\n";
  const std::string json =
      R"({"id":1,"status":"ok","f":0.5,"constraints":[-1,0.05],"params":{"a":0.25,"kind":"relu"}})"
      "\n"
      R"({"id":2,"status":"ok","f":0.25,"constraints":[0.5,-0.2],"params":{"a":0.5,"kind":"tanh"}})"
      "\n";
  for (const std::string& text : {csv, json}) {
    const nlohmann::ordered_json points =
        points_of(read_log(text, "log"), {.equalities = 1, .tolerance = 0.1})["points"];
    ASSERT_EQ(points.size(), 2U);
    EXPECT_FALSE(points[0].contains("violation")) << "an equality within its tolerance";
    EXPECT_DOUBLE_EQ(points[1]["violation"].get<double>(), 0.7);
    EXPECT_EQ(points[1]["x"][0], 0.5);
    EXPECT_EQ(points[1]["x"][1], "tanh");
  }
}

// As many as a page may have are all drawn, and of one more every other.
TEST(EvaluatedPoints, AreThinnedOnlyWhereThereAreTooMany) {
  ReadLog log{.names = {"a"}, .rows = {}};
  for (int i = 0; i < 3000; ++i) log.rows.push_back({.x = {1.0 * i}, .f = 1, .status = "ok", .reason = {}});
  EXPECT_EQ(points_of(log)["points"].size(), 3000U);
  log.rows.push_back(log.rows.back());
  EXPECT_EQ(points_of(log)["points"].size(), 1501U);
  for (int i = 0; i < 500; ++i) log.rows.push_back({.x = {1.0 * i}, .f = 1, .status = "exit", .reason = {}});
  EXPECT_EQ(points_of(log)["failed"].size(), 500U);
}

TEST(RunData, HasNoBestPointAtABoundWhereNoValueWasFinite) {
  const std::string text =
      "{\"generation\":1,\"nfev\":4,\"best\":null,\"sigma\":1.0,\"run\":1,\"x\":[0.0],\"about\":{\"seed\":\"7\","
      "\"names\":[\"a\"],\"lower\":[0.0],\"upper\":[1.0]}}\n";
  const std::string verdict = run_data(read_trace(text, "t"), "t")["verdict"]["text"];
  EXPECT_EQ(verdict.find("at bounds"), std::string::npos) << verdict;
}

/// 100 points on a line; `fails` says which.
template <class Fails>
ReadLog line_of(const Fails& fails) {
  ReadLog log{.names = {"a", "b"}, .rows = {}};
  for (int i = 0; i < 100; ++i) {
    log.rows.push_back({.x = {1.0 * (i % 7), 0.1 * i}, .f = 1, .status = fails(i) ? "exit" : "ok", .reason = {}});
  }
  return log;
}

TEST(FailingRegion, IsFoundWhereThereIsOne) {
  const ReadLog log = line_of([](int i) { return (i >= 80 && i != 90) || i == 3; });
  const std::optional<FailingRegion> region = failing_region(log);
  ASSERT_TRUE(region);
  EXPECT_EQ(region->parameter, 1U);
  EXPECT_TRUE(region->is_above);
  EXPECT_NEAR(region->limit, 7.95, 1e-12);
  EXPECT_EQ(region->failed_inside, 19U);
  EXPECT_EQ(region->inside, 20U);
  EXPECT_EQ(region->failed_outside, 1U);
  EXPECT_EQ(describe(region, log),
            "Failures lie where b > 7.95: 19 of 20 evaluations failed there, 1 of 80 elsewhere.");
  const ReadLog low = line_of([](int i) { return i < 10; });
  EXPECT_FALSE(failing_region(low)->is_above);
}

TEST(FailingRegion, IsNotInventedWhereFailuresAreEverywhere) {
  EXPECT_FALSE(failing_region(line_of([](int i) { return i % 5 == 0; })));
  EXPECT_FALSE(failing_region(line_of([](int) { return false; })));
  EXPECT_FALSE(failing_region(line_of([](int) { return true; })));
  EXPECT_FALSE(failing_region({}));
}

}  // namespace
}  // namespace surefoot
