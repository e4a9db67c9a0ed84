#include "core/linear_algebra/symmetric_eigen.hpp"

template class Eigen::SelfAdjointEigenSolver<surefoot::Matrix>;
