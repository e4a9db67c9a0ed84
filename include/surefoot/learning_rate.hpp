#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Learning rates, the policies that set them, and the names of policies.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/natural_gradient.hpp"
#include "surefoot/state_visitor.hpp"
#include "surefoot/types.hpp"

namespace surefoot {

/// Step lengths of one natural-gradient step: eta_m, eta_sigma, eta_B.
struct LearningRates {
  double mean = 1;
  double sigma = 1;
  double B = 1;
};

/// eta_sigma = eta_B = 3/5 (3 + ln d)/(d sqrt d), eta_m = 1 [Glasmachers2010].
LearningRates default_learning_rates(Index dimension);

/// What a policy knows before the first generation.
struct LearningRateContext {
  Index dimension = 0;
  Index popsize = 0;
  double mu_w = 1;        // 1/sum_i w_i^2 of the zero-sum rank weights
  bool observed = false;  // an observer reads the path: measure it even if the rates do not need it
  bool diagonal = false;  // the shape is diagonal: sums over generations have one column

  /// Free parameters of the shape: those of a symmetric or a diagonal matrix without trace.
  [[nodiscard]] double shape_parameters() const {
    const auto d = static_cast<double>(dimension);
    return diagonal ? d - 1 : (d * d + d - 2) / 2;
  }
  /// Columns of a sum over generations.
  [[nodiscard]] Index columns() const { return diagonal ? 1 : dimension; }
};

/// Those of a full or of a diagonal shape. The latter are eta_sigma = eta_B = (3 + ln d)/(5 sqrt d) [Schaul2011].
LearningRates default_learning_rates(const LearningRateContext& context);

/// How a sum over generations takes a new term: P := decay P + gain (term).
struct Cumulation {
  double decay;
  double gain;
};

/// What a step does to the shape: C = B B^T becomes B expm(eta_B G_B) B^T. Each strategy keeps the exponential in its
/// cheapest form, so a policy asks for sums with it instead of the matrix. With a diagonal shape P has one column, the
/// diagonal.
class ShapeStep {
 public:
  ShapeStep() = default;
  ShapeStep(const ShapeStep&) = delete;
  ShapeStep(ShapeStep&&) = delete;
  ShapeStep& operator=(const ShapeStep&) = delete;
  ShapeStep& operator=(ShapeStep&&) = delete;
  virtual ~ShapeStep() = default;

  /// Adds G_B to a symmetric P.
  virtual void add_gradient(const Cumulation& cumulation, Matrix& P) = 0;

  /// Adds the movement expm(log_scale I + eta_B G_B) - I to a symmetric P, at no higher order than the update of B.
  virtual void add_movement(double log_scale, const Cumulation& cumulation, Matrix& P) = 0;

  /// The same in coordinates rotated by an orthogonal O: adds O (expm(log_scale I + eta_B G_B) - I) O^T.
  virtual void add_rotated_movement(const Matrix& O, double log_scale, const Cumulation& cumulation, Matrix& P) = 0;
};

/// What one generation does to the distribution. References are valid only during the call. With a diagonal shape the
/// samples in `gradient` and the frame are empty.
struct AppliedStep {
  LearningRates rates;              // rates of this step
  const NaturalGradient& gradient;  // natural gradient of this step
  ShapeStep& shape;                 // expm(eta_B G_B)
  const Matrix& frame;              // B before the step
};

/// A population that was evaluated, before anything is learned from it. Its samples are standard normal in the frame of
/// the distribution.
class RankedSamples {
 public:
  RankedSamples() = default;
  RankedSamples(const RankedSamples&) = delete;
  RankedSamples(RankedSamples&&) = delete;
  RankedSamples& operator=(const RankedSamples&) = delete;
  RankedSamples& operator=(RankedSamples&&) = delete;
  virtual ~RankedSamples() = default;

  /// The scales that eta_sigma moves: the step size of a full shape, one standard deviation per coordinate of a
  /// diagonal one.
  virtual void scales(Vector& out) const = 0;
  /// sum_j c_j z_ij^2 of each sample, best first. `c` has one number, or one per coordinate, as `scales`.
  virtual void squared_lengths(const Vector& c, Vector& out) const = 0;
};

/// Length of the evolution path in parameter space and its expectation under a random ranking.
struct PathLength {
  double l_theta;
  double gamma;
};

/// Receives the applied step and returns the rates of the next generation.
class LearningRatePolicy {
 public:
  LearningRatePolicy() = default;
  LearningRatePolicy(const LearningRatePolicy&) = delete;
  LearningRatePolicy(LearningRatePolicy&&) = delete;
  LearningRatePolicy& operator=(const LearningRatePolicy&) = delete;
  LearningRatePolicy& operator=(LearningRatePolicy&&) = delete;
  virtual ~LearningRatePolicy() = default;

  [[nodiscard]] virtual LearningRates first() const = 0;
  /// The rates of the present generation, which were to be `rates`, now that its ranking is known.
  virtual LearningRates revised(const LearningRates& rates, const RankedSamples& /*samples*/) { return rates; }
  virtual LearningRates next(const AppliedStep& step) = 0;

