#include "cli/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/fit_data.hpp"
#include "cli/minimize_setup.hpp"
#include "cli/program_setup.hpp"
#include "cli/ranks.hpp"
#include "cli/signals.hpp"
#include "core/invalid_option.hpp"
#include "core/printable_text.hpp"
#include "driver/number_list.hpp"
#include "evaluators/account_text.hpp"
#include "surefoot/least_squares.hpp"

namespace surefoot::cli {
namespace {

using FitJson = nlohmann::ordered_json;

/// Options of `minimize` that a fit has a use for.
const std::set<std::string>& fit_options() {
  static const std::set<std::string> names = {
      "--command",   "--args",         "--persistent", "--template", "--output",       "--input",   "--residuals",
      "--data",      "--loss",         "--loss-scale", "--noise",    "--keep",         "--folders", "--check",
      "--param",     "--x0",           "--sigma0",     "--lower",    "--upper",        "--dim",     "--seed",
      "--workers",   "--eval-timeout", "--batch",      "--restarts", "--maxfevals",    "--retry",   "--checkpoint",
      "--overwrite", "--json",         "--quiet",      "--config",   "--print-config", "--help"};
  return names;
}

void refuse_other_options(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || fit_options().contains(name)) continue;
    throw std::invalid_argument(name.substr(name.find_first_not_of('-')) +
                                ": not together with --residuals and --data: a fit has no use for it");
  }
}

bool is_given(const CLI::App& command, const char* option) { return command.get_option(option)->count() > 0; }

std::optional<Index> residual_count(const MinimizeRequest& request) {
  if (request.residuals.empty() || request.residuals == "auto") return {};
  const std::vector<double> numbers = numbers_of("residuals", request.residuals);
  if (numbers.size() != 1 || !(numbers[0] >= 1 && numbers[0] <= 1e9) || numbers[0] != std::floor(numbers[0])) {
    reject("residuals", "'" + request.residuals + "'", "give their number, or auto");
  }
  return static_cast<Index>(numbers[0]);
}

/// The start of a fit as the library takes it.
struct FitStart {
  Vector x0;
  LeastSquaresOptions options;
};

FitStart start_of(const Space& space) {
  FitStart start{Vector(space.size()), {}};
  start.options.bounds = {Vector(space.size()), Vector(space.size())};
  bool has_start = false;
  bool is_boxed = true;
  Vector sigma0 = Vector::Zero(space.size());
  for (Index j = 0; j < space.size(); ++j) {
    const Parameter& p = space[j];
    if (p.kind != Parameter::Kind::real && p.kind != Parameter::Kind::fixed) {
      reject("param", p.text(), "a fit has real parameters only");
    }
    const bool has_box = std::isfinite(p.low) && std::isfinite(p.high);
    const double middle = has_box ? (p.log ? std::sqrt(p.low * p.high) : p.low + (p.high - p.low) / 2) : 0;
    const bool is_fixed = p.is_fixed();
    start.x0[j] = p.start.value_or(middle);
    if (!has_box && !p.start) reject("param", p.text(), "without two limits it needs a start, as in real(start=1)");
    start.options.bounds.lower[j] = is_fixed ? start.x0[j] : p.low;
    start.options.bounds.upper[j] = is_fixed ? start.x0[j] : p.high;
    start.options.log.push_back(p.log && !is_fixed);
    start.options.names.push_back(p.name);
    sigma0[j] = !p.sigma ? std::abs(start.x0[j]) / 4 : p.log ? start.x0[j] * (*p.sigma - 1) : *p.sigma;
    if (sigma0[j] == 0) sigma0[j] = 0.25;
    has_start = has_start || (p.start && !is_fixed);
    is_boxed = is_boxed && (has_box || is_fixed);
  }
  start.options.sigma0 = sigma0;
  start.options.starts_at_x0 = has_start || !is_boxed;
  return start;
}

