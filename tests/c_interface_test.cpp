#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "c/search_request.hpp"
#include "driver/option_text.hpp"
#include "surefoot.h"
#include "surefoot/option_table.hpp"
#include "surefoot/surefoot.hpp"
#include "tests/test_support.hpp"

namespace surefoot {
namespace {

using Settings = std::vector<std::pair<const char*, const char*>>;

constexpr double start_of_c[] = {3, 3, 3};

double c_sphere(int n, const double* x, void* data) {
  if (data != nullptr) ++*static_cast<int*>(data);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

double cpp_sphere(const Vector& x) { return c_sphere(static_cast<int>(x.size()), x.data(), nullptr); }

/// A search that frees itself.
class CSearch {
 public:
  CSearch(const Settings& settings, double sigma0) : search_(sf_new(3, start_of_c, sigma0, nullptr, 0)) {
    for (const auto& [option, value] : settings) EXPECT_EQ(sf_set(search_, option, value), 0) << sf_message(search_);
  }
  CSearch(const CSearch&) = delete;
  CSearch& operator=(const CSearch&) = delete;
  ~CSearch() { sf_free(search_); }

  operator sf_search*() const { return search_; }  // NOLINT(google-explicit-constructor): it is one

 private:
  sf_search* search_;
};

void ask_and_tell(sf_search* search, int most = 1 << 20) {
  for (int k = 0; k < most && sf_stop(search) == 0; ++k) {
    const double* population = nullptr;
    int popsize = 0;
    ASSERT_EQ(sf_ask(search, &population, &popsize), 0) << sf_message(search);
    std::vector<double> values;
    for (int i = 0; i < popsize; ++i) values.push_back(c_sphere(3, population + 3 * i, nullptr));
    ASSERT_EQ(sf_tell(search, values.data()), 0) << sf_message(search);
  }
}

void expect_same(sf_search* search, const Result& expected) {
  Vector x(3);
  EXPECT_EQ(sf_best(search, x.data()), expected.fun);
  std::vector<double> mean(3);
  std::vector<double> deviations(3);
  EXPECT_EQ(sf_distribution(search, mean.data(), deviations.data()), 0);
  EXPECT_EQ(mean, std::vector<double>(expected.xfavorite.begin(), expected.xfavorite.end()));
  EXPECT_EQ(deviations, std::vector<double>(expected.stds.begin(), expected.stds.end()));
  EXPECT_EQ(x, expected.x);
  EXPECT_EQ(sf_nfev(search), expected.nfev);
  EXPECT_EQ(sf_nit(search), expected.nit);
  EXPECT_EQ(sf_stop(search), static_cast<int>(expected.stop));
  EXPECT_EQ(sf_success(search), expected.success ? 1 : 0);
  EXPECT_EQ(sf_message(search), expected.message);
  EXPECT_EQ(sf_seed(search), expected.seed);
}

TEST(CInterface, GivesTheBitsOfCpp) {
  const std::vector<std::pair<Settings, Options>> cases = {
      {{{"ftarget", "1e-8"}, {"seed", "1"}}, {.ftarget = 1e-8, .seed = 1}},
      {{{"method", "cma"}, {"popsize", "20"}, {"seed", "7"}, {"maxiter", "30"}},
       {.maxiter = 30, .method = "cma", .popsize = 20, .seed = 7}},
      {{{"learning-rate", "lra"}, {"maxfevals", "1e3"}, {"restarts", "ipop:2"}, {"seed", "2"}, {"tolx", "1e-4"}},
       {.learning_rate = "lra", .maxfevals = 1000, .restarts = "ipop:2", .seed = 2, .tolx = 1e-4}},
      {{{"model", "quadratic"}, {"maxfevals", "60"}, {"seed", "3"}, {"lower", "1,-5,-5"}, {"upper", "9"}},
       {.bounds = {Vector{{1, -5, -5}}, Vector::Constant(1, 9)}, .maxfevals = 60, .model = "quadratic", .seed = 3}},
      {{{"evaluate_x0", "false"}, {"retry", "2"}, {"workers", "2"}, {"maxfevals", "200"}, {"seed", "4"}},
       {.evaluate_x0 = false, .failures = {.retry = 2}, .maxfevals = 200, .seed = 4, .workers = 2}},
  };
  for (const auto& [settings, options] : cases) {
    SCOPED_TRACE(settings.front().first);
    const Result expected = minimize(cpp_sphere, {3, 3, 3}, 2, options);
    const CSearch called(settings, 2);
    ASSERT_EQ(sf_minimize(called, c_sphere, nullptr), 0) << sf_message(called);
    expect_same(called, expected);
    const CSearch told(settings, 2);
    ask_and_tell(told);
    expect_same(told, expected);
  }
}

/// tests/c compares the examples in other languages with the same file.
TEST(CInterface, ExamplesHaveTheResultOfCpp) {
  const Result best = minimize(cpp_sphere, {3, 3, 3}, 2, {.ftarget = 1e-8, .seed = 1});
  char line[128];
  std::snprintf(line, sizeof line, "f = %.16e after %lld evaluations", best.fun, static_cast<long long>(best.nfev));
  std::ifstream file(std::filesystem::path(SUREFOOT_TEST_DATA).parent_path() / "c" / "expected.txt");
  std::string expected;
  std::getline(file, expected);
  EXPECT_EQ(line, expected);
}

TEST(CInterface, RefusesWithTheWordsOfTheLibrary) {
  const CSearch search({}, 2);
  const std::vector<std::pair<std::pair<const char*, const char*>, std::string>> wrong = {
      {{"popsize", "many"}, "popsize = 'many' is not allowed: it must be an integer"},
      {{"popsize", "2.5"}, "popsize = '2.5' is not allowed: it must be an integer"},
      {{"seed", "-1"}, "seed = '-1' is not allowed: it must be from 0 to 2^64 - 1"},
      {{"threads", "3000000000"}, "threads = '3000000000' is not allowed: it is too large"},
      {{"ftarget", ""}, "ftarget = '' is not allowed: it must be a number"},
      {{"noeffectaxis", "perhaps"}, "noeffectaxis = 'perhaps' is not allowed: it must be true or false"},
      {{"lower", "1,x"}, "lower = '1,x' is not allowed: 'x' is not a number; write numbers separated by commas"},
      {{"checkpoint", ""}, "checkpoint = '' is not allowed: give a name, or leave the option out"},
      {{"log", ""}, "log = '' is not allowed: give a name, or leave the option out"},
      {{"trace", ""}, "trace = '' is not allowed: give a name, or leave the option out"},
      {{"warm_start", ""}, "warm_start = '' is not allowed: give a name, or leave the option out"},
  };
  for (const auto& [setting, reason] : wrong) {
    EXPECT_EQ(sf_set(search, setting.first, setting.second), 1);
    EXPECT_EQ(sf_message(search), reason);
  }
  for (const char* unknown : {"sigma", "command", "json", "callback", "on_failure", "bounds"}) {
    EXPECT_EQ(sf_set(search, unknown, "1"), 1);
    EXPECT_TRUE(std::string(sf_message(search)).starts_with("option = '" + std::string(unknown) + "' is not allowed"));
  }
}

TEST(CInterface, RefusesWhatDoesNotGoTogetherWhereTheSearchBegins) {
  const CSearch search({{"popsize", "1"}}, 2);
  const double* population = nullptr;
  int popsize = 0;
  EXPECT_EQ(sf_stop(search), 0);
  EXPECT_EQ(sf_ask(search, &population, &popsize), 1);
  std::string reason;
  try {
    minimize(cpp_sphere, {3, 3, 3}, 2, {.popsize = 1});
  } catch (const std::invalid_argument& error) {
    reason = error.what();
  }
  EXPECT_EQ(sf_message(search), reason);
  EXPECT_EQ(sf_stop(search), -1);  // so that loops end which do not look
  EXPECT_EQ(sf_set(search, "popsize", "10"), 0);
  EXPECT_EQ(sf_ask(search, &population, &popsize), 0);
  EXPECT_EQ(sf_stop(search), 0);
  EXPECT_EQ(sf_set(search, "popsize", "10"), 1);
  EXPECT_STREQ(sf_message(search), "popsize: options are set before the search begins");
}

TEST(CInterface, KnowsEveryOptionThatOneTextCanSay) {
  const auto names = SearchRequest::names();
  for (const OptionInfo& row : option_table()) {
    const bool is_of_program = row.group == "objective" || row.name == "dim" || row.name == "json" ||
                               row.name == "quiet" || row.name == "print_config" || row.name == "config" ||
                               row.name == "replace_command";
    const bool is_member = !row.cpp.empty() && row.group == "objective";  // workers, constraints
    const bool is_expected = !row.cli.empty() && (!is_of_program || is_member);
    EXPECT_EQ(std::binary_search(names.begin(), names.end(), row.name), is_expected) << row.name;
  }
}

TEST(CInterface, IsSafeWithNullPointers) {
  const double* population = nullptr;
  int popsize = 0;
  const double value = 1;
  EXPECT_EQ(sf_new(3, nullptr, 1, nullptr, 0), nullptr);
  EXPECT_EQ(sf_new(-1, start_of_c, 1, nullptr, 0), nullptr);
  sf_free(nullptr);
  sf_interrupt(nullptr);
  EXPECT_EQ(sf_set(nullptr, "seed", "1"), 1);
  EXPECT_EQ(sf_ask(nullptr, &population, &popsize), 1);
  EXPECT_EQ(sf_tell(nullptr, &value), 1);
  EXPECT_EQ(sf_minimize(nullptr, c_sphere, nullptr), 1);
  EXPECT_EQ(sf_stop(nullptr), -1);
  EXPECT_EQ(sf_success(nullptr), 0);
  EXPECT_TRUE(std::isnan(sf_best(nullptr, nullptr)));
  EXPECT_EQ(sf_distribution(nullptr, nullptr, nullptr), -1);
  EXPECT_EQ(sf_dimension(nullptr), 0);
  EXPECT_EQ(sf_nfev(nullptr), 0);
  EXPECT_EQ(sf_nit(nullptr), 0);
  EXPECT_EQ(sf_seed(nullptr), 0U);
  EXPECT_STREQ(sf_message(nullptr), "search: a null pointer is not allowed");
  EXPECT_STREQ(sf_name(nullptr, 0), "");
  EXPECT_STREQ(sf_text(nullptr, 0, 1), "");
  EXPECT_EQ(sf_save(nullptr, "x"), 1);
  EXPECT_EQ(sf_load(nullptr, "x"), 1);

  const CSearch search({{"seed", "1"}}, 2);
  EXPECT_EQ(sf_set(search, nullptr, "1"), 1);
  EXPECT_EQ(sf_set(search, "seed", nullptr), 1);
  EXPECT_EQ(sf_ask(search, nullptr, &popsize), 1);
  EXPECT_EQ(sf_ask(search, &population, nullptr), 1);
  EXPECT_EQ(sf_tell(search, nullptr), 1);
  EXPECT_EQ(sf_tell(search, &value), 1);
  EXPECT_STREQ(sf_message(search), "tell: sf_ask comes first");
  EXPECT_EQ(sf_minimize(search, nullptr, nullptr), 1);
  EXPECT_EQ(sf_save(search, nullptr), 1);
  EXPECT_EQ(sf_load(search, nullptr), 1);
  EXPECT_STREQ(sf_name(search, 3), "");
  EXPECT_STREQ(sf_text(search, -1, 1), "");
}

TEST(CInterface, WritesAsMuchOfAnErrorAsThereIsRoomFor) {
  char error[8] = "";
  EXPECT_EQ(sf_new(3, start_of_c, -1, error, sizeof error), nullptr);
  EXPECT_STREQ(error, "sigma0 ");
  char none = 'x';
  EXPECT_EQ(sf_new(3, start_of_c, -1, &none, 0), nullptr);
  EXPECT_EQ(none, 'x');
}

TEST(CInterface, ExceptionsOfTheFunctionDoNotCross) {
  const CSearch search({{"seed", "1"}}, 2);
  const auto thrower = [](int, const double*, void*) -> double { throw 7; };
  EXPECT_EQ(sf_minimize(search, thrower, nullptr), 0);
  EXPECT_EQ(sf_stop(search), static_cast<int>(StopReason::failing));
  EXPECT_EQ(sf_success(search), 0);
}

TEST(CInterface, CanBeInterruptedFromTheFunction) {
  const CSearch search({{"seed", "1"}}, 2);
  const auto impatient = [](int n, const double* x, void* data) {
    sf_interrupt(static_cast<sf_search*>(data));
    return c_sphere(n, x, nullptr);
  };
  EXPECT_EQ(sf_minimize(search, impatient, static_cast<sf_search*>(search)), 0);
  EXPECT_EQ(sf_stop(search), static_cast<int>(StopReason::interrupted));
  EXPECT_EQ(sf_nfev(search), 1);
}

/// In the middle of a generation too.
TEST(CInterface, GoesOnAfterAnInterruption) {
  struct Impatient {
    sf_search* search;
    int calls;
  };
  const auto impatient = [](int n, const double* x, void* data) {
    auto& self = *static_cast<Impatient*>(data);
    if (++self.calls % 6 == 0) sf_interrupt(self.search);
    return c_sphere(n, x, nullptr);
  };
  const Result expected = minimize(cpp_sphere, {3, 3, 3}, 2, {.maxiter = 20, .seed = 1});
  const CSearch search({{"seed", "1"}, {"maxiter", "20"}}, 2);
  Impatient data{search, 0};
  int interruptions = 0;
  do {
    ASSERT_EQ(sf_minimize(search, impatient, &data), 0) << sf_message(search);
    EXPECT_EQ(sf_nfev(search), data.calls);
  } while (sf_stop(search) == static_cast<int>(StopReason::interrupted) && ++interruptions < 100);
  EXPECT_EQ(interruptions, expected.nfev / 6);
  expect_same(search, expected);
  sf_interrupt(search);
  const CSearch early({{"seed", "1"}}, 2);
  sf_interrupt(early);
  ASSERT_EQ(sf_minimize(early, c_sphere, nullptr), 0);
  EXPECT_EQ(sf_stop(early), static_cast<int>(StopReason::interrupted)) << "what comes before counts";
}

TEST(CInterface, GoesOnFromAFile) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "c_interface";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string file = folder / "search.sf";
  const Settings settings = {{"ftarget", "1e-8"}, {"seed", "1"}};
  const Result expected = minimize(cpp_sphere, {3, 3, 3}, 2, {.ftarget = 1e-8, .seed = 1});
  {
    const CSearch first(settings, 2);
    ask_and_tell(first, 10);
    ASSERT_EQ(sf_save(first, file.c_str()), 0) << sf_message(first);
  }
  const CSearch second(settings, 2);
  ASSERT_EQ(sf_load(second, file.c_str()), 0) << sf_message(second);
  EXPECT_GT(sf_nfev(second), 1);
  ask_and_tell(second);
  expect_same(second, expected);

  const CSearch other({{"ftarget", "1e-8"}, {"seed", "2"}}, 2);
  EXPECT_EQ(sf_load(other, file.c_str()), 1);
  EXPECT_NE(std::string(sf_message(other)).find("seed"), std::string::npos);
  std::ofstream(folder / "letter.txt") << "Dear reader";
  EXPECT_EQ(sf_save(other, (folder / "letter.txt").c_str()), 1);

  // The option checkpoint does the same by itself.
  const std::string kept = folder / "kept.sf";
  const Settings with_file = {{"ftarget", "1e-8"}, {"seed", "1"}, {"checkpoint", kept.c_str()}};
  {
    const CSearch first(with_file, 2);
    ask_and_tell(first, 10);
  }
  const CSearch third(with_file, 2);
  int calls = 0;
  ASSERT_EQ(sf_minimize(third, c_sphere, &calls), 0) << sf_message(third);
  expect_same(third, expected);
  EXPECT_LT(calls, expected.nfev);
}

TEST(CInterface, TakesValuesOfConstraintsBehindF) {
  const Settings settings = {{"constraints", "1"}, {"maxfevals", "300"}, {"seed", "1"}};  // x0 >= 1
  const CSearch search(settings, 2);
  const double* population = nullptr;
  int popsize = 0;
  while (sf_stop(search) == 0) {
    ASSERT_EQ(sf_ask(search, &population, &popsize), 0) << sf_message(search);
    std::vector<double> values;
    for (const double* x = population; x < population + 3 * popsize; x += 3) {
      values.push_back(c_sphere(3, x, nullptr));
      values.push_back(1 - x[0]);
    }
    ASSERT_EQ(sf_tell(search, values.data()), 0) << sf_message(search);
  }
  double x[3];
  const double best = sf_best(search, x);
  EXPECT_GE(best, 1);  // without the constraint it is 0
  EXPECT_LT(best, 2);
  EXPECT_GE(x[0], 1);

  const CSearch called(settings, 2);
  EXPECT_EQ(sf_minimize(called, c_sphere, nullptr), 1);
  EXPECT_TRUE(std::string(sf_message(called)).starts_with("constraints: a function of sf_minimize gives one value"));
}

/// x0 >= 1 and x1 = 2.
void constrained_sphere(int n, const double* x, double* values, void* /*data*/) {
  values[0] = c_sphere(n, x, nullptr);
  values[1] = 1 - x[0];
  values[2] = x[1] - 2;
}

TEST(CInterface, MinimisesWithAFunctionThatGivesConstraints) {
  const Settings settings = {{"constraints", "1"}, {"equalities", "1"}, {"maxfevals", "2000"}, {"seed", "1"}};
  const auto objective = [](const Vector& x) {
    return Evaluation{.f = cpp_sphere(x), .g = {1 - x[0]}, .h = {x[1] - 2}};
  };
  const Result expected =
      minimize(objective, {3, 3, 3}, 2, {.constraints = 1, .equalities = 1, .maxfevals = 2000, .seed = 1});
  const CSearch search(settings, 2);
  EXPECT_TRUE(std::isnan(sf_violation(search)));
  ASSERT_EQ(sf_minimize_constrained(search, constrained_sphere, nullptr), 0) << sf_message(search);
  expect_same(search, expected);
  EXPECT_EQ(sf_violation(search), 0);
  EXPECT_NEAR(expected.fun, 5, 1e-4);
}

TEST(CInterface, AConstraintThatIsNotWrittenIsAFailure) {
  const CSearch search({{"constraints", "2"}, {"maxfevals", "20"}, {"seed", "1"}}, 2);
  const auto forgets = [](int n, const double* x, double* values, void* /*data*/) {
    values[0] = c_sphere(n, x, nullptr);
    values[1] = -1;
  };
  ASSERT_EQ(sf_minimize_constrained(search, forgets, nullptr), 0) << sf_message(search);
  EXPECT_TRUE(std::isnan(sf_best(search, nullptr)));
  EXPECT_TRUE(std::isnan(sf_violation(search)));
  EXPECT_EQ(sf_minimize_constrained(nullptr, forgets, nullptr), 1);
  EXPECT_EQ(sf_minimize_constrained(search, nullptr, nullptr), 1);
}

TEST(CInterface, HasNamedParameters) {
  sf_search* search = sf_new(0, nullptr, 0, nullptr, 0);
  EXPECT_EQ(sf_dimension(search), 0);
  EXPECT_EQ(sf_minimize(search, c_sphere, nullptr), 1);
  EXPECT_STREQ(sf_message(search), "x0 is missing: give a start point, named parameters or a warm start");
  EXPECT_EQ(sf_set(search, "param", "rate=real(1e-5,1e-1,log)"), 0);
  EXPECT_EQ(sf_set(search, "param", "kind=choice(relu,tanh)"), 0);
  EXPECT_EQ(sf_set(search, "param", "kind=choice(relu,tanh)"), 1);
  EXPECT_EQ(sf_dimension(search), 2);
  EXPECT_STREQ(sf_name(search, 1), "kind");
  EXPECT_STREQ(sf_text(search, 1, 1), "tanh");
  EXPECT_STREQ(sf_text(search, 1, -1), "-1");
  EXPECT_EQ(sf_set(search, "x0", "1,2"), 0);
  EXPECT_EQ(sf_minimize(search, c_sphere, nullptr), 1);
  EXPECT_TRUE(std::string(sf_message(search)).starts_with("x0: not together with named parameters"));
  sf_free(search);
}

}  // namespace
}  // namespace surefoot
