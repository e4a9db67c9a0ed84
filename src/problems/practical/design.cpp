#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "core/linear_algebra/cholesky.hpp"
#include "problems/practical/families.hpp"

namespace surefoot::practical {
namespace {

using std::numbers::pi;

/// The cost of a broken limit: the logarithm of 1 + excess, where the excess is value/limit - 1 if that is positive.
/// The logarithm keeps hopeless designs from drowning the others. Near the limit it is the plain excess, so with enough
/// weight the best design keeps all limits.
double excess(double value, double limit) { return elementary::log1p(std::max(0.0, value / limit - 1)); }

/// [RagsdellPhillips1976], as in [Coello2000]: inches and pounds. x: height and length of the weld, height and width of
/// the bar.
double welded_beam(const double* x, Index /*d*/) {
  constexpr double load = 6000;
  constexpr double overhang = 14;
  const double h = x[0];
  const double l = x[1];
  const double t = x[2];
  const double b = x[3];
  const double arm = std::sqrt(l * l / 4 + square((h + t) / 2));
  const double direct = load / (std::numbers::sqrt2 * h * l);
  const double polar = 2 * std::numbers::sqrt2 * h * l * (l * l / 12 + square((h + t) / 2));
  const double torsion = load * (overhang + l / 2) * arm / polar;
  const double shear = std::sqrt(square(direct) + direct * torsion * l / arm + square(torsion));
  const double bending = 6 * load * overhang / (b * t * t);
  const double deflection = 4 * load * overhang * overhang * overhang / (30e6 * t * t * t * b);
  const double buckling = 4.013 * 30e6 * t * b * b * b / (6 * overhang * overhang) *
                          (1 - t / (2 * overhang) * std::sqrt(30e6 / (4 * 12e6)));
  const double cost = 1.10471 * h * h * l + 0.04811 * t * b * (overhang + l);
  const double bar_cost = 0.10471 * h * h + 0.04811 * t * b * (overhang + l);
  return cost + 10 * (excess(shear, 13600) + excess(bending, 30000) + excess(h, b) + excess(bar_cost, 5) +
                      excess(0.125, h) + excess(deflection, 0.25) + excess(load, buckling));
}

/// [Belegundu1985], as in [Coello2000]. x: diameter of the wire, of the coil, number of active coils.
double coil_spring(const double* x, Index /*d*/) {
  const double wire = x[0];
  const double coil = x[1];
  const double turns = x[2];
  const double wire4 = square(square(wire));
  const double bend =
      (4 * coil * coil - wire * coil) / (12566 * (coil * wire * wire * wire - wire4)) + 1 / (5108 * wire * wire);
  const double weight = (turns + 2) * coil * wire * wire;
  // A coil must be wider than its wire.
  if (coil <= wire) return weight + 4 + wire - coil;
  return weight + excess(71785 * wire4, coil * coil * coil * turns) + excess(bend, 1) +
         excess(coil * coil * turns, 140.45 * wire) + excess(wire + coil, 1.5);
}

/// [Sandgren1990]: inches. x: thickness of shell and head, rounded to sixteenths of an inch as sheets are sold, radius,
/// length.
double pressure_vessel(const double* x, Index /*d*/) {
  const double shell = std::round(x[0] * 16) / 16;
  const double head = std::round(x[1] * 16) / 16;
  const double r = x[2];
  const double l = x[3];
  const double volume = pi * r * r * l + 4.0 / 3 * pi * r * r * r;
  const double cost =
      0.6224 * shell * r * l + 1.7781 * head * r * r + 3.1661 * shell * shell * l + 19.84 * shell * shell * r;
  return cost + 20000 * (excess(0.0193 * r, shell) + excess(0.00954 * r, head) + excess(1296000, volume));
}

struct TrussBar {
  Index from;
  Index to;
};

/// Nodes of the ten-bar truss in units of 360 inches; the last two are fixed to the wall.
constexpr std::array<std::array<double, 2>, 6> truss_nodes = {{{2, 1}, {2, 0}, {1, 1}, {1, 0}, {0, 1}, {0, 0}}};
constexpr std::array<TrussBar, 10> truss_bars = {
    {{2, 4}, {0, 2}, {3, 5}, {1, 3}, {2, 3}, {0, 1}, {3, 4}, {2, 5}, {1, 2}, {0, 3}}};
constexpr double truss_unit = 360;
constexpr double truss_modulus = 1e7;

struct BarGeometry {
  double length;
  std::array<double, 2> direction;
};

BarGeometry geometry_of(const TrussBar& bar) {
  const auto& a = truss_nodes[static_cast<std::size_t>(bar.from)];
  const auto& b = truss_nodes[static_cast<std::size_t>(bar.to)];
  const double length = std::sqrt(square(b[0] - a[0]) + square(b[1] - a[1]));
  return {truss_unit * length, {(b[0] - a[0]) / length, (b[1] - a[1]) / length}};
}

constexpr Index truss_coordinates = 12;  // two of six nodes
constexpr Index free_coordinates = 8;    // those of the first four; the others are fixed to the wall

/// How far each node moves under 100000 pounds at both lower nodes.
Vector truss_displacements(const double* areas) {
  Matrix stiffness = Matrix::Zero(truss_coordinates, truss_coordinates);
  for (std::size_t k = 0; k < truss_bars.size(); ++k) {
    const auto [length, u] = geometry_of(truss_bars[k]);
    const Index i = 2 * truss_bars[k].from;
    const Index j = 2 * truss_bars[k].to;
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t b = 0; b < 2; ++b) {
        const double force = truss_modulus * areas[k] / length * u[a] * u[b];
        const auto row = static_cast<Index>(a);
        const auto column = static_cast<Index>(b);
        stiffness(i + row, i + column) += force;
        stiffness(j + row, j + column) += force;
        stiffness(i + row, j + column) -= force;
        stiffness(j + row, i + column) -= force;
      }
    }
  }
  Matrix root = stiffness.topLeftCorner(free_coordinates, free_coordinates);
  Vector moved = Vector::Zero(truss_coordinates);
  moved[3] = moved[7] = -1e5;
  factor_cholesky(root);
  solve_cholesky(root, moved.head(free_coordinates));
  return moved;
}

