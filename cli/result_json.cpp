#include "cli/result_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "driver/merit/output_limits.hpp"

namespace surefoot::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A message may quote what a program printed, which may be no UTF-8.
std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// One object, member by member.
class JsonWriter {
 public:
  explicit JsonWriter(std::FILE* file) : file_(file) {}

  void member(std::string_view key, const Json& value) {
    begin(key);
    put(dumped(value));
  }
  void numbers(std::string_view key, const auto& values) {
    begin(key);
    put("[");
    bool is_first = true;
    for (const double value : values) {
      if (!is_first) put(",");
      put(Json(value).dump());
      is_first = false;
    }
    put("]");
  }
  void end() { put("}\n"); }

 private:
  void begin(std::string_view key) {
    put(is_empty_ ? "{" : ",");
    is_empty_ = false;
    put(Json(key).dump());
    put(":");
  }
  /// What cannot be written is noticed when the output is flushed.
  void put(std::string_view text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), file_)); }

  std::FILE* file_;
  bool is_empty_ = true;
};

/// A number, an integer without a fraction or the name of a choice.
Json value_of(const Parameter& p, double value) {
  if (p.kind == Parameter::Kind::choice) return p.format(value);
  if (p.kind == Parameter::Kind::integer) return static_cast<std::int64_t>(value);
  return value;
}

Json params_of(const Result& result) {
  Json params = Json::object();
  const Space& space = result.values.space();
  for (Index j = 0; j < space.size(); ++j) params[space[j].name] = value_of(space[j], result.x[j]);
  return params;
}

Json json_of(const std::vector<RunSummary>& runs) {
  Json list = Json::array();
  for (const RunSummary& run : runs) {
    list.push_back({{"popsize", run.popsize},
                    {"sigma_factor", run.sigma_factor},
                    {"nfev", run.nfev},
                    {"nit", run.nit},
                    {"fun", run.fun},
                    {"stop", name(run.stop)}});
  }
  return list;
}

Json json_of(const std::vector<LimitState>& states) {
  const auto side = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  Json list = Json::array();
  for (const LimitState& state : states) {
    list.push_back({{"name", state.limit.name},
                    {"low", side(state.limit.low)},
                    {"high", side(state.limit.high)},
                    {"value", state.value},
                    {"met", !(state.excess > 0)},
                    {"excess", state.excess},
                    {"multiplier", state.multiplier ? Json(*state.multiplier) : Json()}});
  }
  return list;
}

void add_constraints(JsonWriter& json, const SearchEnd& end) {
  const Result& result = end.result;
  if (result.ncev == 0) return;
  const auto middle =
      result.constraints.begin() + std::min<std::ptrdiff_t>(end.options.constraints, std::ssize(result.constraints));
  json.member("feasible", result.feasible);
  json.member("violation", result.violation);
  json.member("constraint_names", result.constraint_names);
  json.numbers("g", std::vector<double>(result.constraints.begin(), middle));
  json.numbers("h", std::vector<double>(middle, result.constraints.end()));
  json.numbers("multipliers", result.multipliers);
  json.member("ncev", result.ncev);
}

void add_outputs(JsonWriter& json, const SearchEnd& end) {
  const OutputUse& use = end.use;
  if (use.is_plain()) return;
  const double value = use.is_maximized() ? -end.result.fun : end.result.fun;
  json.member("objective", {{"name", use.objective()}, {"maximized", use.is_maximized()}, {"value", value}});
  json.member("limits", json_of(states_of(use.limits(), end.result.constraints, end.result.multipliers)));
}

}  // namespace

void write_json(const SearchEnd& end, std::FILE* file) {
  const Result& result = end.result;
  JsonWriter json(file);
  json.numbers("x", result.x);
  json.member("fun", result.fun);
  if (result.noise > 0) {
    json.member("fun_std", result.fun_std);
    json.member("noise", result.noise);
    json.member("lowest_fun", result.lowest_fun);
    json.numbers("lowest_x", result.lowest_x);
  }
  json.member("nfev", result.nfev);
  json.member("nit", result.nit);
  json.member("nfailed", result.nfailed);
  json.member("success", result.success);
  json.member("status", static_cast<int>(result.stop));
  json.member("stop", name(result.stop));
  json.member("message", result.message);
  json.member("seed", result.seed);
  json.member("method", end.options.method);
  json.member("model", end.options.model);
  json.numbers("xfavorite", result.xfavorite);
  json.numbers("stds", result.stds);
  json.numbers("last_run_mean", result.last_mean());
  json.numbers("last_run_stds", result.last_stds());
  json.member("runs", json_of(result.runs));
  if (!result.values.space().empty()) json.member("params", params_of(result));
  add_constraints(json, end);
  add_outputs(json, end);
  json.end();
}

}  // namespace surefoot::cli
