#include "driver/merit/output_limits.hpp"

#include <algorithm>
#include <cmath>

#include "core/invalid_option.hpp"
#include "driver/space/space_text.hpp"

namespace surefoot {
namespace {

[[noreturn]] void refuse_limit(const std::string& text, const std::string& allowed) {
  reject("limit", "'" + text + "'", allowed);
}

constexpr const char* limit_forms = "it is NAME=LOW..HIGH, NAME=LOW.., NAME=..HIGH, NAME>=LOW or NAME<=HIGH";

std::string without_outer_blanks(const std::string& word) {
  const auto first = word.find_first_not_of(" \t");
  return first == std::string::npos ? "" : word.substr(first, word.find_last_not_of(" \t") - first + 1);
}

double side_of(const std::string& text, const std::string& word) {
  const auto number = engineering_number(without_outer_blanks(word));
  if (!number || !std::isfinite(*number)) {
    refuse_limit(text, "'" + without_outer_blanks(word) + "' is not a finite number; " + limit_forms);
  }
  return *number;
}

void read_range(const std::string& text, const std::string& range, Limit& limit) {
  const std::size_t dots = range.find("..");
  if (dots == std::string::npos) refuse_limit(text, limit_forms);
  const std::string low = without_outer_blanks(range.substr(0, dots));
  const std::string high = without_outer_blanks(range.substr(dots + 2));
  if (!low.empty()) limit.low = side_of(text, low);
  if (!high.empty()) limit.high = side_of(text, high);
  if (low.empty() && high.empty()) refuse_limit(text, limit_forms);
}

/// By how much the constraints of the sides are violated, from the side.
struct Side {
  double bound;
  double sign;  // 1: an upper side
};

std::vector<Side> sides_of(const Limit& limit) {
  std::vector<Side> sides;
  if (std::isfinite(limit.low)) sides.push_back({limit.low, -1});
  if (std::isfinite(limit.high)) sides.push_back({limit.high, 1});
  return sides;
}

}  // namespace

Limit limit_from_text(const std::string& text) {
  const std::size_t sign = text.find_first_of("<>=");
  if (sign == std::string::npos) refuse_limit(text, limit_forms);
  Limit limit{.name = without_outer_blanks(text.substr(0, sign))};
  if (limit.name.empty()) refuse_limit(text, "the name of an output is missing; " + std::string(limit_forms));
  if (text[sign] == '=') {
    read_range(text, text.substr(sign + 1), limit);
  } else {
    const std::size_t length = text.substr(sign + 1).starts_with('=') ? 2 : 1;
    (text[sign] == '<' ? limit.high : limit.low) = side_of(text, text.substr(sign + length));
  }
  if (!(limit.low < limit.high)) {
    refuse_limit(text, "the lower side must be below the upper one; a value that must be met has a tolerance, as in " +
                           limit.name + "=0.99..1.01");
  }
  return limit;
}

void add_limit(const Limit& limit, std::vector<Limit>& limits) {
  const auto same = std::find_if(limits.begin(), limits.end(), [&](const Limit& l) { return l.name == limit.name; });
  if (same == limits.end()) {
    limits.push_back(limit);
    return;
  }
  const bool is_other_side = (std::isfinite(limit.low) != std::isfinite(same->low)) &&
                             (std::isfinite(limit.high) != std::isfinite(same->high));
  if (!is_other_side) refuse_limit(text_of(limit), "there is the limit " + text_of(*same) + " already");
  if (std::isfinite(limit.low)) same->low = limit.low;
  if (std::isfinite(limit.high)) same->high = limit.high;
  if (!(same->low < same->high)) refuse_limit(text_of(*same), "the lower side must be below the upper one");
}

std::string text_of(const Limit& limit) {
  if (!std::isfinite(limit.low)) return limit.name + " <= " + text(limit.high);
  if (!std::isfinite(limit.high)) return limit.name + " >= " + text(limit.low);
  return limit.name + " = " + text(limit.low) + ".." + text(limit.high);
}

double scale_of(const Limit& limit) {
  if (std::isfinite(limit.low) && std::isfinite(limit.high)) return limit.high - limit.low;
  const double side = std::abs(std::isfinite(limit.low) ? limit.low : limit.high);
  return side > 0 ? side : 1;
}

std::vector<std::string> constraint_names_of(const std::vector<Limit>& limits) {
  std::vector<std::string> names;
  for (const Limit& limit : limits) {
    for (const Side& side : sides_of(limit)) {
      names.push_back(limit.name + (side.sign > 0 ? " <= " : " >= ") + text(side.bound));
    }
  }
  return names;
}

void append_constraints(const Limit& limit, double value, std::vector<double>& g) {
  for (const Side& side : sides_of(limit)) g.push_back(side.sign * (value - side.bound) / scale_of(limit));
}

std::vector<LimitState> states_of(const std::vector<Limit>& limits, std::span<const double> g,
                                  const Vector& multipliers) {
  std::vector<LimitState> states;
  std::size_t k = 0;
  for (const Limit& limit : limits) {
    LimitState state{.limit = limit};
    double nearest = std::numeric_limits<double>::infinity();
    for (const Side& side : sides_of(limit)) {
      if (k >= g.size()) return states;
      const double distance = g[k] * scale_of(limit);
      // The value is known best where it is nearest to a side.
      if (!(std::abs(distance) >= nearest)) state.value = side.bound + side.sign * distance;
      nearest = std::min(nearest, std::abs(distance));
      state.excess = std::max(state.excess, distance);
      if (static_cast<Index>(k) < multipliers.size()) {
        const double price = multipliers[static_cast<Index>(k)] / scale_of(limit);
        state.multiplier = std::max(price, state.multiplier.value_or(price));
      }
      ++k;
    }
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace surefoot
