// Ends that the program asks for, with a sentence of its own, and ends that nobody may claim.

#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>

#include "folder_test.hpp"
#include "surefoot.h"
#include "surefoot/surefoot.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was refused";
}

void tell_sphere(Optimizer& search) { search.tell(search.ask().colwise().squaredNorm().transpose()); }

TEST(StopBecause, EndsASearchWithTheCallersSentence) {
  Optimizer search({3, 3}, 1, {.seed = 1});
  for (int t = 0; t < 3; ++t) tell_sphere(search);
  search.stop_because("the budget of the lab is used");
  EXPECT_EQ(search.stop_reason(), StopReason::requested);
  const Result result = search.result();
  EXPECT_TRUE(result.message.starts_with("the budget of the lab is used; best f = ")) << result.message;
  EXPECT_EQ(name(result.stop), "requested");
  EXPECT_FALSE(result.success);
  EXPECT_EQ(result.runs.back().stop, StopReason::requested);
  search.stop_because("later");
  EXPECT_EQ(search.result().message, result.message);
}

TEST(StopBecause, InTheMiddleOfAGenerationKeepsWhatIsKnown) {
  Optimizer search({3, 3}, 1, {.popsize = 6, .seed = 1});
  tell_sphere(search);
  search.generation().set(2, 0.25);
  search.stop_because("good enough");
  EXPECT_EQ(search.result().fun, 0.25);
  EXPECT_EQ(search.result().nfev, 2);
}

TEST(StopBecause, WantsASentence) {
  Optimizer search({3, 3}, 1, {.seed = 1});
  EXPECT_NE(refusal([&] { search.stop_because(""); }).find("stop_because"), std::string::npos);
  EXPECT_FALSE(search.stop());
}

TEST(StopBecause, CallbacksAnswerWithASentence) {
  const auto ends = [](const Record& r) { return r.generation == 3 ? "enough of it" : ""; };
  const Result because = minimize(test::sphere, {3, 3}, 1, {.callback = ends, .model = "none", .seed = 1});
  EXPECT_EQ(because.stop, StopReason::requested);
  EXPECT_TRUE(because.message.starts_with("enough of it")) << because.message;
  EXPECT_EQ(because.nit, 3);
  const Result text =
      minimize(test::sphere, {3, 3}, 1,
               {.callback = [](const Record& r) { return "after " + std::to_string(r.generation); }, .seed = 1});
  EXPECT_TRUE(text.message.starts_with("after 0")) << text.message;
  const Result plain = minimize(test::sphere, {3, 3}, 1, {.callback = [](const Record&) { return true; }, .seed = 1});
  EXPECT_EQ(plain.stop, StopReason::callback);
}

TEST(StopBecause, ObserversAndObjectivesMayAskForIt) {
  Optimizer* running = nullptr;
  const auto observer = [&](const Record& r) {
    if (r.generation == 4) running->stop_because("seen enough");
  };
  Optimizer watched({3, 3}, 1, {.observer = observer, .seed = 1});
  running = &watched;
  while (!watched.stop()) tell_sphere(watched);
  EXPECT_EQ(watched.nit(), 4);
  EXPECT_TRUE(watched.result().message.starts_with("seen enough"));

  Optimizer evaluated({3, 3}, 1, {.popsize = 6, .seed = 1});
  int calls = 0;
  const auto f = [&](const Vector& x) {
    if (++calls == 10) evaluated.stop_because("ten calls");
    return x.squaredNorm();
  };
  const Result result = run(evaluated, *make_evaluator(f, 1));
  EXPECT_EQ(result.stop, StopReason::requested);
  EXPECT_GE(result.nfev, 10);
}

/// As after any end that a larger budget could change.
TEST(StopBecause, TheSearchGoesOnFromItsState) {
  const Options options{.maxiter = 20, .seed = 1};
  Optimizer whole({3, 3}, 1, options);
  while (!whole.stop()) tell_sphere(whole);
  Optimizer first({3, 3}, 1, options);
  for (int t = 0; t < 8; ++t) tell_sphere(first);
  first.stop_because("lunch");
  Optimizer second({3, 3}, 1, options);
  second.set_state(first.state());
  EXPECT_FALSE(second.stop());
  while (!second.stop()) tell_sphere(second);
  EXPECT_EQ(second.result().x, whole.result().x);
  EXPECT_EQ(second.result().nfev, whole.result().nfev);
}