FitStart start_of(const MinimizeRequest& request) {
  if (!request.params.empty()) return start_of(space_of(request));
  FitStart start{point_of("x0", request.x0), {}};
  start.options.bounds = {vector_of("lower", request.lower), vector_of("upper", request.upper)};
  start.options.sigma0 = vector_of("sigma0", request.sigma0);
  if (start.x0.size() > 0) return start;
  const Bounds& bounds = start.options.bounds;
  if (bounds.empty() || bounds.lower.size() != bounds.upper.size() || !bounds.lower.allFinite() ||
      !bounds.upper.allFinite()) {
    throw std::invalid_argument("x0 is missing: give --x0 X1,X2,..., or --lower and --upper for each parameter");
  }
  start.x0 = bounds.lower + (bounds.upper - bounds.lower) / 2;
  start.options.starts_at_x0 = false;
  return start;
}

std::int64_t restarts_of(const Restarts& restarts, bool starts_at_x0) {
  if (restarts.kind == Restarts::Kind::automatic) return starts_at_x0 ? 0 : -1;
  return restarts.kind == Restarts::Kind::none ? 0 : restarts.maximum;
}

FitStart completed_start(const MinimizeRequest& request, const CLI::App& command, const FitData* data) {
  FitStart start = start_of(request);
  LeastSquaresOptions& options = start.options;
  const Options& given = request.options;
  const bool has_batch = is_given(command, "--batch") && !given.batch.is_automatic();
  options.workers = given.workers;
  options.batch = has_batch ? given.batch.size : given.workers;
  options.max_nfev = given.maxfevals.value_or(0);
  options.restarts = restarts_of(given.restarts, options.starts_at_x0);
  options.seed = given.seed.value_or(1);
  if (!request.loss.empty()) options.loss = request.loss;
  options.loss_scale = request.loss_scale.value_or(1);
  options.noise = request.options.noise.text();
  options.about = objective_of(request);
  if (data != nullptr) options.sigma = data->sigma;
  return start;
}

/// The table of residuals of a generation: one column per candidate, NaN where it has failed.
class FitRound {
 public:
  FitRound(std::optional<Index> count, const FitData* data) : count_(count), data_(data) {
    if (data != nullptr) count_ = data->values.size();
  }

  Matrix table(const Generation& generation) {
    for (Index j = 0; j < generation.size(); ++j) {
      const Outcome& outcome = generation.outcome(j);
      if (outcome.state == Outcome::State::evaluated) require_count(1 + static_cast<Index>(outcome.constraints.size()));
    }
    Matrix table = Matrix::Constant(count_.value_or(0), generation.size(), std::numeric_limits<double>::quiet_NaN());
    for (Index j = 0; j < generation.size(); ++j) {
      const Outcome& outcome = generation.outcome(j);
      if (outcome.state != Outcome::State::evaluated) continue;
      const std::vector<double> values = values_of(outcome);
      table.col(j) = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
      if (data_ != nullptr) table.col(j) -= data_->values;
    }
    return table;
  }

 private:
  void require_count(Index count) {
    if (!count_) count_ = count;
    if (count == *count_) return;
    const char* option = data_ != nullptr ? "data" : "residuals";
    reject(option, text(*count_),
           "the last line of your program's output has " + text(count) + (data_ != nullptr ? " values" : " residuals") +
               "; print all on one line, separated by blanks or commas, or name their source with --output");
  }

  std::optional<Index> count_;
  const FitData* data_;
};

void evaluate_all(Evaluator& evaluator, Generation& generation, int retry) {
  do evaluator.evaluate(generation);
  while (generation.reopen_failures(retry) && !generation.cancelled());
}

std::string number(double value) { return fmt::format("{:.7g}", value); }

