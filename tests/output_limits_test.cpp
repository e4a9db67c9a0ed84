// Limits on outputs: their texts, the constraints that they become, and back.

#include "driver/merit/output_limits.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace surefoot {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(OutputLimits, ReadsTheirTexts) {
  struct Case {
    std::string text;
    double low;
    double high;
    std::string shown;
  };
  const std::vector<Case> cases = {{"gain=39.5..40.5", 39.5, 40.5, "gain = 39.5..40.5"},
                                   {"gain = -1e-3 .. 2m", -1e-3, 2e-3, "gain = -0.001..0.002"},
                                   {"vc=6..", 6, infinity, "vc >= 6"},
                                   {"vc=..7", -infinity, 7, "vc <= 7"},
                                   {"vc<=7", -infinity, 7, "vc <= 7"},
                                   {"vc < 7", -infinity, 7, "vc <= 7"},
                                   {"vc>=4.7k", 4700, infinity, "vc >= 4700"}};
  for (const Case& c : cases) {
    const Limit limit = limit_from_text(c.text);
    EXPECT_EQ(limit.low, c.low) << c.text;
    EXPECT_EQ(limit.high, c.high) << c.text;
    EXPECT_EQ(text_of(limit), c.shown);
  }
  for (const char* wrong : {"", "gain", "=1..2", "gain=", "gain=..", "gain=1", "gain=2..1", "gain=1..1", "gain=1..nan",
                            "gain<=inf", "gain<=", "gain==3", "gain<=1..2"}) {
    EXPECT_THROW(limit_from_text(wrong), std::invalid_argument) << wrong;
  }
}

TEST(OutputLimits, OfOneOutputAreMergedByTheirSides) {
  std::vector<Limit> limits;
  add_limit(limit_from_text("vc>=6"), limits);
  add_limit(limit_from_text("gain<=2"), limits);
  add_limit(limit_from_text("vc<=7"), limits);
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(text_of(limits[0]), "vc = 6..7");
  EXPECT_EQ(constraint_names_of(limits), (std::vector<std::string>{"vc >= 6", "vc <= 7", "gain <= 2"}));
  EXPECT_THROW(add_limit(limit_from_text("vc<=8"), limits), std::invalid_argument);
  EXPECT_THROW(add_limit(limit_from_text("gain>=3"), limits), std::invalid_argument);
}

TEST(OutputLimits, BecomeConstraintsOfTheirOwnScaleAndComeBack) {
  const std::vector<Limit> limits = {{"gain", 39, 41}, {"ic", -infinity, 4e-3}, {"vc", 0, infinity}};
  std::vector<double> g;
  append_constraints(limits[0], 42, g);    // the width is 2
  append_constraints(limits[1], 3e-3, g);  // its value is the scale
  append_constraints(limits[2], -0.5, g);  // 0 has no scale
  EXPECT_EQ(g, (std::vector<double>{-1.5, 0.5, -0.25, 0.5}));
  const Vector multipliers = (Vector(4) << 0, 3, 0.2, 5).finished();
  const std::vector<LimitState> states = states_of(limits, g, multipliers);
  ASSERT_EQ(states.size(), 3U);
  EXPECT_EQ(states[0].value, 42);
  EXPECT_EQ(states[0].excess, 1);
  EXPECT_EQ(*states[0].multiplier, 1.5);  // 3 for a distance of 2
  EXPECT_EQ(states[1].value, 3e-3);
  EXPECT_EQ(states[1].excess, 0);
  EXPECT_EQ(*states[1].multiplier, 50);
  EXPECT_EQ(states[2].value, -0.5);
  EXPECT_EQ(states[2].excess, 0.5);
  EXPECT_FALSE(states_of(limits, g, {})[0].multiplier);
  EXPECT_TRUE(states_of(limits, {}, {}).empty());
}

}  // namespace
}  // namespace surefoot