TEST(Abandon, ClaimsNothingThatHasNotHappened) {
  Optimizer search({3, 3}, 1, {.ftarget = 1e-8, .seed = 1});
  tell_sphere(search);
  for (const StopReason reason : {StopReason::ftarget, StopReason::tolx, StopReason::none, StopReason::requested}) {
    const std::string said = refusal([&] { search.abandon(reason); });
    EXPECT_NE(said.find("abandon"), std::string::npos) << said;
    EXPECT_NE(said.find(name(reason)), std::string::npos) << said;
  }
  EXPECT_FALSE(search.stop());
  search.abandon(StopReason::timeout);
  EXPECT_EQ(search.result().message.find("timeout ="), std::string::npos) << search.result().message;
  EXPECT_FALSE(search.result().success);
}

class OwnLoops : public test::FolderTest {};

TEST_F(OwnLoops, ASessionThatIsNotOpenForgetsNothingSilently) {
  Session session({3, 3}, 1, {.seed = 1}, {.checkpoint = file("c.sf")});
  const Vector values = Vector::Constant(session.search().ask().cols(), 1);
  for (const auto& tell : {std::function<void()>([&] { session.tell(values); }), std::function<void()>([&] {
                             session.search().generation().set(0, 1);
                             session.tell();
                           })}) {
    const std::string said = refusal(tell);
    EXPECT_NE(said.find(file("c.sf")), std::string::npos) << said;
    EXPECT_NE(said.find("open"), std::string::npos) << said;
  }
  EXPECT_EQ(session.search().nfev(), 0);
  session.open();
  session.search().ask();
  session.tell(values);
  session.close();
  EXPECT_TRUE(std::filesystem::exists(file("c.sf")));
}

TEST_F(OwnLoops, ThatEndForAReasonKeepTheirCheckpoint) {
  const auto told = [&](int generations, bool ends) {
    Session session({3, 3}, 1, {.maxiter = 12, .seed = 1}, {.checkpoint = file("c.sf")});
    session.open();
    for (int t = 0; t < generations && !session.search().stop(); ++t) {
      session.tell(session.search().ask().colwise().squaredNorm().transpose());
    }
    if (ends) session.search().stop_because("the bench is closed");
    session.close();
    return session.search().result();
  };
  EXPECT_EQ(told(5, true).stop, StopReason::requested);
  const Result rest = told(100, false);
  EXPECT_EQ(rest.nit, 12);
  EXPECT_EQ(rest.stop, StopReason::maxiter);
}

class CInterface : public test::FolderTest {
 protected:
  static sf_search* search_of(const std::vector<double>& x0) {
    return sf_new(static_cast<int>(x0.size()), x0.data(), 1, nullptr, 0);
  }
};

TEST_F(CInterface, EndsASearchForAReason) {
  sf_search* const search = search_of({1, 2});
  const double* points = nullptr;
  int popsize = 0;
  ASSERT_EQ(sf_ask(search, &points, &popsize), 0);
  EXPECT_EQ(sf_stop_because(search, ""), 1);
  EXPECT_EQ(sf_stop_because(search, nullptr), 1);
  EXPECT_EQ(sf_stop_because(search, "no more samples"), 0);
  EXPECT_EQ(sf_stop(search), static_cast<int>(StopReason::requested));
  EXPECT_TRUE(std::string(sf_message(search)).starts_with("no more samples")) << sf_message(search);
  sf_free(search);
  EXPECT_EQ(sf_stop_because(nullptr, "x"), 1);
}

TEST_F(CInterface, RefusesTheStateOfAnotherDimensionInASentence) {
  const auto set_up = [](sf_search* search) {
    sf_set(search, "seed", "1");
    sf_set(search, "popsize", "6");
    return search;
  };
  sf_search* const two = set_up(search_of({1, 2}));
  ASSERT_EQ(sf_save(two, file("two.sf").c_str()), 0) << sf_message(two);
  sf_search* const three = set_up(search_of({1, 2, 3}));
  EXPECT_EQ(sf_load(three, file("two.sf").c_str()), 1);
  EXPECT_EQ(std::string(sf_message(three)),
            "file = " + file("two.sf") +
                " is not allowed: it belongs to another search: its x0 has 2 coordinates, here "
                "it has 3");
  sf_free(two);
  sf_free(three);
}

}  // namespace
}  // namespace surefoot
