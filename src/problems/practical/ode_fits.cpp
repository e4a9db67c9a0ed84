#include <array>
#include <cmath>
#include <limits>

#include "core/elementary/elementary.hpp"
#include "problems/practical/families.hpp"
#include "problems/practical/runge_kutta.hpp"

namespace surefoot::practical {
namespace {

constexpr double failed_fit = std::numeric_limits<double>::infinity();

/// Thousands of pelts that the Hudson's Bay Company bought in 1900 to 1920 [Howard2009]: hares and lynxes.
constexpr std::array<std::array<double, 2>, 21> pelts = {
    {{30, 4},      {47.2, 6.1},  {70.2, 9.8},  {77.4, 35.2}, {36.3, 59.4}, {20.6, 41.7}, {18.1, 19},
     {21.4, 13},   {22, 8.3},    {25.4, 9.1},  {27.1, 7.4},  {40.3, 8},    {57, 12.3},   {76.6, 19.5},
     {52.3, 45.7}, {19.5, 51.1}, {11.2, 29.7}, {7.6, 15.8},  {14.6, 9.7},  {16.2, 10.1}, {24.7, 8.6}}};

/// Sum of squared logarithms of model over data. x: growth and death by predation of hares, death and growth by
/// predation of lynxes, hares and lynxes in 1900.
double predator_prey(const double* x, Index /*d*/) {
  constexpr int steps_a_year = 20;
  constexpr double one_pelt = 1e-3;  // fewer are not counted
  const auto slope = [x](const State<2>& y) {
    return State<2>{(x[0] - x[1] * y[1]) * y[0], (-x[2] + x[3] * y[0]) * y[1]};
  };
  State<2> y = {x[4], x[5]};
  double sum = 0;
  for (std::size_t year = 0; year < pelts.size(); ++year) {
    for (int step = 0; year > 0 && step < steps_a_year; ++step) y = runge_kutta_step(y, 1.0 / steps_a_year, slope);
    for (std::size_t i = 0; i < 2; ++i) {
      if (!(y[i] >= 0 && y[i] < 1e9)) return failed_fit;  // the integration has lost the solution
      sum += square(elementary::log(std::max(y[i], one_pelt) / pelts[year][i]));
    }
  }
  return sum;
}

/// Boys in bed on 14 days of an influenza in an English boarding school of 763 [BMJ1978].
constexpr std::array<double, 14> boys_in_bed = {3, 8, 26, 76, 225, 298, 258, 233, 189, 128, 68, 29, 14, 4};

/// Sum of squares. x: infections per susceptible, infected boy and day; recoveries per day; infected and susceptible
/// boys on the day before.
double influenza(const double* x, Index /*d*/) {
  constexpr int steps_a_day = 20;
  const auto slope = [x](const State<2>& y) {
    const double infections = x[0] * y[0] * y[1];
    return State<2>{-infections, infections - x[1] * y[1]};
  };
  State<2> y = {x[3], x[2]};
  double sum = 0;
  for (const double observed : boys_in_bed) {
    for (int step = 0; step < steps_a_day; ++step) y = runge_kutta_step(y, 1.0 / steps_a_day, slope);
    sum += square(y[1] - observed);
  }
  return std::isfinite(sum) ? sum : failed_fit;
}

/// Minutes, and percentages of alpha-pinene, dipentene, allo-ocimene, pyronene and dimer [Box1973].
struct PineneSample {
  double minutes;
  std::array<double, 5> percent;
};
constexpr std::array<PineneSample, 8> pinene_samples = {{{1230, {88.35, 7.3, 2.3, 0.4, 1.75}},
                                                         {3060, {76.4, 15.6, 4.5, 0.7, 2.8}},
                                                         {4920, {65.1, 23.1, 5.3, 1.1, 5.8}},
                                                         {7800, {50.4, 32.9, 6.0, 1.5, 9.3}},
                                                         {10680, {37.5, 42.7, 6.0, 1.9, 12.0}},
                                                         {15030, {25.9, 49.1, 5.9, 2.2, 17.0}},
                                                         {22620, {14.0, 57.4, 5.1, 2.6, 21.0}},
                                                         {36420, {4.5, 63.1, 3.8, 2.9, 25.7}}}};

/// Sum of squares. x: five rates per minute.
double pinene(const double* x, Index /*d*/) {
  constexpr double longest_step = 300;  // minutes; the fastest decay that the box allows takes 500
  const auto slope = [x](const State<5>& y) {
    return State<5>{-(x[0] + x[1]) * y[0], x[0] * y[0], x[1] * y[0] - (x[2] + x[3]) * y[2] + x[4] * y[4], x[2] * y[2],
                    x[3] * y[2] - x[4] * y[4]};
  };
  State<5> y = {100, 0, 0, 0, 0};
  double now = 0;
  double sum = 0;
  for (const PineneSample& sample : pinene_samples) {
    const int steps = static_cast<int>(std::ceil((sample.minutes - now) / longest_step));
    for (int step = 0; step < steps; ++step) y = runge_kutta_step(y, (sample.minutes - now) / steps, slope);
    now = sample.minutes;
    for (std::size_t i = 0; i < 5; ++i) sum += square(y[i] - sample.percent[i]);
  }
  return sum;
}

}  // namespace

Rows ode_fits() {
  return {
      {"predator-prey",
       "Hares and lynxes",
       "Lotka-Volterra rates and first populations from 21 years of pelts. Cycles that are out of step with the data "
       "are local optima, and the rates differ by a factor of thirty.",
       "Howard2009",
       {Vector{{0.05, 0.001, 0.05, 0.001, 1, 1}}, Vector{{2, 0.2, 2, 0.2, 100, 100}}},
       predator_prey,
       1176.583870190912,
       2.0186611955283618,
       Vector{{0.5401589994695102, 0.027165357681013327, 0.7963860459198588, 0.023694638401904666, 34.60242428482234,
               5.844506160915872}}},
      {"influenza",
       "An influenza in a boarding school",
       "A model of susceptible, infected and recovered boys fitted to 14 daily counts. Its parameters are as small as "
       "0.002 and as large as 700, in a curved valley.",
       "BMJ1978",
       {Vector{{1e-4, 0.05, 0.001, 100}}, Vector{{1e-2, 3, 20, 763}}},
       influenza,
       324174.76605733554,
       3589.8298230660807,
       Vector{{0.002343414476256173, 0.4557142687895083, 0.5535050524441076, 763.0}}},
      {"kinetics",
       "Isomerisation of alpha-pinene",
       "Five rates of a reaction network from 40 concentrations over 25 days. All of them lie near a corner of the "
       "box.",
       "Box1973",
       {Vector::Zero(5), Vector::Constant(5, 1e-3)},
       pinene,
       35855.16506494561,
       19.872154651730472,
       Vector{{5.925848803711075e-05, 2.9634021596161015e-05, 2.047283902564821e-05, 0.0002744678919516851,
               3.997949542512488e-05}}},
  };
}

}  // namespace surefoot::practical
