#pragma once

#include <memory>

#include "driver/domain/domain.hpp"
#include "surefoot/distribution.hpp"
#include "surefoot/generation.hpp"
#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// What is ranked: f, or f together with how much a candidate violates something. It may learn from what it sees.
class Merit {
 public:
  Merit() = default;
  Merit(const Merit&) = delete;
  Merit(Merit&&) = delete;
  Merit& operator=(const Merit&) = delete;
  Merit& operator=(Merit&&) = delete;
  virtual ~Merit() = default;

  /// One number a candidate, the lower the better, where `f` are the values of a generation with `outcomes`. `points`
  /// are its points in search coordinates, drawn from `distribution`. Valid until the next call.
  virtual const Vector& of(const Vector& f, const Generation& outcomes, const Matrix& points,
                           const Distribution& distribution) = 0;

  /// What it has learned, for checkpoints.
  virtual void visit(StateVisitor& /*visitor*/) {}
};

/// The merit that a domain asks for: f alone, or with a penalty beyond its bounds. The domain must outlive it.
std::unique_ptr<Merit> make_merit(const Domain& domain);

}  // namespace surefoot
