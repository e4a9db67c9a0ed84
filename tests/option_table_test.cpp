#include "surefoot/option_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <type_traits>

#include "core/invalid_option.hpp"
#include "driver/option_fields.hpp"

namespace surefoot {
namespace {

/// Does not compile when a member is added: then visit_options and the table want a row, and this test a name.
std::size_t count_members(Options& options) {
  [[maybe_unused]] auto& [batch, bounds, callback, constraints, constraints_mode, equalities, equality_tolerance,
                          evaluate_x0, evaluation_seconds, failures, ftarget, inject, interrupt, learning_rate,
                          maxfevals, maxiter, method, mixing, model, noeffectaxis, noeffectcoord, noise, observer,
                          popsize, restart_point, restarts, seed, strategy, threads, timeout, tolconditioncov,
                          tolflatfitness, tolfun, tolfunhist, tolstagnation, tolupsigma, tolx, workers] = options;
  [[maybe_unused]] auto& [retry, generations, fraction, rethrow] = failures;
  return 37 + 4;
}

std::set<std::string> visited_names() {
  Options options;
  std::set<std::string> names;
  visit_options(options, [&](const char* name, auto& /*member*/) { names.insert(name); });
  return names;
}

TEST(OptionTable, HasEveryMemberOfOptions) {
  Options options;
  const std::set<std::string> visited = visited_names();
  EXPECT_EQ(visited.size(), count_members(options));
  std::set<std::string> listed;
  for (const OptionInfo& row : option_table()) {
    const bool is_argument = row.name == "fun" || row.name == "x0" || row.name == "sigma0" || row.cpp == "Space";
    const bool is_in_session = row.cpp.starts_with("SessionFiles::");
    if (!row.cpp.empty() && !is_argument && !is_in_session) listed.insert(row.name);
  }
  EXPECT_EQ(visited, listed);
}

TEST(OptionTable, TellsTheDefaultsThatOptionsHave) {
  Options options;
  visit_options(options, [](const char* name, const auto& member) {
    using T = std::decay_t<decltype(member)>;
    const std::string& standard = find_option(name).standard;
    if constexpr (std::is_same_v<T, bool>) {
      if (std::string(name) == "on_failure") return;  // Python has words for it
      EXPECT_EQ(standard, member ? "true" : "false") << name;
    } else if constexpr (std::is_arithmetic_v<T>) {
      EXPECT_EQ(std::stod(standard), static_cast<double>(member)) << name;
    } else if constexpr (std::is_same_v<T, std::string>) {
      EXPECT_EQ(standard, member) << name;
    }
  });
  EXPECT_EQ(find_option("learning_rate").standard, options.learning_rate.text());
  EXPECT_EQ(find_option("restarts").standard, options.restarts.text());
}

TEST(OptionTable, HasEachNameOnceAndKnowsItsGroups) {
  std::set<std::string> names;
  std::vector<std::string> groups;
  for (const OptionInfo& row : option_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    EXPECT_FALSE(row.cpp.empty() && row.cli.empty() && row.python.empty()) << row.name;
    if (groups.empty() || groups.back() != row.group) groups.push_back(row.group);
  }
  EXPECT_EQ(groups, (std::vector<std::string>{"objective", "start", "method", "stop", "failures", "output"}));
  EXPECT_THROW(find_option("sigma"), std::invalid_argument);
}

}  // namespace
}  // namespace surefoot
