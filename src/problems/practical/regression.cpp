#include <array>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "problems/practical/families.hpp"

namespace surefoot::practical {
namespace {

/// Resistance of a thermistor at 50, 55, ..., 125 degrees, and the model b1 exp(b2/(t + b3)) [Meyer1970].
constexpr std::array<double, 16> resistances = {34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744,
                                                8261,  7030,  6005,  5147,  4427,  3820,  3307,  2872};

/// Minus the log-likelihood of normal errors of unknown variance, but for a constant: n/2 log(sum of squares/n).
double thermistor(const double* x, Index /*d*/) {
  constexpr double n = resistances.size();
  double sum = 0;
  for (std::size_t i = 0; i < resistances.size(); ++i) {
    sum += square(x[0] * elementary::exp(x[1] / (50 + 5 * static_cast<double>(i) + x[2])) - resistances[i]);
  }
  return n / 2 * elementary::log(sum / n);
}

/// Volt and ampere of a silicon cell at 33 degrees [Easwarakhanthan1986].
constexpr std::array<std::array<double, 2>, 26> cell_currents = {
    {{-0.2057, 0.7640}, {-0.1291, 0.7620}, {-0.0588, 0.7605}, {0.0057, 0.7605}, {0.0646, 0.7600}, {0.1185, 0.7590},
     {0.1678, 0.7570},  {0.2132, 0.7570},  {0.2545, 0.7555},  {0.2924, 0.7540}, {0.3269, 0.7505}, {0.3585, 0.7465},
     {0.3873, 0.7385},  {0.4137, 0.7280},  {0.4373, 0.7065},  {0.4590, 0.6755}, {0.4784, 0.6320}, {0.4960, 0.5730},
     {0.5119, 0.4990},  {0.5265, 0.4130},  {0.5398, 0.3165},  {0.5521, 0.2120}, {0.5633, 0.1035}, {0.5736, -0.0100},
     {0.5833, -0.1230}, {0.5900, -0.2100}}};

/// Root mean square of the residuals of the single-diode equation. x: photocurrent, saturation current, series and
/// shunt resistance, ideality factor.
double solar_cell(const double* x, Index /*d*/) {
  constexpr double thermal_volt = 1.380649e-23 * 306.15 / 1.602176634e-19;
  double sum = 0;
  for (const auto& [volt, ampere] : cell_currents) {
    const double inner = volt + ampere * x[2];
    const double model = x[0] - x[1] * elementary::expm1(inner / (x[4] * thermal_volt)) - inner / x[3];
    sum += square(model - ampere);
  }
  return std::sqrt(sum / static_cast<double>(cell_currents.size()));
}

}  // namespace

Rows regressions() {
  return {
      {"thermistor",
       "Resistance of a thermistor",
       "Three parameters of an exponential curve, near 0.006, 6000 and 300, by maximum likelihood. The valley is bent "
       "and very narrow.",
       "Meyer1970",
       {Vector{{1e-4, 1000, 100}}, Vector{{0.1, 15000, 600}}},
       thermistor,
       256.075608277328,
       13.633060965741146,
       Vector{{0.005609636152911516, 6181.3463923890085, 345.2236361387494}}},
      {"solar-cell",
       "Current of a solar cell",
       "Five parameters of a diode's equation from 26 measured currents, one near 3e-7 and one near 54. Far from the "
       "optimum an exponential drowns the rest.",
       "Easwarakhanthan1986",
       {Vector{{0, 0, 0, 1, 1}}, Vector{{1, 1e-6, 0.5, 100, 2}}},
       solar_cell,
       2.5170017383394785,
       0.0009860218778914593,
       Vector{
           {0.7607755302238972, 3.2302080967074815e-07, 0.03637709273820902, 53.71852576842748, 1.4811851454332217}}},
  };
}

}  // namespace surefoot::practical
