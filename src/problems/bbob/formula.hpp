#pragma once

#include <memory>

#include "problems/bbob/streams.hpp"
#include "surefoot/types.hpp"

namespace surefoot::bbob {

/// What determines an instance of a function.
struct Origin {
  Index dimension;
  Seed seed;

  [[nodiscard]] Matrix R() const { return rotation(dimension, seed + 1000000); }
  [[nodiscard]] Matrix Q() const { return rotation(dimension, seed); }
  [[nodiscard]] Vector xopt() const { return optimum_on_grid(dimension, seed); }
};

/// One function of the suite at one dimension and instance, set up for evaluation.
class Formula {
 public:
  explicit Formula(const Origin& origin)
      : d(origin.dimension), xopt(origin.xopt()), fopt(optimal_value(origin.seed)), fbest(fopt) {}
  Formula(const Formula&) = delete;
  Formula(Formula&&) = delete;
  Formula& operator=(const Formula&) = delete;
  Formula& operator=(Formula&&) = delete;
  virtual ~Formula() = default;

  /// f(x) for finite x. `work` has room for workspace_vectors vectors.
  virtual double value(const double* x, double* work) const = 0;

  static constexpr Index workspace_vectors = 2;

  // NOLINTBEGIN(misc-non-private-member-variables-in-classes): the symbols of the formulas, which read them everywhere
  const Index d;
  Vector xopt;
  double fopt;   // added to every value
  double fbest;  // value at xopt, which is fopt but for rounding
                 // NOLINTEND(misc-non-private-member-variables-in-classes)

 protected:
  void subtract_optimum(const double* x, double* to) const {
    for (Index i = 0; i < d; ++i) to[i] = x[i] - xopt[i];
  }
};

/// Builds the functions of one group: `function` is its number in the suite.
std::unique_ptr<Formula> make_separable(int function, const Origin& origin);       // 1 to 5
std::unique_ptr<Formula> make_conditioned(int function, const Origin& origin);     // 6 to 14
std::unique_ptr<Formula> make_multimodal(int function, const Origin& origin);      // 15 to 19
std::unique_ptr<Formula> make_weak_structure(int function, const Origin& origin);  // 20 to 24

}  // namespace surefoot::bbob
