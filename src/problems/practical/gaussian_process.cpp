#include <Eigen/Cholesky>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "problems/practical/families.hpp"
#include "problems/practical/made_up_data.hpp"

namespace surefoot::practical {
namespace {

constexpr int samples = 20;

struct ProcessData {
  Eigen::Matrix<double, 3, samples> x;
  Eigen::Matrix<double, samples, 1> y;
};

/// sin(2 pi x1) + x2^2 with noise of 0.1; the third input has no effect.
const ProcessData& process_data() {
  static const ProcessData data = [] {
    ProcessData d;
    MadeUpData numbers(2);
    for (int i = 0; i < samples; ++i) {
      for (int k = 0; k < 3; ++k) d.x(k, i) = numbers.uniform();
      d.y[i] = elementary::sin(2 * std::numbers::pi * d.x(0, i)) + square(d.x(1, i)) + 0.1 * numbers.normal();
    }
    d.y.array() -= d.y.mean();
    return d;
  }();
  return data;
}

/// Minus the log marginal likelihood [RasmussenWilliams2006, eq. 5.8] of a squared-exponential kernel. x: decimal
/// logarithms of three length scales, of the signal's and of the noise's standard deviation.
double gaussian_process(const double* x, Index /*d*/) {
  const ProcessData& data = process_data();
  const Eigen::Vector3d scale(elementary::pow(10, -x[0]), elementary::pow(10, -x[1]), elementary::pow(10, -x[2]));
  const double signal = elementary::pow(10, 2 * x[3]);
  const double noise = elementary::pow(10, 2 * x[4]);
  Eigen::Matrix<double, samples, samples> kernel;
  for (int i = 0; i < samples; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double distance = (data.x.col(i) - data.x.col(j)).cwiseProduct(scale).squaredNorm();
      kernel(i, j) = signal * elementary::exp(-distance / 2) + (i == j ? noise : 0);
    }
  }
  const Eigen::LLT<Eigen::Ref<Eigen::Matrix<double, samples, samples>>> root(kernel);
  if (root.info() != Eigen::Success) return std::numeric_limits<double>::infinity();  // singular in floating point
  const Eigen::Matrix<double, samples, 1> half = root.matrixL().solve(data.y);
  return half.squaredNorm() / 2 + samples * elementary::mean_log(kernel.diagonal()) +
         samples / 2.0 * elementary::log(2 * std::numbers::pi);
}

}  // namespace

Rows gaussian_processes() {
  return {{"gaussian-process",
           "Hyperparameters of a Gaussian process",
           "Length scales, signal and noise by maximum likelihood, each over several decades. All-noise models are "
           "local optima, and the length scale of an input without effect wants to be infinite.",
           "RasmussenWilliams2006",
           {Vector{{-2, -2, -2, -2, -4}}, Vector{{2, 2, 2, 2, 1}}},
           gaussian_process,
           68.85299109593946,
           -2.3248956358308206,
           Vector{{-0.4995208992040769, 0.13108469872174414, 2.0, 0.022567960247942956, -1.0495251163702994}}}};
}

}  // namespace surefoot::practical
