#include "cli/limits_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surefoot::cli {

std::string limits_table(const std::vector<LimitState>& states) {
  std::size_t width = 0;
  for (const LimitState& state : states) width = std::max(width, text_of(state.limit).size());
  std::string table;
  for (const LimitState& state : states) {
    const bool is_low = state.value < state.limit.low;
    const std::string verdict =
        state.excess > 0 ? fmt::format("{:.4g} too {}", state.excess, is_low ? "low" : "high") : "met";
    const std::string price = state.multiplier ? fmt::format(", multiplier {:.4g}", *state.multiplier) : "";
    table += fmt::format("         {:<{}}  {:.6g}, {}{}\n", text_of(state.limit), width, state.value, verdict, price);
  }
  return table;
}

}  // namespace surefoot::cli
