// State to bytes and back, the container around it, and the file on the disk.
// RC_PARAMS="seed=1" in the environment makes the properties' random cases the same in every run.

#include "driver/checkpoint_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "driver/checkpoint_container.hpp"
#include "driver/state_bytes.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;

/// The message of the std::invalid_argument that action throws; "" and a failure if it throws none.
std::string rejection(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

std::string writing_failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

bool rejects(const std::string& bytes) {
  try {
    unseal(bytes);
    return false;
  } catch (const std::invalid_argument&) {
    return true;
  }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<std::uint64_t> bits(const auto& numbers) {
  std::vector<std::uint64_t> result;
  for (Index i = 0; i < numbers.size(); ++i) result.push_back(std::bit_cast<std::uint64_t>(numbers.data()[i]));
  return result;
}

/// One of each type.
struct State {
  double sigma = 0;
  Vector m;
  Matrix B;
  std::int64_t generation = 0;
  std::string strategy;

  void visit(StateVisitor& visitor) {
    visitor.scalar("sigma", sigma);
    visitor.vector("m", m);
    visitor.matrix("B, by columns", B);
    visitor.integer("generation", generation);
    visitor.text("strategy", strategy);
  }
};

State example() {
  return {.sigma = 0.1,
          .m = Vector{{1, -2.5, 3}},
          .B = Matrix{{1, 2, 3}, {4, 5, 6}},
          .generation = -7,
          .strategy = std::string("x\0nes\n", 6)};
}

std::string bytes_of(auto state) {
  StateWriter writer;
  state.visit(writer);
  return writer.bytes();
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

std::string little_endian(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  return bytes;
}

/// A container made by hand, as its documentation says.
std::string container(std::uint32_t format, const std::string& writer, const std::string& payload) {
  const std::string header = "surefoot checkpoint\n" + little_endian(format, 4) + little_endian(writer.size(), 4) +
                             writer + little_endian(payload.size(), 8);
  return header + little_endian(crc64(header + payload), 8) + payload;
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

RC_GTEST_PROP(CheckpointProperty, AnyPayloadRoundTrips, (const std::string& payload)) {
  RC_ASSERT(unseal(seal(payload)) == payload);
}

RC_GTEST_PROP(CheckpointProperty, AnyBitFlipIsFound, (const std::string& payload)) {
  std::string bytes = seal(payload);
  const auto bit = *rc::gen::inRange<std::size_t>(0, 8 * bytes.size());
  bytes[bit / 8] = static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) ^ (1U << (bit % 8)));
  RC_ASSERT(rejects(bytes));
}

RC_GTEST_PROP(CheckpointProperty, AnyTruncationIsFound, (const std::string& payload)) {
  const std::string bytes = seal(payload);
  RC_ASSERT(rejects(bytes.substr(0, *rc::gen::inRange<std::size_t>(0, bytes.size()))));
}

RC_GTEST_PROP(CheckpointProperty, AnythingAppendedIsFound, (const std::string& payload, const std::string& more)) {
  RC_PRE(!more.empty());
  RC_ASSERT(rejects(seal(payload) + more));
}

RC_GTEST_PROP(CheckpointProperty, RandomBytesAreNeverAccepted, (const std::string& bytes)) {
  RC_ASSERT(rejects(bytes));
  RC_ASSERT(rejects("surefoot checkpoint\n" + bytes));
  RC_ASSERT(rejects("surefoot checkpoint\n" + little_endian(1, 4) + little_endian(0, 4) + bytes));
}

/// The check value of the catalogue of CRCs, and of the concatenation.
TEST(CheckpointContainer, ChecksumIsCrc64Xz) {
  EXPECT_EQ(crc64("123456789"), 0x995dc9bbdf1939faU);
  EXPECT_EQ(crc64("56789", crc64("1234")), 0x995dc9bbdf1939faU);
  EXPECT_EQ(crc64(""), 0U);
}

TEST(CheckpointContainer, BytesAreTheDocumentedOnes) {
  const std::string payload("pay\0load", 8);
  EXPECT_EQ(seal(payload), container(checkpoint_format, version, payload));
  EXPECT_EQ(unseal(container(checkpoint_format, "0.0.1", "of an older version")), "of an older version");
  EXPECT_EQ(unseal(seal("")), "");
}

TEST(CheckpointContainer, EveryBitFlipIsFound) {
  const std::string good = seal(bytes_of(example()));
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bytes = good;
    bytes[bit / 8] = static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) ^ (1U << (bit % 8)));
    EXPECT_TRUE(rejects(bytes)) << "bit " << bit;
  }
}