/// One line for each parameter.
std::string parameter_lines(const LeastSquares& fit, const std::vector<std::string>& names) {
  const bool has_errors = fit.deviations.size() > 0;
  std::size_t width = 9;
  for (const std::string& name : names) width = std::max(width, name.size());
  std::string lines = fmt::format("{:<{}}  {:>14}", "parameter", width, "value");
  lines += has_errors ? fmt::format("  {:>12}  95 % interval\n", "deviation") : "\n";
  for (Index i = 0; i < fit.x.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    lines += fmt::format("{:<{}}  {:>14}", names[k], width, number(fit.x[i]));
    if (fit.active[k] != 0) {
      lines += fit.active[k] < 0 ? "  on its lower limit" : "  on its upper limit";
    } else if (has_errors && fit.deviations[i] == 0) {
      lines += "  fixed";
    } else if (has_errors) {
      lines += fmt::format("  {:>12.3g}  {} to {}", fit.deviations[i], number(fit.intervals(i, 0)),
                           number(fit.intervals(i, 1)));
    }
    lines += "\n";
  }
  return lines;
}

std::string fit_summary(const LeastSquares& fit, const LeastSquaresOptions& options) {
  if (!std::isfinite(fit.f)) return fmt::format("best f   no evaluation succeeded\nstopped  {}\n", fit.message);
  const Index m = fit.residuals.size();
  std::string lines = fmt::format("best f   {:.10g}, the sum of {} squared residual{}\n", fit.f, m, m == 1 ? "" : "s");
  lines += parameter_lines(fit, options.names);
  if (!fit.no_errors.empty()) lines += fmt::format("errors   not known: {}\n", fit.no_errors);
  if (fit.deviations.size() > 0 && !options.absolute_sigma) {
    lines += fmt::format("residual deviation {:.4g}", std::sqrt(fit.residual_variance));
    lines += fit.noise_variance > 0
                 ? fmt::format(", noise of repeated evaluations {:.4g}\n", std::sqrt(fit.noise_variance))
                 : "\n";
  }
  for (const std::string& words : fit.undetermined)
    lines += fmt::format("weak     the data hardly determine {}\n", words);
  lines += fmt::format("stopped  {}\ncost     {} evaluation{}, {} round{} (seed {})\n", fit.message, fit.nfev,
                       fit.nfev == 1 ? "" : "s", fit.rounds, fit.rounds == 1 ? "" : "s", options.seed);
  if (fit.nfailed > 0) lines += fmt::format("failed   {} of {} evaluations\n", fit.nfailed, fit.nfev);
  for (std::size_t i = 0; fit.runs.size() > 1 && i < fit.runs.size(); ++i) {
    lines += fmt::format("run {:<4} best f {:.6g}, {} evaluations, {}\n", i + 1, fit.runs[i].f, fit.runs[i].nfev,
                         fit.runs[i].end);
  }
  return lines;
}