  /// The path and its expectation; empty for a policy that keeps no path.
  [[nodiscard]] virtual std::optional<PathLength> path() const { return std::nullopt; }

  virtual void visit(StateVisitor& /*visitor*/) {}
};

/// The coordinates in which movements of the covariance are added up over generations.
enum class PathFrame {
  symmetric_root,  // coordinates of the covariance's symmetric square root, as in the authors' program; O(d^3)
  B,  // coordinates of B, which moves along with the covariance (docs/explanation/theory.md); O(d^2 popsize)
};

/// `fixed`: the default rate times a factor, or given rates.
struct FixedRates {
  double factor = 1;                 // multiplies the default eta_sigma and eta_B
  std::optional<double> eta_m = {};  // used unchanged
  std::optional<double> eta_sigma = {};
  std::optional<double> eta_B = {};
  PathFrame frame = PathFrame::B;  // of the path that observers see
};

/// `lra`: learning-rate adaptation [NomuraOno2022], with all its constants.
struct LraRates {
  double alpha_sigma = 1.3;
  double alpha_B = 1.3;
  double beta = 0.2;  // cumulation of the path
  double beta_sigma = 0.2;
  double beta_B = 0.2;
  std::optional<double> eta_sigma_min = {};  // empty: the default rate
  std::optional<double> eta_B_min = {};
  double eta_sigma_max = 1;
  double eta_B_max = 1;
  PathFrame frame = PathFrame::symmetric_root;
};

/// `s3-lra`: separate rates of mean, step size and shape [Ujihara2026], with all its constants. Empty ones depend on d.
struct S3LraRates {
  double alpha_m = 2;
  std::optional<double> alpha_sigma = {};  // 3 (d/10)^(ln 2.2/ln 8)
  std::optional<double> alpha_B = {};      // min(2, 1 + 16/d)
  double beta_m = 0.08;
  double beta_sigma_inc = 0.02;  // while eta_sigma grows
  double beta_sigma_dec = 0.1;   // while it shrinks
  double beta_B = 0.1;
  double c = 0.01;  // cumulation of all paths
  double eta_m_min = 0.01;
  double eta_m_max = 1;
  std::optional<double> eta_sigma_min = {};  // 0.1 (d/10)^(ln 5.5/ln 8) times the default rate
  double eta_sigma_max = 1;
  std::optional<double> eta_B_min = {};  // 0.2 times the default rate
  std::optional<double> eta_B_max = {};  // 1.5 times the default rate
  PathFrame frame = PathFrame::symmetric_root;
};

/// Whether step size and shape share a rate.
enum class RateCoupling { one, separate };

/// `geodesic`: rates in proportion to the signal-to-noise ratio of the natural gradient (docs/explanation/theory.md).
struct GeodesicRates {
  double alpha = 0.2;    // a rate settles at the squared signal-to-noise ratio over alpha
  double beta = 0.05;    // cumulation of the path
  double damping = 100;  // with separate rates: holds the step size while the shape moves coherently; 0: off
  std::optional<double> eta_min = {};  // empty: the default rate
  double eta_max = 1;
  RateCoupling rates = RateCoupling::one;
  double speed = 0.1;  // largest change of ln eta in a generation
};

/// A policy by name ("lra", "fixed:8", "lra:frame=B,alpha=1.5"), by its constants, or one of your own.
class LearningRate {
 public:
  using Factory = std::function<std::unique_ptr<LearningRatePolicy>(const LearningRateContext&)>;

  LearningRate() : LearningRate("auto") {}
  LearningRate(const char* text);            // NOLINT(google-explicit-constructor): reads as a value in options
  LearningRate(const std::string& text);     // NOLINT(google-explicit-constructor)
  LearningRate(const FixedRates& rates);     // NOLINT(google-explicit-constructor)
  LearningRate(const LraRates& rates);       // NOLINT(google-explicit-constructor)
  LearningRate(const S3LraRates& rates);     // NOLINT(google-explicit-constructor)
  LearningRate(const GeodesicRates& rates);  // NOLINT(google-explicit-constructor)
  /// A policy of your own. Checkpoints identify it by its name; the factory makes one for each run. See
  /// examples/own_policy.cpp.
  /// \throws std::invalid_argument for a name that the library uses.
  LearningRate(std::string name, Factory factory);

  /// The text that names this policy.
  [[nodiscard]] const std::string& text() const { return text_; }

  /// \throws std::invalid_argument if a constant is out of range.
  [[nodiscard]] std::unique_ptr<LearningRatePolicy> make(const LearningRateContext& context) const {
    return factory_(context);
  }

 private:
  std::string text_;
  Factory factory_;
};

/// One row of the table of policies.
struct LearningRateInfo {
  std::string name;
  std::string summary;
  std::string parameters;  // accepted after "name:"
  std::string citation;    // key in docs/reference/bibliography.md
};

const std::vector<LearningRateInfo>& learning_rate_table();

}  // namespace surefoot
