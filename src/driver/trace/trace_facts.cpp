#include "driver/trace/trace_facts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "driver/merit/constraint_rules.hpp"
#include "driver/merit/output_limits.hpp"

namespace surefoot {
namespace {

constexpr Index largest_for_correlations = 1000;  // a full covariance is copied for them

template <class Item>
std::string list_of(Index count, const Item& item) {
  std::string list = "[";
  for (Index j = 0; j < count; ++j) list.append(j == 0 ? "" : ",").append(item(j));
  return list.append("]");
}

std::string numbers(const Vector& v, Index most) {
  return list_of(std::min(v.size(), most), [&](Index j) { return json_number(v[j]); });
}

std::string short_numbers(const Vector& v, Index most) {
  return list_of(std::min(v.size(), most), [&](Index j) { return json_number(short_number(v[j])); });
}

double bound_of(const Vector& side, Index j, double none) {
  if (side.size() == 0) return none;
  return side.size() == 1 ? side[0] : side[j];
}

/// Limits as the user gave them.
struct Limits {
  Vector lower;
  Vector upper;
};

Limits limits_of(const Optimizer& search, Index d) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Limits limits{Vector(d), Vector(d)};
  const Space& space = search.space();
  const Bounds& bounds = search.options().bounds;
  for (Index j = 0; j < d; ++j) {
    limits.lower[j] = space.empty() ? bound_of(bounds.lower, j, -infinity) : space[j].low;
    limits.upper[j] = space.empty() ? bound_of(bounds.upper, j, infinity) : space[j].high;
  }
  return limits;
}

bool has_finite(const Vector& v) {
  return std::any_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
}

std::string kind_name(const Parameter& p) {
  if (p.is_fixed()) return "fixed";
  if (p.kind == Parameter::Kind::choice) return "choice";
  const std::string kind = p.kind == Parameter::Kind::real ? "real" : "discrete";
  return p.log ? kind + " log" : kind;
}

/// What is searched in the first coordinates of points: fixed ones and choices have no part in the distribution.
Index searched_among(const Optimizer& search, Index most) {
  const auto is_searched = [&](Index j) {
    if (!search.space().empty())
      return kind_name(search.space()[j]) != "fixed" && kind_name(search.space()[j]) != "choice";
    const Bounds& bounds = search.options().bounds;
    return bound_of(bounds.lower, j, -1) != bound_of(bounds.upper, j, 1);
  };
  Index count = 0;
  for (Index j = 0; j < most; ++j) count += is_searched(j) ? 1 : 0;
  return count;
}

/// Plain loops: Eigen's products are summed in an order that depends on the processor.
double covariance_of(const Start& start, Index i, Index j) {
  if (!start.factor) {
    if (i == j) return start.deviations[i] * start.deviations[i];
    return start.direction ? (*start.direction)[i] * (*start.direction)[j] : 0;
  }
  double sum = 0;
  for (Index k = 0; k < start.factor->cols(); ++k) sum += (*start.factor)(i, k) * (*start.factor)(j, k);
  return sum;
}

/// The lower triangle without the diagonal, four decimals. Empty for a single coordinate and for very many.
std::string correlations_of(const Optimizer& search, const Start& start, Index d, Index most) {
  if (d > largest_for_correlations) return {};
  const Index count = searched_among(search, std::min(d, most));
  if (count < 2) return {};
  if (start.dimension() < count || !start.deviations.allFinite()) return {};
  Vector deviations(count);
  for (Index i = 0; i < count; ++i) deviations[i] = std::sqrt(covariance_of(start, i, i));
  return list_of(count - 1, [&](Index row) {
    return list_of(row + 1, [&](Index j) {
      const double c = covariance_of(start, row + 1, j) / (deviations[row + 1] * deviations[j]);
      return json_number(std::round(c * 1e4) / 1e4);
    });
  });
}

bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

void add_budgets(JsonLine& line, const Options& options) {
  if (options.maxfevals) line.add("maxfevals", *options.maxfevals);
  if (options.maxiter) line.add("maxiter", *options.maxiter);
  if (options.timeout) line.add("timeout", *options.timeout);
  if (options.ftarget) line.add("ftarget", *options.ftarget);
}

/// Their names, which of them are equalities, and when those are met.
void add_constraints(JsonLine& line, const ConstraintRules& rules, const std::vector<std::string>& names) {
  if (rules.empty()) return;
  line.add_json("constraints",
                list_of(rules.size(), [&](Index i) { return json_text(names[static_cast<std::size_t>(i)]); }));
  line.add("equalities", std::int64_t{rules.equalities});
  if (rules.equalities > 0) line.add("equality_tolerance", rules.tolerance);
}

/// A page makes values of outputs of the first inequalities with it.
void add_output_limits(JsonLine& line, std::span<const Limit> limits) {
  if (limits.empty()) return;
  line.add_json("limits", list_of(static_cast<Index>(limits.size()), [&](Index i) {
                  const Limit& limit = limits[static_cast<std::size_t>(i)];
                  JsonLine entry;
                  entry.add("name", std::string_view(limit.name));
                  entry.add("low", limit.low);
                  entry.add("high", limit.high);
                  entry.add("scale", scale_of(limit));
                  return entry.text();
                }));
}

/// Values of the constraints at the best point, and their multipliers.
void add_best_constraints(JsonLine& line, const Result& result, Index most) {
  if (result.constraints.empty()) return;
  const auto& g = result.constraints;
  line.add_json("constraints", list_of(std::min(static_cast<Index>(g.size()), most),
                                       [&](Index i) { return json_number(g[static_cast<std::size_t>(i)]); }));
  if (result.multipliers.size() > 0) line.add_json("multipliers", short_numbers(result.multipliers, most));
}

/// What the numbers of choices stand for.
void add_choices(JsonLine& line, const Space& space, Index shown) {
  JsonLine choices;
  bool has_any = false;
  for (Index j = 0; j < shown; ++j) {
    const std::vector<std::string>& names = space[j].choices;
    if (names.empty()) continue;
    has_any = true;
    choices.add_json(space[j].name, list_of(static_cast<Index>(names.size()),
                                            [&](Index k) { return json_text(names[static_cast<std::size_t>(k)]); }));
  }
  if (has_any) line.add_json("choices", choices.text());
}

std::string json_of_runs(const std::vector<RunSummary>& runs) {
  return list_of(static_cast<Index>(runs.size()), [&](Index i) {
    const RunSummary& run = runs[static_cast<std::size_t>(i)];
    JsonLine line;
    line.add("popsize", run.popsize);
    line.add("nfev", run.nfev);
    line.add("fun", run.fun);
    line.add("stop", name(run.stop));
    return line.text();
  });
}

/// Whether the message says how evaluations failed.
bool tells_failures(const Optimizer& search) {
  const FailureCounts& failures = search.failures();
  return search.stop_reason() == StopReason::failing ||
         std::any_of(failures.begin(), failures.end(), [](const FailureCount& kind) { return !kind.reason.empty(); });
}

}  // namespace

