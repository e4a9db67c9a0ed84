#include "driver/own_strategy.hpp"

#include <utility>

#include "core/invalid_option.hpp"

namespace surefoot {

std::unique_ptr<Strategy> strategy_by(const Options& options, StrategyContext context) {
  if (!options.strategy) return make_strategy(options.method, std::move(context));
  std::unique_ptr<Strategy> own = options.strategy(context);
  const std::string name = "'" + options.method + "'";
  if (own == nullptr) reject("strategy", name, "the function gave none");
  if (own->distribution().dimension() != context.start.dimension()) {
    reject("strategy", name,
           "its distribution has " + text(own->distribution().dimension()) + " coordinates, the start " +
               text(context.start.dimension()));
  }
  if (own->popsize() < 1) reject("strategy", name, "its popsize is " + text(own->popsize()));
  return own;
}

}  // namespace surefoot
