#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "problems/practical/families.hpp"
#include "problems/practical/runge_kutta.hpp"

namespace surefoot::practical {
namespace {

/// Time-weighted absolute error [AstromHagglund2006] of y'' + 0.6 y' + y = u(t - 0.4) + load, |u| <= 3, after a step
/// of the set point at 0 s and one of the load at 12 s. x: proportional, integral and derivative gain.
double pid(const double* x, Index /*d*/) {
  constexpr double dt = 0.04;
  constexpr int steps = 600;
  constexpr int load_step = 300;
  constexpr std::size_t delay = 10;
  constexpr double limit = 3;
  constexpr double filter = 0.1;  // seconds, of the derivative
  std::array<double, delay> pipe{};
  State<2> y = {0, 0};
  double integral = 0;
  double filtered = 0;  // output, for the derivative
  double cost = 0;
  for (int step = 0; step < steps; ++step) {
    const double error = 1 - y[0];
    const double derivative = (y[0] - filtered) / filter;
    filtered += dt * derivative;
    const double wanted = x[0] * error + x[1] * integral - x[2] * derivative;
    const double u = std::clamp(wanted, -limit, limit);
    if (u == wanted) integral += dt * error;  // no wind-up while the actuator is at its limit
    double& slot = pipe[static_cast<std::size_t>(step) % delay];
    const double force = slot + (step >= load_step ? -0.5 : 0);
    slot = u;
    y = runge_kutta_step(y, dt, [force](const State<2>& s) { return State<2>{s[1], force - 0.6 * s[1] - s[0]}; });
    cost += dt * dt * (step % load_step) * std::abs(error);
  }
  return cost;
}

/// The cart-pole of [Barto1983] without friction: 1 kg cart, 0.1 kg pole of 1 m, force up to 10 N. x: gains of
/// position, velocity, angle and angular velocity.
double cart_pole(const double* x, Index /*d*/) {
  constexpr double dt = 0.025;
  constexpr int steps = 240;
  constexpr double gravity = 9.8;
  constexpr double mass = 1.1;
  constexpr double pole = 0.1;
  constexpr double half_length = 0.5;
  State<4> s = {0, 0, 0.25, 0};
  double cost = 0;
  for (int step = 0; step < steps; ++step) {
    const double force = std::clamp(x[0] * s[0] + x[1] * s[1] + x[2] * s[2] + x[3] * s[3], -10.0, 10.0);
    const auto slope = [force](const State<4>& y) {
      const double sine = elementary::sin(y[2]);
      const double cosine = elementary::cos(y[2]);
      const double push = (force + pole * half_length * square(y[3]) * sine) / mass;
      const double angular =
          (gravity * sine - cosine * push) / (half_length * (4.0 / 3 - pole * square(cosine) / mass));
      return State<4>{y[1], push - pole * half_length * angular * cosine / mass, y[3], angular};
    };
    s = runge_kutta_step(s, dt, slope);
    // A controller that lets the pole fall, or leaves the track, is judged only by when it does so.
    if (std::abs(s[2]) > std::numbers::pi / 2 || std::abs(s[0]) > 2.4) return 10 + 10.0 * (steps - step) / steps;
    cost += dt * (square(s[0]) + 10 * square(s[2]) + 0.01 * square(force));
  }
  return cost;
}

/// A trolley with a load on a rope of 5 m goes 6 m in 6 s, which is too short for coming to rest without swinging. x is
/// its acceleration in 30 equal intervals. The value is the weighted distance from rest at the goal.
double crane(const double* x, Index d) {
  constexpr double seconds = 6;
  constexpr double rope = 5;
  constexpr double gravity = 9.81;
  constexpr int steps = 3;    // in each interval
  State<4> s = {0, 0, 0, 0};  // position, velocity, angle, angular velocity
  const double dt = seconds / static_cast<double>(d) / steps;
  for (Index i = 0; i < d; ++i) {
    const auto slope = [a = x[i]](const State<4>& y) {
      return State<4>{y[1], a, y[3], -(gravity * elementary::sin(y[2]) + a * elementary::cos(y[2])) / rope};
    };
    for (int step = 0; step < steps; ++step) s = runge_kutta_step(s, dt, slope);
  }
  return square(s[0] - 6) + square(s[1]) + square(rope * s[2]) + square(rope * s[3]);
}

}  // namespace

Rows controllers() {
  return {
      {"pid",
       "A PID controller",
       "Three gains for a slow oscillator behind a delay and an actuator with limits. Much of the box makes the loop "
       "oscillate between the limits.",
       "AstromHagglund2006",
       {Vector::Zero(3), Vector{{10, 10, 10}}},
       pid,
       58.39323471228148,
       2.9271966144115558,
       Vector{{1.359794649353919, 0.9309950755270717, 1.3973373701048228}}},
      {"cart-pole",
       "Balancing a pole",
       "Four gains of a state feedback that balances a pole on a cart. Almost all of the box lets it fall, and there "
       "the value only says when: steps, without a slope.",
       "Barto1983",
       {Vector{{-20, -20, -100, -50}}, Vector{{20, 20, 100, 50}}},
       cart_pole,
       19.125,
       0.4417863231369648,
       Vector{{8.007191781430997, 9.1839064198021, 62.727686459251146, 14.635134381765823}}},
      {"crane",
       "A crane in a hurry",
       "Thirty accelerations of a trolley that has too little time to bring its load to rest. The best drive switches "
       "between the limits, so most coordinates end on a bound.",
       "Sakawa1982",
       {Vector::Constant(30, -0.8), Vector::Constant(30, 0.8)},
       crane,
       35.44125365638477,
       0.004342535610669083,
       Vector{{0.8,
               0.8,
               0.8,
               0.8,
               0.8,
               0.8,
               0.8,
               0.8,
               0.8,
               0.8,
               -0.06037777687204349,
               -0.8,
               -0.8,
               -0.8,
               -0.8,
               0.737478531354337,
               0.8,
               0.8,
               0.8,
               0.41805379603388987,
               -0.8,
               -0.8,
               -0.8,
               -0.8,
               -0.8,
               -0.8,
               -0.8,
               -0.8,
               -0.8,
               -0.8}}},
  };
}

}  // namespace surefoot::practical
