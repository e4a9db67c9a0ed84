#pragma once

/// \file
/// Least squares: fits of parameters, for functions that return residuals in place of one number.

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "surefoot/bounds.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

struct LeastSquaresOptions {
  std::string about = {};       // what is fitted, in words: a checkpoint of something else is refused
  bool absolute_sigma = false;  // sigma has the true deviations: errors are not scaled by the fit's own
  std::int64_t batch = 0;       // points evaluated at a time; 0: the number of workers. Results depend on it
  Bounds bounds = {};
  double ftol = 1e-9;           // a run has converged when no step promises a decrease of f by this factor
  std::vector<bool> log = {};   // parameters on a logarithmic scale
  std::string loss = "linear";  // or soft_l1, huber, cauchy, arctan
  double loss_scale = 1;        // residuals well above it count less
  std::int64_t max_nfev = 0;    // evaluations; 0: 100 per parameter
  std::vector<std::string> names = {};
  std::string noise = "auto";  // "auto" evaluates the first point twice; "none"; or each residual's deviation
  std::int64_t restarts = 0;   // runs after the first, from random points; -1: as many as the budget allows
  std::uint64_t seed = 1;      // of restarts
  Vector sigma = {};           // by which residuals are divided: one number, or one per residual
  Vector sigma0 = {};          // expected deviation of each parameter from x0; empty: bounds or |x0| give it
  bool starts_at_x0 = true;    // else the first run begins at the best of four random points
  int workers = 1;             // threads that call the function
};

struct LeastSquaresRun {
  std::int64_t nfev = 0;
  double f = 0;     // its least value; NaN if nothing could be evaluated
  std::string end;  // converged, stuck, failed
};

/// What a fit has found. Errors of parameters are to first order, from the last model and without further evaluations.
struct LeastSquares {
  Vector x;                      // the best point evaluated; x0 if there is none
  double f = 0;                  // sum of squares after weights and loss; infinite if there is none
  Vector residuals = {};         // at x, as the function returned them
  Matrix jacobian = {};          // of weighted residuals at x; zero for fixed parameters; empty if it is not known
  Vector gradient = {};          // of f/2
  std::vector<int> active = {};  // -1 or 1 for a parameter on its lower or upper bound

  Matrix covariance = {};  // empty if errors are not known; `no_errors` says why
  Vector deviations = {};  // its roots
  Matrix intervals = {};   // 95 %, one row per parameter
  Matrix correlation = {};
  double residual_variance = 0;                // f/(m - p)
  std::vector<std::string> undetermined = {};  // combinations of parameters that the data hardly determine
  std::string no_errors = {};
  double noise_variance = 0;  // of a residual, from repeated evaluations; 0 if there is no noise

  bool success = false;   // the run that found x has converged
  std::string stop = {};  // converged, stuck, failed, max_nfev; empty while it runs
  std::string message = {};
  std::int64_t nfev = 0;
  std::int64_t nfailed = 0;
  std::int64_t rounds = 0;
  std::vector<LeastSquaresRun> runs = {};
};

std::ostream& operator<<(std::ostream& out, const LeastSquares& result);

/// A fit by ask and tell. It minimises f(x) = sum of r_i(x)^2 by a Gaussian process that models every residual over all
/// points evaluated so far, so it needs no derivatives and few evaluations (docs/how-to/least-squares.md).
///
///     surefoot::LeastSquaresSearch fit({1, 0.5});
///     while (!fit.is_finished()) {
///       const surefoot::Matrix points = fit.ask();   // one per column
///       fit.tell(residuals_of(points));              // as many columns; NaN for a failed evaluation
///     }
///     std::cout << fit.result();
class LeastSquaresSearch {
 public:
  /// \throws std::invalid_argument naming the option, its value and what is allowed.
  explicit LeastSquaresSearch(const Vector& x0, const LeastSquaresOptions& options = {});
  LeastSquaresSearch(LeastSquaresSearch&& other) noexcept;
  LeastSquaresSearch& operator=(LeastSquaresSearch&& other) noexcept;
  LeastSquaresSearch(const LeastSquaresSearch&) = delete;
  LeastSquaresSearch& operator=(const LeastSquaresSearch&) = delete;
  ~LeastSquaresSearch();

  [[nodiscard]] bool is_finished() const;
  /// The next points; at the end of the budget fewer than a batch.
  [[nodiscard]] Matrix ask() const;
  /// One column of residuals for each point; a column with a number that is not finite is a failed evaluation.
  /// \throws std::invalid_argument if the number of residuals has changed, or that of columns is wrong.
  void tell(const Matrix& residuals);
  [[nodiscard]] LeastSquares result() const;
  /// How often `tell` was called.
  [[nodiscard]] std::int64_t rounds() const;
  [[nodiscard]] const LeastSquaresOptions& options() const;

  /// The whole search as bytes. What follows `set_state` is bit for bit what would have followed `state`.
  [[nodiscard]] std::string state() const;
  /// \throws std::invalid_argument if the bytes are of a different fit.
  void set_state(const std::string& bytes);

  /// Keeps the search in a file. An existing file is resumed, unless `overwrite` starts anew. `origin` is kept with it:
  /// whatever the caller needs to set the search up again.
  /// \throws std::invalid_argument if the file is of a different fit, is not a checkpoint, or another process uses it.
  void keep_in(const std::string& file, bool overwrite = false, const std::string& origin = {});
  /// Writes the file if a second has passed since the last time, or at once.
  void save(bool at_once = false);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The residuals at one point. An exception or a number that is not finite is a failed evaluation.
using ResidualFunction = std::function<Vector(const Vector&)>;

/// Fits parameters:
///
///     const auto fit = surefoot::least_squares(
///         [&](const surefoot::Vector& p) -> surefoot::Vector { return model(p) - data; }, x0);
///     std::cout << fit;
///
/// With workers > 1 the function is called concurrently. With `checkpoint`, a file, an interrupted fit is resumed.
/// \throws std::invalid_argument naming the option, its value and what is allowed.
LeastSquares least_squares(const ResidualFunction& residual, const Vector& x0, const LeastSquaresOptions& options = {},
                           const std::string& checkpoint = {});

}  // namespace surefoot
