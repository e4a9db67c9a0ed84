#include <array>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "problems/practical/families.hpp"
#include "problems/practical/made_up_data.hpp"

namespace surefoot::practical {
namespace {

constexpr std::size_t moon_points = 40;
constexpr std::size_t hidden = 4;

struct MoonPoint {
  double a;
  double b;
  double label;  // 1 or -1
};

/// Two half circles that reach into each other, with normal noise of 0.15.
const std::array<MoonPoint, moon_points>& moons() {
  static const auto points = [] {
    std::array<MoonPoint, moon_points> all{};
    MadeUpData noise(1);
    for (std::size_t i = 0; i < moon_points; ++i) {
      const std::size_t pair = i / 2;
      const double angle = std::numbers::pi * static_cast<double>(pair) / (moon_points / 2.0 - 1);
      const bool upper = i % 2 == 0;
      const double a = upper ? elementary::cos(angle) : 1 - elementary::cos(angle);
      const double b = upper ? elementary::sin(angle) : 0.5 - elementary::sin(angle);
      const double noise_a = 0.15 * noise.normal();
      all[i] = {a + noise_a, b + 0.15 * noise.normal(), upper ? 1.0 : -1.0};
    }
    return all;
  }();
  return points;
}

/// Mean cross-entropy of a 2-4-1 network with tanh units, and a weight decay. x: two weights and an offset of each
/// unit, the weights of the output and its offset.
double neural_network(const double* x, Index d) {
  constexpr double decay = 1e-3;
  double loss = 0;
  for (const MoonPoint& point : moons()) {
    double output = x[4 * hidden];
    for (std::size_t h = 0; h < hidden; ++h) {
      output += x[3 * hidden + h] * elementary::tanh(x[3 * h] * point.a + x[3 * h + 1] * point.b + x[3 * h + 2]);
    }
    const double margin = point.label * output;
    loss += std::max(-margin, 0.0) + elementary::log1p(elementary::exp(-std::abs(margin)));  // log(1 + exp(-margin))
  }
  double squares = 0;
  for (Index i = 0; i < d; ++i) squares += square(x[i]);
  return loss / moon_points + decay * squares;
}

}  // namespace

Rows networks() {
  return {{"neural-network",
           "A small neural network",
           "The 17 weights of a network that tells two interleaved half circles apart. Units can be exchanged and "
           "change signs, so every optimum comes in 384 copies with saddles between them, and units saturate.",
           "Bishop2006",
           {Vector::Constant(17, -10), Vector::Constant(17, 10)},
           neural_network,
           5.129455906655586,
           0.16851666291801493,
           Vector{{0.454683901317777, -0.5762363931899621, -0.0633229049482137, 2.2929048026987715, -0.787456145653354,
                   -3.2352835734268273, -3.118511115128221, 0.7832651498514913, -1.3492070823795799, 3.1449333270838746,
                   2.2988087201936054, -2.361130079548989, -1.2865718936099926, -4.215663132201012, 3.956762854864755,
                   4.4109692423585605, -0.004131545501848673}}}};
}

}  // namespace surefoot::practical
