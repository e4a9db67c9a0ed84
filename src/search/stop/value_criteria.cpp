// The criteria of a run that look at its values.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/invalid_option.hpp"
#include "search/stop/median.hpp"
#include "search/stop/run_values.hpp"

namespace surefoot {
namespace {

// Of f, and of the range of the first values: what lies closer may be the function's own error.
constexpr double smallest_part = 2e-8;

}  // namespace

Stop RunValues::tolflatfitness() const {
  // Where discrete values seldom change, equal values are no wonder; pycma's rule.
  const auto share = static_cast<double>(domain_.discrete().size()) / static_cast<double>(domain_.search_dimension());
  const std::int64_t least = is_discrete_ ? 3 + static_cast<std::int64_t>(std::ceil(30 * share)) : 0;
  if (options_.tolflatfitness <= 0 || flat_ <= std::max<std::int64_t>(options_.tolflatfitness, least)) return {};
  return {StopReason::tolflatfitness,
          "plateau: all values of " + text(flat_) + " generations in a row are equal, f = " + short_text(lowest_) +
              ", however wide the search (tolflatfitness = " + text(options_.tolflatfitness) + ")"};
}

Stop RunValues::plateau() const {
  if (options_.tolflatfitness <= 0 || options_.restarts.kind == Restarts::Kind::none) return {};
  return {StopReason::tolflatfitness,
          "plateau: best values of " + text(recent_generations()) + " generations are all f = " + short_text(lowest_)};
}

Stop RunValues::tolfunhist() const {
  const double tolerance = scaled(options_.tolfunhist);
  if (tolerance <= 0 || !recent_best_.full() || !recent_best_.is_range_below(tolerance)) return {};
  // With discrete parameters best values are often one and the same; `settled` knows when that is the end.
  if (is_discrete_ && (!has_real_ || recent_best_.range() == 0)) return {};
  if (is_on_plateau(tolerance)) return plateau();
  return {StopReason::tolfunhist, "converged: best values of " + text(recent_generations()) +
                                      " generations differ by " + short_text(recent_best_.range()) +
                                      " < tolfunhist = " + short_text(tolerance)};
}

Stop RunValues::tolfun() const {
  const double tolerance = scaled(options_.tolfun);
  if (tolerance <= 0 || !recent_best_.full() || !has_real_) return {};
  if (!(highest_ - lowest_ < tolerance) || !recent_best_.is_range_below(tolerance)) return {};
  if (is_on_plateau(tolerance)) return {};
  const double spread = std::max(recent_best_.range(), highest_ - lowest_);
  return {StopReason::tolfun, "converged: values of the population and of " + text(recent_generations()) +
                                  " generations differ by " + short_text(spread) +
                                  " < tolfun = " + short_text(tolerance)};
}

Stop RunValues::unresolved() {
  const Index n = half_.size();
  const auto is_due = recent_best_.count() % (1 + n / 5) == 0;
  const bool is_exempt = is_discrete_ || options_.constraints + options_.equalities > 0 || options_.model != "none";
  if (options_.tolfun <= 0 || is_exempt || !is_due || !recent_best_.full()) return {};
  if (recent_best_.newest(0) < recent_best_.newest(n)) return {};  // it mostly improves
  const auto middle = [&](std::int64_t begin, const auto& number) {
    for (Index i = 0; i < n; ++i) half_[i] = number(begin + i);
    return median(half_, n);
  };
  const auto best = [&](std::int64_t i) { return recent_best_.newest(i); };
  const auto worst = [&](std::int64_t i) { return recent_worst_.newest(i); };
  const auto spread = [&](std::int64_t i) { return worst(i) - best(i); };
  const double scale = std::min(first_range_, std::abs(lowest_));
  const double now = middle(0, spread);
  const double before = middle(n, spread);
  if (!(now > 0 && now <= smallest_part * scale && 2 * now >= before && now <= 2 * before)) return {};
  double lowest = best(0);
  double lowest_before = best(n);
  Index repeated = 0;
  for (Index i = 1; i < n; ++i) {
    lowest = std::min(lowest, best(i));
    lowest_before = std::min(lowest_before, best(n + i));
    if (best(i) == best(i - 1)) ++repeated;
  }
  if (lowest < lowest_before || 10 * repeated > n) return {};
  if (middle(0, best) < middle(n, best) || middle(0, worst) < middle(n, worst)) return {};
  return {StopReason::tolfun, "converged: values of " + text(recent_generations()) + " generations differ by about " +
                                  short_text(now) +
                                  ", as far as the function resolves them, and get no lower (tolfun)"};
}

Stop RunValues::tolstagnation(std::int64_t generation) {
  const bool is_due = stagnation_length_ > 0 && generation % (1 + stagnation_length_ / 10) == 0;
  if (!is_due || !long_best_.full()) return {};
  const auto window_median = [&](const History& history, std::int64_t begin) {
    for (Index i = 0; i < window_.size(); ++i) window_[i] = history.newest(begin + i);
    return median(window_, window_.size());
  };
  const bool best_stands = window_median(long_best_, 0) >= window_median(long_best_, window_.size());
  const bool median_stands = window_median(long_median_, 0) >= window_median(long_median_, window_.size());
  if (!best_stands || !median_stands) return {};
  const bool is_plateau = recent_best_.full() && is_on_plateau(options_.tolfun);
  const std::string kind = is_plateau ? "plateau: best values are all f = " + short_text(lowest_) + "; " : "";
  return {StopReason::tolstagnation, kind + "stagnation: best and median values of the last " +
                                         text(stagnation_length_) +
                                         " steps are no better than those before (tolstagnation)"};
}

}  // namespace surefoot
