#include <array>

#include "problems/practical/families.hpp"

namespace surefoot::practical {
namespace {

using Atom = std::array<double, 3>;

/// Lennard-Jones energy in units of the pair's depth and sigma. Atom 1 is at the origin, atom 2 on the first axis, atom
/// 3 in the plane of the first two, so that 3 n - 6 coordinates are left.
template <std::size_t atoms>
double lennard_jones(const double* x, Index /*d*/) {
  std::array<Atom, atoms> at{};
  at[1][0] = x[0];
  at[2] = {x[1], x[2], 0};
  for (std::size_t i = 3; i < atoms; ++i) at[i] = {x[3 * i - 6], x[3 * i - 5], x[3 * i - 4]};
  double energy = 0;
  for (std::size_t i = 0; i < atoms; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double r2 = square(at[i][0] - at[j][0]) + square(at[i][1] - at[j][1]) + square(at[i][2] - at[j][2]);
      const double attraction = 1 / (r2 * r2 * r2);
      energy += 4 * (attraction - 1) * attraction;
    }
  }
  return energy;
}

/// The box keeps atoms 2 and 3 on the positive side, because the other sides are mirror images.
Bounds cluster_box(Index dimension) {
  Bounds box{Vector::Constant(dimension, -2.5), Vector::Constant(dimension, 2.5)};
  box.lower[0] = 0;
  box.lower[2] = 0;
  return box;
}

}  // namespace

Rows clusters() {
  return {
      {"lennard-jones-5", "A cluster of five atoms",
       "Positions of least energy, a double pyramid; 3 n - 6 coordinates. Atoms that are close repel each other with "
       "the "
       "twelfth power, and every exchange of atoms is another optimum.",
       "Wales1997", cluster_box(9), lennard_jones<5>, 31.066487210095524, -9.103852415707555,
       Vector{{1.1201126084460533, 0.5560682628775849, 0.972337566531028, 0.5560682677000638, 0.32257024452577227,
               -0.9172724672840229, 1.4881660905532197, 0.8632718765031328, -0.6115149668588884}}},
      {"lennard-jones-7", "A cluster of seven atoms",
       "Positions of least energy, two pyramids on a pentagon; 3 n - 6 coordinates. Three other shapes are local "
       "optima.",
       "Wales1997", cluster_box(15), lennard_jones<7>, 146.33034041032099, -16.505384168012206,
       Vector{{1.1151939193371487, 0.5486674753817118, 0.970886949953304, -0.3679915536558056, -0.21472834367832497,
               1.0305976114011248, 0.548667471809777, -0.7327505515805318, 0.6369443536042984, 0.590618302252052,
               0.34463424359945893, 0.9217945263482392, -0.3679915610513187, 0.8381775256687847, 0.6369443448828349}}},
  };
}

}  // namespace surefoot::practical
