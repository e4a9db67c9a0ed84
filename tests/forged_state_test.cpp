// Checkpoints whose checksums hold although no search has written their numbers: each is refused, or leads to a search
// that goes on. Nothing is read out of bounds, which the sanitizers see.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "driver/checkpoint/bytes.hpp"
#include "state_fields.hpp"
#include "surefoot/method.hpp"
#include "surefoot/optimizer.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

/// Integers ('i') or scalars ('s') of a state, whatever they are called.
std::vector<test::StateField> fields_of_type(char type, const std::string& state) {
  std::vector<test::StateField> fields = test::fields_of(state);
  std::erase_if(fields, [type](const test::StateField& field) { return field.type != type; });
  return fields;
}

/// The state with one field's eight bytes replaced.
std::string forge(std::string state, const test::StateField& field, std::uint64_t value) {
  std::string bytes;
  append(bytes, value);
  return state.replace(field.at, bytes.size(), bytes);
}

void advance_some(Optimizer& search, int generations) {
  for (int g = 0; g < generations && !search.stop(); ++g) {
    const Matrix& population = search.ask();
    Vector values(population.cols());
    for (Index i = 0; i < population.cols(); ++i) values[i] = test::sphere(population.col(i));
    search.tell(values);
  }
}

class ForgedStates : public testing::TestWithParam<std::string> {};

void refuse_or_go_on(const Vector& x0, const Options& options, const std::string& forged) {
  Optimizer victim(x0, 0.5, options);
  try {
    victim.set_state(forged);
    advance_some(victim, 5);
    static_cast<void>(victim.result());
  } catch (const std::invalid_argument&) {
    return;  // refused
  }
}

TEST_P(ForgedStates, AreRefusedOrGoOn) {
  const Vector x0 = Vector::LinSpaced(std::max<Index>(3, find_method(GetParam()).smallest_dimension), 1, 3);
  for (const char* model : {"none", "quadratic"}) {
    Options options{.maxiter = 60, .method = GetParam(), .model = model, .popsize = 8, .seed = 3};
    options.restarts = "ipop";
    if (find_method(GetParam()).sets_popsize && options.model != "none") continue;
    Optimizer search(x0, 0.5, options);
    advance_some(search, 12);
    const std::string state = search.state();
    const std::vector<test::StateField> fields = fields_of_type('i', state);
    ASSERT_GT(fields.size(), 20);
    for (const test::StateField& field : fields) {
      for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{7},
                                       std::int64_t{1} << 40U, std::numeric_limits<std::int64_t>::max()}) {
        SCOPED_TRACE(testing::Message() << model << ": " << field.name << " = " << value);
        refuse_or_go_on(x0, options, forge(state, field, static_cast<std::uint64_t>(value)));
      }
    }
  }
}

TEST_P(ForgedStates, WithStrangeNumbersAreRefusedOrGoOn) {
  const Vector x0 = Vector::LinSpaced(std::max<Index>(3, find_method(GetParam()).smallest_dimension), 1, 3);
  const Options options{.maxiter = 60, .method = GetParam(), .model = "none", .popsize = 8, .seed = 3};
  Optimizer search(x0, 0.5, options);
  advance_some(search, 12);
  const std::string state = search.state();
  for (const test::StateField& field : fields_of_type('s', state)) {
    for (const double value : {test::nan, test::inf, -test::inf, -1.0, 0.0, 1e-300, 1e300}) {
      SCOPED_TRACE(testing::Message() << field.name << " = " << value);
      refuse_or_go_on(x0, options, forge(state, field, std::bit_cast<std::uint64_t>(value)));
    }
  }
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& row : method_table()) names.push_back(row.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(AllMethods, ForgedStates, testing::ValuesIn(method_names()), [](const auto& given) {
  std::string name = given.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(ForgedCounts, BelowZeroAreRefused) {
  Options options{.maxiter = 60, .method = "xnes", .popsize = 8, .seed = 3};
  Optimizer search(Vector{{1, 2, 3}}, 0.5, options);
  advance_some(search, 12);
  const std::string state = search.state();
  int refused = 0;
  for (const test::StateField& field : fields_of_type('i', state)) {
    const bool is_count = field.name == "count" || field.name == "nit" || field.name == "run nit" ||
                          field.name == "nfev" || field.name == "rounds" || field.name == "closed at";
    if (!is_count) continue;
    Optimizer victim(Vector{{1, 2, 3}}, 0.5, options);
    EXPECT_THROW(victim.set_state(forge(state, field, static_cast<std::uint64_t>(std::int64_t{-3}))),
                 std::invalid_argument)
        << field.name;
    ++refused;
  }
  EXPECT_GE(refused, 9);
}

}  // namespace
}  // namespace surefoot
