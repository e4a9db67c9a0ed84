// The container around a state.
// RC_PARAMS="seed=1" in the environment makes the properties' random cases the same in every run.

#include "driver/checkpoint/checkpoint_container.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "checkpoint_support.hpp"
#include "driver/atomic_file.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

using test::bytes_of;
using test::container;
using test::contains;
using test::example;
using test::little_endian;
using test::rejection;

bool rejects(const std::string& bytes) {
  try {
    unseal(bytes);
    return false;
  } catch (const std::invalid_argument&) {
    return true;
  }
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

/// The files were written by the programs of these versions.
TEST(CheckpointContainer, OlderVersionsAreRefusedWithAdvice) {
  for (const auto& [file, name, format] : {std::tuple("0_1_0", "0.1.0", 5), std::tuple("0_2_0", "0.2.0", 6)}) {
    const std::string bytes = read_file(SUREFOOT_TEST_DATA "/checkpoints/version_" + std::string(file) + ".sf");
    ASSERT_GT(bytes.size(), 1000U);
    EXPECT_EQ(rejection([&] { unseal(bytes); }),
              std::string("checkpoint of an older version: Surefoot ") + name + " wrote it in format " +
                  std::to_string(format) + ", this is Surefoot " + version +
                  " and reads format 7; finish the search with that version, or start anew from its best point");
  }
}

TEST(CheckpointContainer, NewerVersionIsNamed) {
  EXPECT_EQ(rejection([] { unseal(container(8, "9.8.7", "?")); }),
            std::string("checkpoint of a newer version: Surefoot 9.8.7 wrote it in format 8, this is Surefoot ") +
                version + " and reads format 7");
  EXPECT_TRUE(contains(rejection([] { unseal(container(1, "0.1.0", "?")); }),
                       "older version: Surefoot 0.1.0 wrote it in format 1"));
  EXPECT_TRUE(contains(rejection([] { unseal(container(8, "\x1b[31m", "?")); }), "Surefoot ?[31m wrote"));
  std::string damaged = container(8, "9.8.7", "?");
  damaged.back() = '!';
  EXPECT_EQ(rejection([&] { unseal(damaged); }), "damaged checkpoint: its checksum is wrong");
}

}  // namespace
}  // namespace surefoot
