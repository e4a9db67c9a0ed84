#pragma once

/// \file
/// The linear algebra vocabulary of the public API.

#include <Eigen/Core>

namespace surefoot {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

}  // namespace surefoot
