// A learning-rate policy of your own, without a rebuild of the library: steps that agree make the rates grow, steps
// that contradict each other let them fall.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <surefoot/surefoot.hpp>

/// Rates by the length of the path of the mean. Under a random ranking the path has the squared length d.
class AgreeingSteps final : public surefoot::LearningRatePolicy {
 public:
  explicit AgreeingSteps(const surefoot::LearningRateContext& context)
      : standard_(surefoot::default_learning_rates(context)),
        gain_(std::sqrt(c * (2 - c) * context.mu_w)),
        path_(surefoot::Vector::Zero(context.dimension)) {}

  [[nodiscard]] surefoot::LearningRates first() const override { return standard_; }

  /// Sees the step that is applied, gives the rates of the next generation. The present ones are in the step.
  surefoot::LearningRates next(const surefoot::AppliedStep& step) override {
    path_ = (1 - c) * path_ + gain_ * step.gradient.delta;
    const double agreement = path_.squaredNorm() / static_cast<double>(path_.size()) - 1;
    const double factor = std::exp(0.3 * std::clamp(agreement, -1.0, 1.0));
    return {1, std::clamp(step.rates.sigma * factor, standard_.sigma, 1.0),
            std::clamp(step.rates.B * factor, standard_.B, 1.0)};
  }

  /// Everything that it keeps, so that checkpoints are exact.
  void visit(surefoot::StateVisitor& visitor) override { visitor.vector("p_m", path_); }

 private:
  static constexpr double c = 0.2;  // share of the last step

  surefoot::LearningRates standard_;
  double gain_;
  surefoot::Vector path_;
};

int main() {
  const surefoot::LearningRate own("agreeing", [](const surefoot::LearningRateContext& context) {
    return std::make_unique<AgreeingSteps>(context);
  });
  const surefoot::Problem& ellipsoid = surefoot::find_problem("ellipsoid");
  const auto f = [&](const surefoot::Matrix& population) { return ellipsoid(population); };
  bool all_succeed = true;
  for (const surefoot::LearningRate& policy : {surefoot::LearningRate("fixed"), own}) {
    const surefoot::Result best =
        surefoot::minimize(f, {3, 3, 3, 3, 3}, 2, {.ftarget = 1e-8, .learning_rate = policy, .popsize = 40, .seed = 1});
    std::cout << policy.text() << ": " << best << '\n';
    all_succeed = all_succeed && best.success;
  }
  return all_succeed ? 0 : 1;
}
