#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "problems/practical/families.hpp"
#include "problems/practical/made_up_data.hpp"

namespace surefoot::practical {
namespace {

constexpr std::size_t days = 1000;

/// The demand: whole pieces from 0 to 20 a day, more on the first two days of a week of five.
const std::array<double, days>& demand() {
  static const auto pieces = [] {
    std::array<double, days> all{};
    MadeUpData numbers(3);
    for (std::size_t day = 0; day < days; ++day) {
      const double mean = day % 5 < 2 ? 14 : 8;
      all[day] = std::clamp(std::round(mean + 3 * numbers.normal()), 0.0, 20.0);
    }
    return all;
  }();
  return pieces;
}

/// Cost a day of the (s, S) policy [Zipkin2000]: as soon as the pieces in stock and on their way fall to s, order up to
/// S, which takes four days. A piece in stock overnight costs 1, one that is owed 20, an order 60. x: s and S, rounded
/// to whole pieces.
double inventory(const double* x, Index /*d*/) {
  constexpr std::size_t lead_time = 4;
  const double reorder = std::round(x[0]);
  const double full = std::max(std::round(x[1]), reorder + 1);
  std::array<double, lead_time> arriving{};  // by day, in a ring
  double stock = full;
  double position = full;  // pieces in stock and on their way
  double cost = 0;
  for (std::size_t day = 0; day < days; ++day) {
    double& today = arriving[day % lead_time];
    stock += today - demand()[day];
    position -= demand()[day];
    today = 0;
    if (position <= reorder) {
      today = full - position;
      position = full;
      cost += 60;
    }
    cost += stock > 0 ? stock : -20 * stock;
  }
  return cost / days;
}

/// Minus the flow through a borehole in m^3 a year [Harper1983]. x: its radius and radius of influence, transmissivity
/// and head of the upper aquifer, of the lower one, length and conductivity of the borehole.
double borehole(const double* x, Index /*d*/) {
  const double spread = elementary::log(x[1] / x[0]);
  const double resistance = spread * (1 + x[2] / x[4]) + 2 * x[6] * x[2] / (square(x[0]) * x[7]);
  return -2 * std::numbers::pi * x[2] * (x[3] - x[5]) / resistance;
}

}  // namespace

Rows plateaus_and_corners() {
  return {
      {"inventory",
       "When to order, and how much",
       "Two levels of a stock, in whole pieces, over 1000 days of demand. The value is a staircase with small bumps: "
       "nothing changes in a neighbourhood of almost every point.",
       "Zipkin2000",
       {Vector{{0, 0}}, Vector{{150, 300}}},
       inventory,
       120.734,
       39.408,
       Vector{{42.0, 77.0}}},
      {"borehole",
       "The largest flow through a borehole",
       "Eight quantities between 0.05 and 115600, each within its own range. The flow grows or falls with each of "
       "them, "
       "so the optimum is a corner of the box.",
       "Harper1983",
       {Vector{{0.05, 100, 63070, 990, 63.1, 700, 1120, 9855}},
        Vector{{0.15, 50000, 115600, 1110, 116, 820, 1680, 12045}}},
       borehole,
       -73.17622509638474,
       -309.5755876604079,
       Vector{{0.15, 100.0, 115600.0, 1110.0, 116.0, 700.0, 1120.0, 12045.0}}},
  };
}

}  // namespace surefoot::practical
