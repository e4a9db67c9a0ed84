#include "driver/restart_schedule.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/edit_distance.hpp"
#include "core/elementary/elementary.hpp"
#include "core/invalid_option.hpp"
#include "core/visit_count.hpp"

namespace surefoot {
namespace {

struct NamedKind {
  Restarts::Kind kind;
  const char* name;
};
constexpr NamedKind kinds[] = {  // NOLINT(modernize-avoid-c-arrays)
    {Restarts::Kind::automatic, "auto"},
    {Restarts::Kind::none, "none"},
    {Restarts::Kind::same, "same"},
    {Restarts::Kind::ipop, "ipop"},
    {Restarts::Kind::bipop, "bipop"}};

constexpr std::int64_t largest_popsize = (std::int64_t{1} << 24) - 1;

std::int64_t limited(double popsize) {
  return static_cast<std::int64_t>(std::clamp(popsize, 2.0, static_cast<double>(largest_popsize)));
}

}  // namespace

Restarts::Restarts(const std::string& given) {
  const auto colon = given.find(':');
  const std::string wanted = given.substr(0, colon);
  const auto* const found =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const NamedKind& k) { return wanted == k.name; });
  if (found == std::end(kinds)) {
    reject("restarts", "'" + given + "'",
           "it must be auto, none, same, ipop or bipop, with a number as in ipop:5 if wanted" +
               suggestion(wanted, {"auto", "none", "same", "ipop", "bipop"}));
  }
  kind = found->kind;
  if (colon == std::string::npos) return;
  const std::string number = given.substr(colon + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), maximum);
  if (error != std::errc() || end != number.data() + number.size() || maximum < 0) {
    reject("restarts", "'" + given + "'", "after the colon comes the number of restarts, as in ipop:5");
  }
}

std::string Restarts::text() const {
  for (const NamedKind& k : kinds) {
    if (k.kind != kind) continue;
    const bool is_plain = kind == Kind::none || (kind == Kind::automatic && maximum == Restarts{}.maximum);
    return is_plain ? k.name : std::string(k.name) + ":" + std::to_string(maximum);
  }
  return "none";
}

RestartSchedule::RestartSchedule(const Restarts& restarts, std::int64_t popsize)
    : restarts_(restarts), popsize_(popsize) {
  if (restarts.maximum < 0) reject("restarts: maximum", restarts.maximum, "it must be at least 0");
  if (!(restarts.increase >= 1 && restarts.increase <= 100)) {
    reject("restarts: increase", restarts.increase, "it must be from 1 to 100");
  }
}

std::optional<RunPlan> RestartSchedule::next(std::int64_t nfev, double u1, double u2) {
  (last_was_large_ != 0 ? large_nfev_ : small_nfev_) += nfev;
  if (last_was_large_ != 0) last_large_nfev_ = nfev;
  const bool small = restarts_.kind == Restarts::Kind::bipop && small_nfev_ < large_nfev_;
  if (restarts_.kind == Restarts::Kind::none || restarts_.kind == Restarts::Kind::automatic ||
      (!small && restarts_done_ >= restarts_.maximum))
    return std::nullopt;
  if (!small) ++restarts_done_;
  switch (restarts_.kind) {
    case Restarts::Kind::automatic:
    case Restarts::Kind::none: break;
    case Restarts::Kind::same: return first();
    case Restarts::Kind::ipop:
      return RunPlan{limited(static_cast<double>(popsize_) *
                             elementary::pow(restarts_.increase, static_cast<double>(restarts_done_))),
                     1,
                     {}};
    case Restarts::Kind::bipop: return next_bipop(u1, u2);
  }
  return std::nullopt;
}

/// The regime that has used fewer evaluations is next [Hansen2009]. The first run counts as small.
RunPlan RestartSchedule::next_bipop(double u1, double u2) {
  const auto first_popsize = static_cast<double>(popsize_);
  last_was_large_ = small_nfev_ < large_nfev_ ? 0 : 1;
  if (last_was_large_ != 0) {
    ++large_runs_;
    return {limited(first_popsize * elementary::pow(restarts_.increase, static_cast<double>(large_runs_))), 1, {}};
  }
  const double large = first_popsize * elementary::pow(restarts_.increase, static_cast<double>(large_runs_));
  const double popsize = std::floor(first_popsize * elementary::pow(0.5 * large / first_popsize, u1 * u1));
  return {limited(popsize), elementary::pow(10, -2 * u2), std::max<std::int64_t>(last_large_nfev_ / 2, 1)};
}

void RestartSchedule::visit(StateVisitor& visitor) {
  visit_count(visitor, "restarts done", restarts_done_);
  visit_count(visitor, "large runs", large_runs_);
  visit_count(visitor, "large nfev", large_nfev_);
  visit_count(visitor, "small nfev", small_nfev_);
  visit_count(visitor, "last large nfev", last_large_nfev_);
  visitor.integer("last was large", last_was_large_);
}

}  // namespace surefoot