FitJson json_rows(const Matrix& matrix) {
  FitJson rows = FitJson::array();
  for (Index i = 0; i < matrix.rows(); ++i) {
    const Vector row = matrix.row(i);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

FitJson fit_json(const LeastSquares& fit, const LeastSquaresOptions& options) {
  const auto list = [](const Vector& v) { return std::vector<double>(v.begin(), v.end()); };
  FitJson json = {
      {"x", list(fit.x)}, {"fun", fit.f}, {"success", fit.success}, {"stop", fit.stop}, {"message", fit.message}};
  FitJson params = FitJson::object();
  for (Index i = 0; i < fit.x.size(); ++i) params[options.names[static_cast<std::size_t>(i)]] = fit.x[i];
  json["params"] = params;
  json["residuals"] = list(fit.residuals);
  json["stderr"] = list(fit.deviations);
  json["interval95"] = json_rows(fit.intervals);
  json["covariance"] = json_rows(fit.covariance);
  json["correlation"] = json_rows(fit.correlation);
  json["active"] = fit.active;
  json["undetermined"] = fit.undetermined;
  json["errors"] = fit.no_errors;
  json["noise"] = std::sqrt(fit.noise_variance);
  json["nfev"] = fit.nfev;
  json["nfailed"] = fit.nfailed;
  json["rounds"] = fit.rounds;
  json["seed"] = options.seed;
  FitJson runs = FitJson::array();
  for (const LeastSquaresRun& run : fit.runs) runs.push_back({{"nfev", run.nfev}, {"f", run.f}, {"end", run.end}});
  json["runs"] = runs;
  return json;
}

void tell_fit(const MinimizeRequest& request, const LeastSquares& fit, const LeastSquaresOptions& options) {
  if (request.json) {
    fmt::print("{}\n", fit_json(fit, options).dump(-1, ' ', false, FitJson::error_handler_t::replace));
  } else {
    fmt::print("{}", printable(fit_summary(fit, options)));
  }
}

/// One evaluation at the start, with all that belongs to it.
Exit check_fit(const MinimizeRequest& request, const FitStart& start, FitRound& round) {
  Generation generation;
  generation.start(LeastSquaresSearch(start.x0, start.options).ask().col(0));
  generation.on_cancel([] { return interruption().load(); });
  fmt::print("start    {}\n", describe(space_of(request), generation.population().col(0)));
  watch_signals();
  const auto show = [](ProgramAccount account) {
    account.answer.values.clear();  // there may be thousands
    fmt::print("{}", account_text(account, {}));
  };
  program_of(request, 1, show)->evaluate(generation);
  if (!generation.is_complete()) return Exit::interrupted;
  if (!generation.failures().empty()) return Exit::failing;
  Vector r = round.table(generation).col(0);
  if (start.options.sigma.size() == r.size()) r = r.cwiseQuotient(start.options.sigma);
  Index largest = 0;
  r.cwiseAbs().maxCoeff(&largest);
  fmt::print("fit      {} residuals, f = {}, the first is {}, the largest is number {}: {}\n", r.size(),
             number(r.squaredNorm()), number(r[0]), largest + 1, number(r[largest]));
  return Exit::success;
}

/// What 'surefoot resume' sets the fit up with.
std::string origin_of(const MinimizeRequest& request) {
  return to_text({std::filesystem::current_path().string(), request.words});
}

Exit exit_of_fit(const LeastSquares& fit, bool is_interrupted) {
  if (is_interrupted) return Exit::interrupted;
  if (fit.success) return Exit::success;
  return std::isfinite(fit.f) ? Exit::stopped : Exit::failing;
}

}  // namespace

Exit run_fit(const MinimizeRequest& request, const CLI::App& command) {
  if (request.command.empty()) {
    throw std::invalid_argument("residuals: only together with --command, a program of yours");
  }
  refuse_other_options(command);
  if (request.eval_timeout) require_positive("eval-timeout", *request.eval_timeout);
  if (request.overwrite && request.checkpoint.empty()) {
    throw std::invalid_argument("overwrite: only together with --checkpoint FILE");
  }
  const std::optional<FitData> data = request.data.empty() ? std::nullopt : std::optional(read_fit_data(request.data));
  const FitData* const measured = data ? &*data : nullptr;
  FitRound round(residual_count(request), measured);
  const FitStart start = completed_start(request, command, measured);
  if (request.check) return check_fit(request, start, round);
  LeastSquaresSearch search(start.x0, start.options);
  const std::unique_ptr<ProgramEvaluator> program = program_of(request, start.options.workers);
  program->number_by([&search] { return search.rounds() + 1; });
  if (!request.checkpoint.empty()) search.keep_in(request.checkpoint, request.overwrite, origin_of(request));
  watch_signals();
  while (!search.is_finished() && !interruption()) {
    Generation generation;
    generation.start(search.ask());
    generation.on_cancel([] { return interruption().load(); });
    evaluate_all(*program, generation, request.options.failures.retry);
    if (!generation.is_complete()) break;
    search.tell(round.table(generation));
    search.save();
  }
  search.save(true);
  const LeastSquares fit = search.result();
  tell_fit(request, fit, search.options());
  return exit_of_fit(fit, interruption() && !search.is_finished());
}

}  // namespace surefoot::cli