TEST(CheckpointContainer, EveryTruncationIsCalledOne) {
  const std::string good = seal("the state");
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_TRUE(rejection([&] { unseal(good.substr(0, size)); }).starts_with("truncated checkpoint: ")) << size;
  }
  EXPECT_EQ(rejection([&] { unseal(good.substr(0, good.size() - 2)); }),
            "truncated checkpoint: 7 of 9 bytes of state are there");
}

TEST(CheckpointContainer, DamageIsCalledDamage) {
  std::string bytes = seal("the state");
  EXPECT_EQ(rejection([&] { unseal(bytes + "?"); }), "damaged checkpoint: 1 bytes too many");
  bytes.back() = '?';
  EXPECT_EQ(rejection([&] { unseal(bytes); }), "damaged checkpoint: its checksum is wrong");
  EXPECT_TRUE(contains(rejection([] { unseal(container(0, "0.0.0", "")); }), "damaged checkpoint: "));
}

TEST(CheckpointContainer, ForeignBytesAreCalledForeign) {
  for (const std::string& foreign :
       {std::string("\x7f"
                    "ELF\2\1\1",
                    7),
        std::string("{\"sigma\": 1}"), std::string(1000, '\0'), std::string("surefoot checkpoint\r\n")}) {
    EXPECT_EQ(rejection([&] { unseal(foreign); }), "not a Surefoot checkpoint");
  }
}

TEST(CheckpointContainer, NewerVersionIsNamed) {
  EXPECT_EQ(rejection([] { unseal(container(7, "9.8.7", "?")); }),
            std::string("checkpoint of a newer version: Surefoot 9.8.7 wrote it in format 7, this is Surefoot ") +
                version + " and reads format 3");
  EXPECT_TRUE(contains(rejection([] { unseal(container(1, "0.1.0", "?")); }),
                       "older version: Surefoot 0.1.0 wrote it in format 1"));
  EXPECT_TRUE(contains(rejection([] { unseal(container(7, "\x1b[31m", "?")); }), "Surefoot ?[31m wrote"));
  std::string damaged = container(7, "9.8.7", "?");
  damaged.back() = '!';
  EXPECT_EQ(rejection([&] { unseal(damaged); }), "damaged checkpoint: its checksum is wrong");
}

