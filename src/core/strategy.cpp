#include "surefoot/strategy.hpp"

#include <cmath>
#include <utility>

#include "core/cma.hpp"
#include "core/ig_xnes.hpp"
#include "core/invalid_option.hpp"
#include "core/xnes.hpp"

namespace surefoot {

Index default_popsize(Index dimension) {
  return 4 + static_cast<Index>(std::floor(3 * std::log(static_cast<double>(dimension))));
}

const std::vector<StrategyInfo>& strategy_table() {
  static const std::vector<StrategyInfo> table = {
      {"xnes", "exponential natural evolution strategy, full covariance", "Glasmachers2010"},
      {"cma", "evolution strategy with covariance matrix adaptation and negative weights", "Hansen2016"},
      {"ig-xnes", "xNES whose rates follow the information in the ranking", "Glasmachers2010"},
      {"auto", "ig-xnes, or xnes if a learning rate is given (docs/learning-rates.md)", "Glasmachers2010"},
  };
  return table;
}

std::unique_ptr<Strategy> make_strategy(const std::string& method, StrategyContext context) {
  if (method == "auto") {
    const char* const chosen = context.learning_rate.text() == "auto" ? "ig-xnes" : "xnes";
    return make_strategy(chosen, std::move(context));
  }
  if (method == "xnes") return std::make_unique<Xnes>(std::move(context));
  if (method == "ig-xnes") return std::make_unique<IgXnes>(std::move(context));
  if (method == "cma") return std::make_unique<Cma>(std::move(context));
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategy_table()) names.push_back(info.name);
  reject("method", "'" + method + "'", "known methods are " + listed(names));
}

}  // namespace surefoot
