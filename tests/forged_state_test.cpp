// Checkpoints whose checksums hold although no search has written their numbers: each is refused, or leads to a search
// that goes on. Nothing is read out of bounds, which the sanitizers see.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "driver/checkpoint/bytes.hpp"
#include "driver/checkpoint/state_bytes.hpp"
#include "surefoot/method.hpp"
#include "surefoot/optimizer.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

struct IntegerField {
  std::string name;
  std::size_t at;  // of its eight bytes
};

/// The integers of a state, whatever they are called.
std::vector<IntegerField> integers_of(const std::string& state) {
  std::vector<IntegerField> fields;
  std::size_t at = 0;
  const auto number = [&] {
    at += 8;
    return decode<std::uint64_t>(std::string_view(state).substr(at - 8, 8));
  };
  while (at < state.size()) {
    const char type = state[at++];
    const std::uint64_t length = number();
    const std::string name = state.substr(at, length);
    at += length;
    if (type == 'i') fields.push_back({name, at});
    std::uint64_t size = 8;
    if (type == 't') size = number();
    if (type == 'v') size = 8 * number();
    if (type == 'm') {
      const std::uint64_t rows = number();
      size = 8 * rows * number();
    }
    at += size;
  }
  return fields;
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

TEST_P(ForgedStates, AreRefusedOrGoOn) {
  const Vector x0 = Vector::LinSpaced(std::max<Index>(3, find_method(GetParam()).smallest_dimension), 1, 3);
  for (const char* model : {"none", "quadratic"}) {
    Options options{.maxiter = 60, .method = GetParam(), .model = model, .popsize = 8, .seed = 3};
    options.restarts = "ipop";
    if (find_method(GetParam()).sets_popsize && options.model != "none") continue;
    Optimizer search(x0, 0.5, options);
    advance_some(search, 12);
    const std::string state = search.state();
    const std::vector<IntegerField> fields = integers_of(state);
    ASSERT_GT(fields.size(), 20);
    for (const IntegerField& field : fields) {
      for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{7},
                                       std::int64_t{1} << 40U, std::numeric_limits<std::int64_t>::max()}) {
        SCOPED_TRACE(testing::Message() << model << ": " << field.name << " = " << value);
        std::string forged = state;
        std::string bytes;
        append(bytes, static_cast<std::uint64_t>(value));
        forged.replace(field.at, bytes.size(), bytes);
        Optimizer victim(x0, 0.5, options);
        try {
          victim.set_state(forged);
          advance_some(victim, 5);
          static_cast<void>(victim.result());
        } catch (const std::invalid_argument&) {
          continue;
        }
      }
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
  for (const IntegerField& field : integers_of(state)) {
    const bool is_count = field.name == "count" || field.name == "nit" || field.name == "run nit" ||
                          field.name == "nfev" || field.name == "rounds" || field.name == "closed at";
    if (!is_count) continue;
    std::string forged = state;
    std::string bytes;
    append(bytes, static_cast<std::uint64_t>(std::int64_t{-3}));
    forged.replace(field.at, bytes.size(), bytes);
    Optimizer victim(Vector{{1, 2, 3}}, 0.5, options);
    EXPECT_THROW(victim.set_state(forged), std::invalid_argument) << field.name;
    ++refused;
  }
  EXPECT_GE(refused, 9);
}

}  // namespace
}  // namespace surefoot
