// State to bytes and back.
// RC_PARAMS="seed=1" in the environment makes the properties' random cases the same in every run.

#include "driver/checkpoint/state_bytes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "checkpoint_support.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"

namespace surefoot {
namespace {

using test::bytes_of;
using test::contains;
using test::example;
using test::little_endian;
using test::rejection;
using test::State;

std::vector<std::uint64_t> bits(const auto& numbers) {
  std::vector<std::uint64_t> result;
  for (Index i = 0; i < numbers.size(); ++i) result.push_back(std::bit_cast<std::uint64_t>(numbers.data()[i]));
  return result;
}

std::string scalar_bytes(double value, std::string_view name = "sigma") {
  StateWriter writer;
  writer.scalar(name, value);
  return writer.bytes();
}

std::string vector_bytes(Vector value) {
  StateWriter writer;
  writer.vector("m", value);
  return writer.bytes();
}

std::string matrix_bytes(Matrix value) {
  StateWriter writer;
  writer.matrix("B", value);
  return writer.bytes();
}

TEST(CheckpointState, AllTypesRoundTrip) {
  const std::string bytes = bytes_of(example());
  State restored;
  StateReader reader(bytes);
  restored.visit(reader);
  reader.finish();
  EXPECT_EQ(restored.sigma, 0.1);
  EXPECT_EQ(restored.m, example().m);
  EXPECT_EQ(restored.B, example().B);
  EXPECT_EQ(restored.generation, -7);
  EXPECT_EQ(restored.strategy, example().strategy);
  EXPECT_EQ(bytes_of(restored), bytes);
}

TEST(CheckpointState, BytesAreTheDocumentedOnes) {
  const std::string name = little_endian(5, 8) + "sigma";
  EXPECT_EQ(scalar_bytes(1), 's' + name + std::string("\0\0\0\0\0\0\xf0\x3f", 8));
  EXPECT_EQ(matrix_bytes(Matrix::Zero(2, 0)),
            'm' + little_endian(1, 8) + 'B' + little_endian(2, 8) + little_endian(0, 8));
}

TEST(CheckpointState, DoublesKeepEveryBit) {
  const std::vector<std::uint64_t> patterns = {
      0x0000000000000000,  // 0
      0x8000000000000000,  // -0
      0x7ff0000000000000,  // infinity
      0xfff0000000000000,  // -infinity
      0x7ff8000000000000,  // NaN
      0xfff8000000001234,  // NaN with sign and payload
      0x7ff0000000000001,  // signalling NaN
      0x0000000000000001,  // smallest denormal
      0x800fffffffffffff,  // negative denormal
      0x7fefffffffffffff,  // largest
  };
  Vector values(static_cast<Index>(patterns.size()));
  for (std::size_t i = 0; i < patterns.size(); ++i) values[static_cast<Index>(i)] = std::bit_cast<double>(patterns[i]);

  Vector restored;
  const std::string bytes = vector_bytes(values);
  StateReader(bytes).vector("m", restored);
  EXPECT_EQ(bits(restored), patterns);

  for (const std::uint64_t pattern : patterns) {
    double value = 42;
    const std::string one = scalar_bytes(std::bit_cast<double>(pattern));
    StateReader(one).scalar("sigma", value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(value), pattern);
  }
}

TEST(CheckpointState, IntegersReachTheirLimits) {
  for (std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    StateWriter writer;
    writer.integer("generation", value);
    std::int64_t restored = 0;
    StateReader(writer.bytes()).integer("generation", restored);
    EXPECT_EQ(restored, value);
  }
}

TEST(CheckpointState, EmptyThingsRoundTrip) {
  Vector empty;
  const std::string vector = vector_bytes(empty);
  StateReader(vector).vector("m", empty);
  EXPECT_EQ(empty.size(), 0);

  Matrix wide;
  const std::string matrix = matrix_bytes(Matrix(0, 5));
  StateReader(matrix).matrix("B", wide);
  EXPECT_EQ(wide.rows(), 0);
  EXPECT_EQ(wide.cols(), 5);

  StateWriter writer;
  std::string words;
  writer.text("", words);
  words = "something";
  StateReader reader(writer.bytes());
  reader.text("", words);
  EXPECT_EQ(words, "");
  reader.finish();
  StateReader("").finish();
}

/// Visitors from before integers and texts neither save nor disturb them.
TEST(CheckpointState, OtherVisitorsPassOverIntegersAndTexts) {
  class Numbers final : public StateVisitor {
   public:
    void scalar(std::string_view /*name*/, double& /*value*/) override { ++count; }
    void vector(std::string_view /*name*/, Vector& /*value*/) override { ++count; }
    void matrix(std::string_view /*name*/, Matrix& /*value*/) override { ++count; }
    int count = 0;
  } numbers;
  State state = example();
  state.visit(numbers);
  EXPECT_EQ(numbers.count, 3);
  EXPECT_EQ(bytes_of(state), bytes_of(example()));
}

TEST(CheckpointState, AnotherNameIsRejected) {
  const std::string bytes = scalar_bytes(1, "sig\x1bma");
  double value = 0;
  EXPECT_EQ(rejection([&] { StateReader(bytes).scalar("eta", value); }),
            "checkpoint: field = sig?ma is not allowed: it must be eta");
  const std::string longer = scalar_bytes(1, std::string(100000, 'x'));
  EXPECT_LT(rejection([&] { StateReader(longer).scalar("eta", value); }).size(), 200U);
}

TEST(CheckpointState, AnotherTypeIsRejected) {
  const std::string bytes = scalar_bytes(1);
  std::int64_t integer = 0;
  std::string words;
  Vector vector;
  Matrix matrix;
  EXPECT_EQ(rejection([&] { StateReader(bytes).vector("sigma", vector); }),
            "checkpoint: type of sigma = scalar is not allowed: it must be vector");
  rejection([&] { StateReader(bytes).matrix("sigma", matrix); });
  rejection([&] { StateReader(bytes).integer("sigma", integer); });
  rejection([&] { StateReader(bytes).text("sigma", words); });
  EXPECT_TRUE(contains(rejection([&] { StateReader("?" + bytes.substr(1)).text("sigma", words); }), "unknown"));
}

TEST(CheckpointState, AnotherOrderIsRejected) {
  const std::string bytes = scalar_bytes(1, "a") + scalar_bytes(2, "b");
  double a = 0;
  double b = 0;
  StateReader(bytes).scalar("a", a);
  EXPECT_EQ(a, 1);
  rejection([&] { StateReader(bytes).scalar("b", b); });
  EXPECT_EQ(b, 0);
}

TEST(CheckpointState, AnotherSizeIsRejected) {
  const std::string vector = vector_bytes(Vector::Zero(3));
  Vector two = Vector::Ones(2);
  EXPECT_EQ(rejection([&] { StateReader(vector).vector("m", two); }),
            "checkpoint: size of m = 3 is not allowed: it must be 2");
  EXPECT_EQ(two, Vector::Ones(2));

  const std::string matrix = matrix_bytes(Matrix::Zero(2, 3));
  Matrix transposed = Matrix::Ones(3, 2);
  EXPECT_EQ(rejection([&] { StateReader(matrix).matrix("B", transposed); }),
            "checkpoint: size of B = 2 x 3 is not allowed: it must be 3 x 2");

  const std::string empty = vector_bytes({});
  rejection([&] { StateReader(empty).vector("m", two); });
}

TEST(CheckpointState, MissingAndLeftOverBytesAreRejected) {
  const std::string bytes = bytes_of(example());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    State state;
    EXPECT_TRUE(contains(rejection([&] {
                           StateReader reader(std::string_view(bytes).substr(0, size));
                           state.visit(reader);
                         }),
                         "checkpoint: "));
  }
  StateReader left_over("abc");
  EXPECT_EQ(rejection([&] { left_over.finish(); }), "checkpoint: 3 bytes are left over");
}

/// Sizes that only the bytes claim: trying to allocate them would throw std::bad_alloc, which fails the test.
TEST(CheckpointState, ClaimedSizesAreNotBelieved) {
  const std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t half = std::uint64_t{1} << 32;
  for (const std::uint64_t size : {std::uint64_t{9}, std::uint64_t{1} << 60, std::uint64_t{1} << 61, max / 8, max}) {
    const std::string claim = little_endian(1, 8) + 'x' + little_endian(size, 8);
    const std::string numbers(64, '\0');
    Vector vector;
    Matrix matrix;
    std::string words;
    rejection([&] { StateReader('v' + claim + numbers).vector("x", vector); });
    rejection([&] { StateReader('m' + claim + little_endian(1, 8) + numbers).matrix("x", matrix); });
    rejection([&] { StateReader('m' + claim + little_endian(size, 8) + numbers).matrix("x", matrix); });
    if (size > numbers.size()) rejection([&] { StateReader('t' + claim + numbers).text("x", words); });
    rejection([&] { StateReader('t' + little_endian(size, 8)).text("x", words); });
    EXPECT_EQ(vector.size() + matrix.size(), 0);
  }
  Matrix matrix;
  const std::string product_overflows =
      'm' + little_endian(1, 8) + 'x' + little_endian(half, 8) + little_endian(half, 8) + std::string(64, '\0');
  rejection([&] { StateReader(product_overflows).matrix("x", matrix); });
  const std::string negative_rows =
      'm' + little_endian(1, 8) + 'x' + little_endian(max, 8) + little_endian(0, 8) + std::string(64, '\0');
  rejection([&] { StateReader(negative_rows).matrix("x", matrix); });
}

/// A field of any type made of numbers that RapidCheck can generate, show and shrink: type and shape, name, contents.
using RawField = std::tuple<std::uint8_t, std::string, std::vector<std::uint64_t>>;

class Field {
 public:
  explicit Field(const RawField& raw) : type_(std::get<0>(raw) % 5), name_(std::get<1>(raw)) {
    const auto& contents = std::get<2>(raw);
    vector_.resize(static_cast<Index>(contents.size()));
    for (std::size_t i = 0; i < contents.size(); ++i) {
      vector_[static_cast<Index>(i)] = std::bit_cast<double>(contents[i]);
      words_.push_back(static_cast<char>(contents[i] & 0xff));
    }
    if (!contents.empty()) {
      scalar_ = vector_[0];
      integer_ = static_cast<std::int64_t>(contents[0]);
    }
    const Index columns = std::get<0>(raw) / 5 % 4;
    const Index rows = columns == 0 ? 3 : vector_.size() / columns;
    matrix_ = Eigen::Map<const Matrix>(vector_.data(), rows, columns);
  }