/// [Venkayya1971]: weight in pounds. x: cross-sections of ten bars in square inches; 25000 psi and 2 inches are
/// allowed.
double ten_bar_truss(const double* x, Index /*d*/) {
  const Vector moved = truss_displacements(x);
  double weight = 0;
  double broken = 0;
  for (std::size_t k = 0; k < truss_bars.size(); ++k) {
    const auto [length, direction] = geometry_of(truss_bars[k]);
    const Index i = 2 * truss_bars[k].from;
    const Index j = 2 * truss_bars[k].to;
    const double stretch = direction[0] * (moved[j] - moved[i]) + direction[1] * (moved[j + 1] - moved[i + 1]);
    broken += excess(std::abs(truss_modulus * stretch / length), 25000);
    weight += 0.1 * length * x[k];
  }
  for (Index i = 0; i < free_coordinates; ++i) broken += excess(std::abs(moved[i]), 2);
  return weight + 20000 * broken;
}

}  // namespace

Rows designs() {
  return {
      {"welded-beam",
       "A welded beam",
       "Four sizes of a beam and its weld for the least cost, with seven limits on stress, deflection and buckling as "
       "penalties. The best design lies where four of them meet.",
       "Coello2000",
       {Vector{{0.1, 0.1, 0.1, 0.1}}, Vector{{2, 10, 10, 2}}},
       welded_beam,
       26.29111069250757,
       1.7248523085975285,
       Vector{{0.20572963978607722, 3.4704886656278178, 9.036623910358522, 0.2057296397860845}}},
      {"spring",
       "A coil spring",
       "Wire, diameter and coils of the lightest spring within limits on stress, deflection and frequency, as "
       "penalties. The feasible region is a thin sliver.",
       "Belegundu1985",
       {Vector{{0.05, 0.25, 2}}, Vector{{2, 1.3, 15}}},
       coil_spring,
       12.556101149335852,
       0.012665232812002972,
       Vector{{0.05169019530552687, 0.3567450268261032, 11.287366177652629}}},
      {"pressure-vessel",
       "A pressure vessel",
       "Two thicknesses in sixteenths of an inch, radius and length of the cheapest vessel, with limits as penalties. "
       "Rounding makes steps, and the best radius sits at the edge of one.",
       "Sandgren1990",
       {Vector{{0.0625, 0.0625, 10, 10}}, Vector{{6.1875, 6.1875, 200, 200}}},
       pressure_vessel,
       111356.77596963322,
       6059.714335048436,
       Vector{{0.8101910334623117, 0.42817112977851873, 42.09844559585492, 176.63659584243945}}},
      {"truss",
       "A truss of ten bars",
       "Cross-sections of the lightest truss within limits on stress and displacement, as penalties. Three bars end at "
       "the thinnest that is allowed.",
       "Venkayya1971",
       {Vector::Constant(10, 0.1), Vector::Constant(10, 35)},
       ten_bar_truss,
       23022.89163321695,
       5060.853660338458,
       Vector{{30.521806996566855, 0.10000000000000439, 23.19988763769943, 15.222906784885058, 0.10000000000000009,
               0.5513555276626663, 7.457200348066555, 21.036427984620357, 21.528441828326457, 0.10000000000000148}}},
  };
}

}  // namespace surefoot::practical