class CheckpointFile : public testing::Test {
 protected:
  CheckpointFile() : folder_(fs::temp_directory_path() / ("surefoot checkpoint " + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~CheckpointFile() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    fs::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  [[nodiscard]] fs::path previous() const { return file_.string() + ".prev"; }

  static void put(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  const fs::path folder_;
  const fs::path file_ = folder_ / "run.checkpoint";
};

TEST_F(CheckpointFile, IsLoadedAsSaved) {
  const std::string payload = bytes_of(example());
  save_checkpoint(file_, payload);
  EXPECT_EQ(load_checkpoint(file_), payload);
  EXPECT_EQ(files(), 1U) << "no temporary file, no previous one";
}

TEST_F(CheckpointFile, LargePayload) {
  const std::string payload(10'000'000, 'x');
  save_checkpoint(file_, payload);
  EXPECT_EQ(load_checkpoint(file_), payload);
}

TEST_F(CheckpointFile, ObeysTheUmask) {
  const mode_t before = ::umask(027);
  save_checkpoint(file_, "state");
  ::umask(before);
  EXPECT_EQ(fs::status(file_).permissions(), fs::perms(0640));
}

TEST_F(CheckpointFile, InTheCurrentFolderNeedsNoFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  save_checkpoint("here", "1");
  save_checkpoint("here", "2");
  const std::string loaded = load_checkpoint("here");
  const std::string loaded_previous = load_checkpoint("here.prev");
  fs::current_path(before);
  EXPECT_EQ(loaded, "2");
  EXPECT_EQ(loaded_previous, "1");
}

TEST_F(CheckpointFile, KeepsThePreviousOne) {
  save_checkpoint(file_, "1");
  save_checkpoint(file_, "2");
  EXPECT_EQ(load_checkpoint(file_), "2");
  EXPECT_EQ(load_checkpoint(previous()), "1");
  save_checkpoint(file_, "3");
  EXPECT_EQ(load_checkpoint(file_), "3");
  EXPECT_EQ(load_checkpoint(previous()), "2");
  EXPECT_EQ(files(), 2U);
}

/// Two names of one file: rename between them does nothing and reports success.
TEST_F(CheckpointFile, PreviousMayBeTheSameFile) {
  save_checkpoint(file_, "1");
  fs::create_hard_link(file_, previous());
  save_checkpoint(file_, "2");
  EXPECT_EQ(load_checkpoint(file_), "2");
  EXPECT_EQ(load_checkpoint(previous()), "1");
  EXPECT_EQ(files(), 2U);
}

/// A reader that holds the old file open, or a backup by hard link, keeps the old contents.
TEST_F(CheckpointFile, IsNeverWrittenInPlace) {
  save_checkpoint(file_, "1");
  fs::create_hard_link(file_, folder_ / "backup");
  save_checkpoint(file_, "2");
  EXPECT_EQ(load_checkpoint(folder_ / "backup"), "1");
}

TEST_F(CheckpointFile, StaleTemporariesDoNotHurt) {
  // Names that this process is about to use; which numbers come next depends on the tests before.
  for (int i = 0; i < 200; ++i)
    put(file_.string() + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(i), "?");
  save_checkpoint(file_, "1");
  save_checkpoint(file_, "2");
  EXPECT_EQ(load_checkpoint(file_), "2");
  EXPECT_EQ(load_checkpoint(previous()), "1");
  EXPECT_EQ(files(), 202U) << "what others left behind is theirs";
}

TEST_F(CheckpointFile, DamageIsReportedWithTheIntactPreviousOne) {
  save_checkpoint(file_, "1");
  save_checkpoint(file_, "2");
  put(file_, seal("2") + "?");
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }),
            file_.string() + ": damaged checkpoint: 1 bytes too many; the previous checkpoint " + previous().string() +
                " is intact");
  fs::remove(file_);
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }),
            file_.string() + ": it cannot be read (No such file or directory); the previous checkpoint " +
                previous().string() + " is intact");
  put(file_, "");
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }),
            file_.string() + ": truncated checkpoint: it ends within its header; the previous checkpoint " +
                previous().string() + " is intact");
}

TEST_F(CheckpointFile, DamagedPreviousOneIsNotOffered) {
  put(file_, "");
  put(previous(), seal("1").substr(1));
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }),
            file_.string() + ": truncated checkpoint: it ends within its header");
}

TEST_F(CheckpointFile, DamagedFileIsReplaced) {
  put(file_, "rubbish");
  save_checkpoint(file_, "1");
  EXPECT_EQ(load_checkpoint(file_), "1");
  EXPECT_EQ(rejection([&] { load_checkpoint(previous()); }), previous().string() + ": not a Surefoot checkpoint");
}

