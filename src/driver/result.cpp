#include "surefoot/result.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "surefoot/optimizer.hpp"

namespace surefoot {
namespace {

std::string target_missed(double best, const std::optional<double>& ftarget) {
  if (std::isnan(best)) return "no value was finite";
  if (!ftarget) return fmt::format("best f = {:.6g}", best);
  return fmt::format("best f = {:.6g} is above ftarget = {:g}", best, *ftarget);
}

/// Why the search stopped, with the numbers that decided it.
std::string sentence(StopReason stop, const Result& r, const Options& options, double sigma) {
  const std::string missed = target_missed(r.fun, options.ftarget);
  switch (stop) {
    case StopReason::none: return fmt::format("still running after {} evaluations: {}", r.nfev, missed);
    case StopReason::ftarget:
      return fmt::format("target reached: f = {:.6g} <= ftarget = {:g}", r.fun, *options.ftarget);
    case StopReason::maxfevals:
      return fmt::format("budget used: {} evaluations, maxfevals = {}; {}", r.nfev, *options.maxfevals, missed);
    case StopReason::maxiter:
      return fmt::format("budget used: {} generations, maxiter = {}; {}", r.nit, *options.maxiter, missed);
    case StopReason::vanished:
      return fmt::format("converged: standard deviations of at most {:.3g} no longer move the mean; {}",
                         r.stds.maxCoeff(), missed);
    case StopReason::exploded:
      return fmt::format("diverged: standard deviations up to {:.3g} exceed 1e150; {}", r.stds.maxCoeff(), missed);
    case StopReason::lost_rank:
      return fmt::format("degenerate: B is singular to working precision at sigma = {:.3g}; {}", sigma, missed);
    case StopReason::non_finite:
      return fmt::format("diverged: the distribution holds NaN or infinity after {} generations; {}", r.nit, missed);
  }
  return {};
}

}  // namespace

Result Optimizer::result() const {
  Result r;
  r.x = best_x_;
  r.fun = best_f_;
  r.stop = stop_;
  r.success =
      stop_ == StopReason::ftarget || (!options_.ftarget && stop_ == StopReason::vanished && !std::isnan(best_f_));
  r.nfev = nfev_;
  r.nit = nit_;
  r.xfavorite = distribution().mean;
  r.stds = distribution().standard_deviations();
  r.seed = seed();
  r.message = sentence(stop_, r, options_, distribution().sigma);
  return r;
}

std::ostream& operator<<(std::ostream& out, const Result& result) {
  const Eigen::IOFormat on_one_line(6, Eigen::DontAlignCols, ", ", ", ", "", "", "[", "]");
  return out << "f = " << result.fun << " at x = " << result.x.transpose().format(on_one_line) << '\n'
             << result.message << '\n'
             << result.nfev << " evaluations, " << result.nit << " generations, seed " << result.seed;
}

}  // namespace surefoot
