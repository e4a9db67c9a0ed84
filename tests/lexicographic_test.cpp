// The order of candidates by their violation of constraints, and where `auto` takes it.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "checkpoint_support.hpp"
#include "driver/checkpoint/bytes.hpp"
#include "state_fields.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

/// Linear at the vertex (1, 1, 1) of three constraints, one of them in small units: its numbers are large.
auto vertex(double unit) {
  return [unit](const Vector& x) { return Evaluation{.f = x.sum(), .g = {unit * (1 - x[0]), 1 - x[1], 1 - x[2]}}; };
}

Options at_vertex(Options options = {}) {
  options.constraints = 3;
  options.seed = 1;
  if (!options.maxfevals) options.maxfevals = 3000;
  return options;
}

constexpr std::int64_t popsize_of_three = 7;  // the default with three coordinates

TEST(Lexicographic, TakesTwiceTheCandidatesWhereScalesOfConstraintsAreFarApart) {
  const Result far = minimize(vertex(1e6), {3, 4, 5}, 1, at_vertex());
  EXPECT_EQ(far.runs.front().popsize, 2 * popsize_of_three);
  EXPECT_EQ(far.multipliers.size(), 0);
  EXPECT_TRUE(far.feasible);
  EXPECT_NEAR(far.fun, 3, 1e-6);
  const Result near = minimize(vertex(1e3), {3, 4, 5}, 1, at_vertex());
  EXPECT_EQ(near.runs.front().popsize, popsize_of_three);
  EXPECT_EQ(near.multipliers.size(), 3);
}

TEST(Lexicographic, KeepsThePopsizeThatIsAskedFor) {
  const Result given = minimize(vertex(1e6), {3, 4, 5}, 1, at_vertex({.popsize = 8}));
  EXPECT_EQ(given.runs.front().popsize, 8);
  EXPECT_EQ(given.multipliers.size(), 0);
  EXPECT_NEAR(given.fun, 3, 1e-3);
}

/// Factors of 2 leave no rounding.
TEST(Lexicographic, DoesNotDependOnUnitsWhereScalesAreFarApart) {
  const Result small = minimize(vertex(0x1p20), {3, 4, 5}, 1, at_vertex());
  const Result large = minimize(vertex(0x1p50), {3, 4, 5}, 1, at_vertex());
  EXPECT_EQ(small.x, large.x);
  EXPECT_EQ(small.nfev, large.nfev);
  EXPECT_EQ(small.xfavorite, large.xfavorite);
}

TEST(Lexicographic, DoesNotLookAtFWhereConstraintsAreViolated) {
  const auto without_f = [](const Vector& x) {
    Evaluation e = vertex(1)(x);
    if (!(x.array() >= 1).all()) e.f = 0;
    return e;
  };
  const Options options = at_vertex({.constraints_mode = "lexicographic"});
  const Result known = minimize(vertex(1), {0, 0, 0}, 1, options);
  const Result unknown = minimize(without_f, {0, 0, 0}, 1, options);
  EXPECT_TRUE(known.feasible);
  EXPECT_EQ(known.x, unknown.x);
  EXPECT_EQ(known.nfev, unknown.nfev);
  EXPECT_EQ(known.xfavorite, unknown.xfavorite);
}

TEST(Lexicographic, GoesOnBitForBitWhereItWasChosen) {
  const Options options = at_vertex({.maxfevals = 300});
  const Result whole = minimize(vertex(1e6), {3, 4, 5}, 1, options);
  for (const int generations : {0, 1, 2, 3}) {  // the start, the population that chooses, the first of those after it
    SCOPED_TRACE(generations);
    Optimizer first({3, 4, 5}, 1, options);
    for (int t = 0; t < generations; ++t) {
      std::vector<Evaluation> evaluations;
      for (const auto& x : first.ask().colwise()) evaluations.push_back(vertex(1e6)(x));
      first.tell(evaluations);
    }
    Optimizer second({3, 4, 5}, 1, options);
    second.set_state(first.state());
    while (!second.stop()) {
      std::vector<Evaluation> evaluations;
      for (const auto& x : second.ask().colwise()) evaluations.push_back(vertex(1e6)(x));
      second.tell(evaluations);
    }
    EXPECT_EQ(second.result().x, whole.x);
    EXPECT_EQ(second.result().nfev, whole.nfev);
    EXPECT_EQ(second.result().runs.front().popsize, 2 * popsize_of_three);
  }
}

/// A state with one number less in a vector.
std::string with_shorter(std::string state, const std::string& name) {
  for (const test::StateField& field : test::fields_of(state)) {
    if (field.name != name) continue;
    std::string size;
    append(size, static_cast<std::uint64_t>(field.bytes / 8 - 1));
    state.replace(field.sizes_at, size.size(), size);
    return state.erase(field.at, 8);
  }
  ADD_FAILURE() << "no " << name;
  return state;
}

TEST(ForgedConstraints, OfAnotherNumberAreRefused) {
  for (const double unit : {1.0, 1e6}) {
    const std::string name = unit == 1 ? "previous constraints" : "scales of constraints";
    SCOPED_TRACE(name);
    Optimizer search({3, 4, 5}, 1, at_vertex());
    for (int t = 0; t < 4; ++t) {
      std::vector<Evaluation> evaluations;
      for (const auto& x : search.ask().colwise()) evaluations.push_back(vertex(unit)(x));
      search.tell(evaluations);
    }
    const std::string state = search.state();
    Optimizer other({3, 4, 5}, 1, at_vertex());
    other.set_state(state);
    const std::string reason = test::rejection([&] { other.set_state(with_shorter(state, name)); });
    EXPECT_TRUE(test::contains(reason, "checkpoint")) << reason;
  }
}

}  // namespace
}  // namespace surefoot
