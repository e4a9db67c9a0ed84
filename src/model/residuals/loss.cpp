#include "model/residuals/loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

struct NamedLoss {
  const char* name;
  double (*rho)(double);
};

// rho(z) of z = (r/C)^2, as in scipy.optimize.least_squares.
constexpr std::array<NamedLoss, 5> losses = {{{"linear", nullptr},
                                              {"soft_l1", [](double z) { return 2 * z / (std::sqrt(1 + z) + 1); }},
                                              {"huber", [](double z) { return z <= 1 ? z : 2 * std::sqrt(z) - 1; }},
                                              {"cauchy", [](double z) { return elementary::log1p(z); }},
                                              {"arctan", [](double z) { return std::atan(z); }}}};

}  // namespace

const std::vector<std::string>& ResidualLoss::names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const NamedLoss& loss : losses) all.emplace_back(loss.name);
    return all;
  }();
  return names;
}

ResidualLoss::ResidualLoss(const std::string& name, double scale, Vector sigma)
    : scale_(require_positive("loss scale", scale)), sigma_(std::move(sigma)) {
  const auto* found =
      std::find_if(losses.begin(), losses.end(), [&name](const NamedLoss& loss) { return name == loss.name; });
  if (found == losses.end()) reject("loss", "'" + name + "'", "losses are " + listed(names()));
  rho_ = found->rho;
  for (const double s : sigma_) require_positive("sigma", s);
}

Vector ResidualLoss::operator()(const Vector& told) const {
  Vector r = told;
  if (sigma_.size() == 1) r /= sigma_[0];
  if (sigma_.size() > 1) {
    if (sigma_.size() != r.size()) {
      reject("sigma", text(sigma_.size()) + " numbers", "give one, or one per residual: " + text(r.size()));
    }
    r = r.cwiseQuotient(sigma_);
  }
  if (rho_ == nullptr) return r;
  for (double& each : r) {
    const double ratio = each / scale_;
    each = std::copysign(scale_ * std::sqrt(rho_(ratio * ratio)), each);
  }
  return r;
}

}  // namespace surefoot