  void visit(StateVisitor& visitor) {
    switch (type_) {
      case 0: return visitor.scalar(name_, scalar_);
      case 1: return visitor.vector(name_, vector_);
      case 2: return visitor.matrix(name_, matrix_);
      case 3: return visitor.integer(name_, integer_);
      default: return visitor.text(name_, words_);
    }
  }

  /// The same type and name without the contents.
  [[nodiscard]] Field blank() const { return Field({type_, name_, {}}); }

  /// The same type, name and size with other contents.
  [[nodiscard]] Field cleared() const {
    Field field = *this;
    field.scalar_ = 42;
    field.vector_.setConstant(42);
    field.matrix_.setConstant(42);
    field.integer_ = 42;
    field.words_ = "42";
    return field;
  }

  /// Whether the part that the type shows is the same.
  [[nodiscard]] bool shows_the_same(const Field& other) const {
    StateWriter mine;
    StateWriter others;
    Field(*this).visit(mine);
    Field(other).visit(others);
    return mine.bytes() == others.bytes();
  }

 private:
  std::uint8_t type_;
  std::string name_;
  double scalar_ = 0;
  Vector vector_;
  Matrix matrix_;
  std::int64_t integer_ = 0;
  std::string words_;
};

std::string bytes_of_fields(const std::vector<RawField>& raw) {
  StateWriter writer;
  for (const RawField& one : raw) Field(one).visit(writer);
  return writer.bytes();
}

RC_GTEST_PROP(CheckpointProperty, AnySequenceOfFieldsRoundTripsInPlace, (const std::vector<RawField>& raw)) {
  const std::string bytes = unseal(seal(bytes_of_fields(raw)));
  StateReader reader(bytes);
  for (const RawField& one : raw) {
    Field restored = Field(one).cleared();
    restored.visit(reader);
    RC_ASSERT(restored.shows_the_same(Field(one)));
  }
  reader.finish();
}

RC_GTEST_PROP(CheckpointProperty, AnySequenceOfFieldsRoundTripsIntoBlankOnes, (const std::vector<RawField>& raw)) {
  const std::string bytes = bytes_of_fields(raw);
  StateReader reader(bytes);
  for (const RawField& one : raw) {
    Field restored = Field(one).blank();
    restored.visit(reader);
    RC_ASSERT(restored.shows_the_same(Field(one)));
  }
  reader.finish();
}

/// Restores or throws std::invalid_argument, nothing else.
void try_to_restore(std::string_view bytes, const std::vector<RawField>& raw) {
  try {
    StateReader reader(bytes);
    for (const RawField& one : raw) Field(one).blank().visit(reader);
    reader.finish();
  } catch (const std::invalid_argument&) {
  }
}

RC_GTEST_PROP(CheckpointProperty, DamagedStateIsRestoredOrRejected, (const std::vector<RawField>& raw)) {
  std::string bytes = bytes_of_fields(raw);
  RC_PRE(!bytes.empty());
  bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  try_to_restore(bytes, raw);
  try_to_restore(bytes.substr(0, *rc::gen::inRange<std::size_t>(0, bytes.size())), raw);
}

}  // namespace
}  // namespace surefoot
