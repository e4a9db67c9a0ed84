#include "core/symmetric_eigen.hpp"

template class Eigen::SelfAdjointEigenSolver<surefoot::Matrix>;
