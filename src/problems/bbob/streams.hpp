#pragma once

/// \file
/// The pseudo-random numbers from which instances of the BBOB suite are made [HansenFinck2009]: everything about a
/// problem follows from its seed, on every machine.

#include <cstdint>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot::bbob {

using Seed = std::int64_t;

/// n numbers in (0, 1): Park and Miller's generator with the shuffle of Bays and Durham. The first n of a longer stream
/// are the same.
std::vector<double> uniforms(Index n, Seed seed);

/// n normals by Box and Muller; the radii are the first n of 2 n uniforms, so other lengths give other numbers.
std::vector<double> gaussians(Index n, Seed seed);

/// An orthogonal d x d matrix: modified Gram-Schmidt on the columns of a matrix of normals.
Matrix rotation(Index d, Seed seed);

/// A point on a grid in [-4, 4)^d without zeros.
Vector optimum_on_grid(Index d, Seed seed);

/// A rounded Cauchy number in [-1000, 1000].
double optimal_value(Seed seed);

/// The indices that sort the first n uniforms of a stream.
std::vector<Index> permutation(Index n, Seed seed);

}  // namespace surefoot::bbob
