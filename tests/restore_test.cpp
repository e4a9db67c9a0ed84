// A state that cannot be restored leaves the search as it was; saving changes nothing.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "driver/checkpoint/state_bytes.hpp"
#include "surefoot/method.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

Options bounded_options(const std::string& method) {
  Options options = test::options_of(method);
  options.bounds = Bounds::all(-5, 5);
  options.maxfevals = 2000;
  options.popsize = 8;
  options.restarts = "bipop";
  options.seed = 4;
  return options;
}

Optimizer search_of(const std::string& method) { return {Vector::Constant(3, 3.0), 2, bounded_options(method)}; }

double value(const Vector& x) { return find_problem("rastrigin").value(x.data(), x.size()); }

void go_to(Optimizer& search, std::int64_t nfev) {
  while (!search.stop() && search.nfev() < nfev) {
    Generation& generation = search.generation();
    for (const Index i : generation.open_candidates()) generation.set(i, value(generation.population().col(i)));
    search.tell();
  }
}

class Restoring : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, Restoring, testing::Values("cma", "ig-xnes", "lra"),
                         [](const auto& test) { return test::name_of(test.param); });

/// Everything but the time, which goes on.
void expect_same(const Optimizer& a, const Optimizer& b) {
  const Result one = a.result();
  const Result other = b.result();
  EXPECT_EQ(one.x, other.x);
  EXPECT_EQ(one.nfev, other.nfev);
  EXPECT_EQ(one.nit, other.nit);
  EXPECT_EQ(one.stop, other.stop);
  EXPECT_EQ(one.message, other.message);
  EXPECT_EQ(one.xfavorite, other.xfavorite);
  EXPECT_EQ(one.stds, other.stds);
  EXPECT_EQ(one.runs.size(), other.runs.size());
}

class Reporting : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, Reporting, testing::ValuesIn(test::all_methods()),
                         [](const auto& test) { return test::name_of(test.param); });

/// A search may report before it learns again: its budget may end within the next generation.
TEST_P(Reporting, IsTheSameAfterAState) {
  const Options options = test::options_of(GetParam());
  const Index d = 10;
  const auto make = [&] {
    return make_strategy(options.method, {.start = {Vector::Constant(d, 3), Vector::Ones(d)},
                                          .popsize = 12,
                                          .learning_rate = options.learning_rate,
                                          .observed = true});
  };
  const auto strategy = make();
  CounterNormals normals(1, 0);
  for (std::uint64_t t = 0; t < 5; ++t) {
    const Matrix& population = strategy->ask(t, normals);
    strategy->tell({population, population.colwise().squaredNorm().transpose()});
  }
  StateWriter writer;
  strategy->visit(writer);
  const auto restored = make();
  StateReader reader(writer.bytes());
  restored->visit(reader);
  Measures before;
  Measures after;
  strategy->report(before);
  restored->report(after);
  for (const auto& [name, value] : before) {
    EXPECT_TRUE(after[name] == value || std::isnan(value)) << name << ": " << after[name] << " after " << value;
  }
}

TEST_P(Restoring, ATruncatedStateChangesNothing) {
  Optimizer untouched = search_of(GetParam());
  Optimizer search = search_of(GetParam());
  Optimizer other = search_of(GetParam());
  go_to(untouched, 100);
  go_to(search, 100);
  go_to(other, 900);
  other.generation().set(0, 1.5);
  const std::string state = other.state();
  for (std::size_t length = 0; length < state.size(); length += 1 + state.size() / 97) {
    EXPECT_THROW(search.set_state(state.substr(0, length)), std::invalid_argument) << length;
  }
  EXPECT_THROW(search.set_state(state + "x"), std::invalid_argument);
  expect_same(search, untouched);
  EXPECT_EQ(search.ask(), untouched.ask());
  go_to(search, 2000);
  go_to(untouched, 2000);
  expect_same(search, untouched);
}

TEST_P(Restoring, AForgedStateChangesNothing) {
  Optimizer untouched = search_of(GetParam());
  Optimizer search = search_of(GetParam());
  Optimizer other = search_of(GetParam());
  go_to(untouched, 100);
  go_to(search, 100);
  go_to(other, 900);
  const std::string state = other.state();
  int refused = 0;
  for (std::size_t at = 0; at < state.size(); at += 1 + state.size() / 499) {
    std::string forged = state;
    forged[at] = static_cast<char>(forged[at] ^ 0x55);
    try {
      search.set_state(forged);
      search = search_of(GetParam());
      go_to(search, 100);
    } catch (const std::invalid_argument&) {
      ++refused;
      ASSERT_EQ(search.nfev(), untouched.nfev()) << at;
    }
  }
  EXPECT_GT(refused, 50);
  expect_same(search, untouched);
}

TEST_P(Restoring, SavingIsConst) {
  Optimizer search = search_of(GetParam());
  Optimizer untouched = search_of(GetParam());
  go_to(search, 300);
  go_to(untouched, 300);
  const Optimizer& saved = search;
  EXPECT_FALSE(saved.state().empty());
  expect_same(search, untouched);
  go_to(search, 2000);  // the end by a budget is not part of the state, but stays the search's
  const std::string last = saved.state();
  EXPECT_EQ(search.stop_reason(), StopReason::maxfevals);
  go_to(untouched, 2000);
  expect_same(search, untouched);
}

TEST_P(Restoring, AnotherSearchIsRefusedByWhatDiffers) {
  Optimizer search = search_of(GetParam());
  Options other = bounded_options(GetParam());
  other.bounds = Bounds::all(-5, 6);
  try {
    Optimizer(Vector::Constant(3, 3.0), 2, other).set_state(search.state());
    ADD_FAILURE() << "nothing was refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("upper bounds"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace surefoot