double short_number(double value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 64> buffer{};
  const auto written =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, 5);
  double read = value;
  std::from_chars(buffer.data(), written.ptr, read);
  return read;
}

JsonLine about_search(const Optimizer& search, const SearchWords& words) {
  const auto& [objective, command, output_limits] = words;
  const Options& options = search.options();
  const std::vector<std::string> names = search.names();
  const auto d = static_cast<Index>(names.size());
  const Index shown = std::min(d, coordinates_of_the_end);
  JsonLine line;
  // A command says it too, without the folder, so that the trace is the same in every folder.
  if (!objective.empty() && command.empty()) line.add("objective", std::string_view(objective));
  line.add("method", std::string_view(options.method));
  line.add("learning_rate", std::string_view(options.learning_rate.text()));
  line.add("model", std::string_view(options.model));
  line.add("seed", std::string_view(std::to_string(search.seed())));  // a text: JavaScript rounds large integers
  line.add("dimension", std::int64_t{d});
  line.add_json("names", list_of(shown, [&](Index j) { return json_text(names[static_cast<std::size_t>(j)]); }));
  if (const Space& space = search.space(); !space.empty()) {
    line.add_json("kinds", list_of(shown, [&](Index j) { return json_text(kind_name(space[j])); }));
    add_choices(line, space, shown);
  }
  const Limits limits = limits_of(search, shown);
  if (has_finite(limits.lower)) line.add_json("lower", numbers(limits.lower, shown));
  if (has_finite(limits.upper)) line.add_json("upper", numbers(limits.upper, shown));
  add_constraints(line, constraint_rules(options), search.result().constraint_names);
  add_output_limits(line, output_limits);
  if (!command.empty()) line.add("command", std::string_view(command));
  return line;
}

void add_place(JsonLine& line, const Optimizer& search) {
  const Result now = search.result();
  line.add_json("x", numbers(now.x, coordinates_of_a_line));
  line.add_json("mean", numbers(now.last_mean(), coordinates_of_a_line));
  line.add_json("stds", short_numbers(now.last_stds(), coordinates_of_a_line));
  if (!is_power_of_two(now.nit)) return;
  const std::string correlations =
      correlations_of(search, search.last_run_distribution(), now.x.size(), coordinates_of_a_line);
  if (!correlations.empty()) line.add_json("correlations", correlations);
}

JsonLine end_of_search(const Optimizer& search) {
  const Result result = search.result();
  const StopInfo& info = stop_info(result.stop);
  JsonLine line;
  line.add("stop", info.name);
  line.add("kind", name(info.kind));
  line.add_json("success", result.success ? "true" : "false");
  line.add("message", std::string_view(result.message));
  line.add_json("missed_best", result.missed_best ? "true" : "false");
  line.add_json("says_how_failed", tells_failures(search) ? "true" : "false");
  line.add("nfev", result.nfev);
  line.add("nfailed", result.nfailed);
  line.add("fun", result.fun);
  if (result.noise > 0) {
    line.add("fun_std", result.fun_std);
    line.add("noise", result.noise);
    line.add("lowest_fun", result.lowest_fun);
  }
  line.add_json("x", numbers(result.x, coordinates_of_the_end));
  line.add_json("mean", numbers(result.xfavorite, coordinates_of_the_end));
  line.add_json("stds", short_numbers(result.stds, coordinates_of_the_end));
  if (result.last_run_mean.size() > 0) {
    line.add_json("last_run_mean", numbers(result.last_run_mean, coordinates_of_the_end));
    line.add_json("last_run_stds", short_numbers(result.last_run_stds, coordinates_of_the_end));
  }
  add_best_constraints(line, result, coordinates_of_the_end);
  const std::string correlations =
      correlations_of(search, search.distribution(), result.x.size(), coordinates_of_the_end);
  if (!correlations.empty()) line.add_json("correlations", correlations);
  line.add_json("runs", json_of_runs(result.runs));
  add_budgets(line, search.options());
  return line;
}

}  // namespace surefoot
