#include "driver/merit/merit.hpp"

#include "driver/merit/bound_penalty.hpp"

namespace surefoot {
namespace {

/// f itself.
class PlainMerit final : public Merit {
 public:
  const Vector& of(const Vector& f, const Generation& /*outcomes*/, const Matrix& /*points*/,
                   const Distribution& /*distribution*/) override {
    return f;
  }
};

}  // namespace

std::unique_ptr<Merit> make_merit(const Domain& domain) {
  if (domain.has_bounds()) return std::make_unique<BoundPenalty>(domain);
  return std::make_unique<PlainMerit>();
}

}  // namespace surefoot