TEST_F(CheckpointFile, ForeignFilesAreNamed) {
  EXPECT_EQ(rejection([] { load_checkpoint("/proc/self/exe"); }), "/proc/self/exe: not a Surefoot checkpoint");
  put(file_, "sigma = 1\n");
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }), file_.string() + ": not a Surefoot checkpoint");
  put(file_, container(4, "1.0", "?"));
  EXPECT_TRUE(
      contains(rejection([&] { load_checkpoint(file_); }), ": checkpoint of a newer version: Surefoot 1.0 wrote"));
}

/// A terabyte that takes no room on the disk: only its start is read.
TEST_F(CheckpointFile, HugeForeignFileIsNotRead) {
  put(file_, "");
  if (::truncate(file_.c_str(), off_t{1} << 40) != 0) GTEST_SKIP() << "no sparse files here";
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }), file_.string() + ": not a Surefoot checkpoint");
}

TEST_F(CheckpointFile, WhatIsNoFileIsNotRead) {
  EXPECT_EQ(rejection([&] { load_checkpoint(folder_); }), folder_.string() + ": it cannot be read (Is a directory)");
  EXPECT_EQ(rejection([] { load_checkpoint("/dev/zero"); }), "/dev/zero: it is not a regular file");
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }), file_.string() + ": it is not a regular file");
}

TEST_F(CheckpointFile, WhatIsNoFileIsNotReplaced) {
  fs::create_directory(file_);
  EXPECT_EQ(writing_failure([&] { save_checkpoint(file_, "1"); }),
            file_.string() + " cannot be written (Is a directory)");
  EXPECT_TRUE(fs::is_directory(file_));
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(writing_failure([] { save_checkpoint("/dev/null", "1"); }),
            "/dev/null cannot be written (it is not a regular file)");
  EXPECT_TRUE(contains(writing_failure([] { save_checkpoint("", "1"); }), "cannot be written"));
}

TEST_F(CheckpointFile, FailureAtTheLastStepLeavesNoTemporary) {
  save_checkpoint(file_, "1");
  fs::create_directory(previous());
  EXPECT_EQ(writing_failure([&] { save_checkpoint(file_, "2"); }),
            previous().string() + " cannot be written (Is a directory)");
  EXPECT_EQ(load_checkpoint(file_), "2");
  EXPECT_EQ(files(), 2U);
}

TEST_F(CheckpointFile, MissingFolderIsReported) {
  const fs::path nowhere = folder_ / "missing" / "run.checkpoint";
  EXPECT_EQ(writing_failure([&] { save_checkpoint(nowhere, "1"); }),
            nowhere.string() + " cannot be written (No such file or directory)");
  put(folder_ / "missing", "a file");
  EXPECT_EQ(writing_failure([&] { save_checkpoint(nowhere, "1"); }),
            nowhere.string() + " cannot be written (Not a directory)");
}

TEST_F(CheckpointFile, TooLongNameIsReported) {
  // The second is short enough itself, but its temporary file's name is not.
  for (const std::size_t length : {std::size_t{300}, std::size_t{254}}) {
    const fs::path longer = folder_ / std::string(length, 'x');
    EXPECT_EQ(writing_failure([&] { save_checkpoint(longer, "1"); }),
              longer.string() + " cannot be written (File name too long)");
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(CheckpointFile, UnwritableFolderIsReported) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  save_checkpoint(file_, "1");
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(writing_failure([&] { save_checkpoint(file_, "2"); }),
            file_.string() + " cannot be written (Permission denied)");
  EXPECT_EQ(load_checkpoint(file_), "1");
}

/// A limit on the size of files in place of a full disk: the write comes up short, then fails.
TEST_F(CheckpointFile, FailedWriteLeavesEverythingAsItWas) {
  save_checkpoint(file_, "1");
  save_checkpoint(file_, "2");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = writing_failure([&] { save_checkpoint(file_, std::string(5000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, file_.string() + " cannot be written (File too large)");
  EXPECT_EQ(load_checkpoint(file_), "2");
  EXPECT_EQ(load_checkpoint(previous()), "1");
  EXPECT_EQ(files(), 2U) << "the temporary file is gone";
}

}  // namespace
}  // namespace surefoot
