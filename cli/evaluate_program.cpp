#include "cli/evaluate_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "cli/minimize_setup.hpp"
#include "cli/program_setup.hpp"
#include "cli/signals.hpp"
#include "cli/trouble.hpp"
#include "core/edit_distance.hpp"
#include "core/invalid_option.hpp"
#include "driver/number_list.hpp"
#include "evaluators/account_text.hpp"
#include "evaluators/answer_text.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot::cli {
namespace {

/// A value that a search could ask for, but for its limits: beyond them one may look around.
double allowed_value(const Parameter& p, const std::string& option, const std::string& word) {
  using Kind = Parameter::Kind;
  const double value = p.parse(word);
  const auto refuse = [&](const std::string& allowed) { reject(option, "'" + word + "'", p.name + allowed); };
  if (!std::isfinite(value)) refuse(" must be a finite number");
  if (p.kind == Kind::integer && value != std::floor(value)) refuse(" is an integer");
  if (p.kind == Kind::fixed && value != p.start) refuse(" is fixed at " + p.format(p.start.value_or(0)));
  if (p.kind == Kind::grid && std::find(p.values.begin(), p.values.end(), value) == p.values.end()) {
    refuse(" is one of a grid: " + p.text());
  }
  if (p.log && value <= 0) refuse(" is on a log scale, so it must be > 0");
  return value;
}

double value_of(const Space& space, Index j, const std::string& option, const std::string& word) {
  if (!space.empty()) return allowed_value(space[j], option, word);
  const auto number = number_of(word);
  if (!number || !std::isfinite(*number)) reject(option, "'" + word + "'", "it must be a finite number");
  return *number;
}

/// A point of stdin: one value a parameter, separated by blanks or commas.
Vector point_of_line(const Space& space, const std::string& line, int number) {
  std::string words = line;
  std::replace(words.begin(), words.end(), ',', ' ');
  std::istringstream in(words);
  const std::string option = fmt::format("line {}", number);
  std::vector<double> values;
  for (std::string word; in >> word;) {
    const auto j = static_cast<Index>(values.size());
    if (!space.empty() && j >= space.size()) {
      reject(option, "'" + line + "'", fmt::format("there are {} parameters", space.size()));
    }
    values.push_back(value_of(space, j, option, word));
  }
  const bool is_short = !space.empty() && static_cast<Index>(values.size()) < space.size();
  if (values.empty() || is_short) {
    reject(option, "'" + line + "'",
           space.empty() ? "a point is a list of numbers" : fmt::format("there are {} parameters", space.size()));
  }
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

/// Where a search would start; empty if nothing says it.
Vector start_of(const MinimizeRequest& request, const Space& space) {
  if (space.empty()) return point_of("x0", request.x0);
  if (!request.x0.empty()) throw std::invalid_argument("x0: not together with --param, which says it");
  return Optimizer(space, {.evaluate_x0 = true, .seed = 1}).ask().col(0);
}

/// One evaluation after the other.
class Teller {
 public:
  explicit Teller(const MinimizeRequest& request)
      : program_(
            program_of(request, 1, [show = request.check, rules = named_rules(request)](const ProgramAccount& account) {
              if (show) return fmt::print("{}", account_text(account, rules));
              if (account.answer.failure) return tell_trouble("evaluate: " + account.answer.reason);
              fmt::print("{:.17g}\n", fmt::join(account.answer.values, " "));
            })) {}

  /// False once somebody has interrupted.
  bool tell(const Vector& x) {
    Generation generation;
    generation.start(x);
    generation.on_cancel([] { return interruption().load(); });
    program_->evaluate(generation);
    has_failed_ = has_failed_ || !generation.failures().empty();
    std::fflush(stdout);
    return generation.is_complete();
  }

  [[nodiscard]] bool has_failed() const { return has_failed_; }

 private:
  std::unique_ptr<ProgramEvaluator> program_;
  bool has_failed_ = false;
};

}  // namespace

const std::vector<std::string>& evaluate_options() {
  static const std::vector<std::string> names = {"problem", "instance",     "dim",         "command",    "args",
                                                 "param",   "template",     "output",      "minimize",   "maximize",
                                                 "limit",   "input",        "keep",        "folders",    "check",
                                                 "x0",      "eval_timeout", "constraints", "equalities", "config"};
  return names;
}

Vector with_settings(const Space& space, Vector x, const std::vector<std::string>& settings) {
  if (x.size() == 0) {
    x = Vector::Constant(static_cast<Index>(settings.size()), std::numeric_limits<double>::quiet_NaN());
  }
  const std::vector<std::string> names = parameter_names(space, x.size());
  for (const std::string& setting : settings) {
    const std::size_t equals = std::min(setting.find('='), setting.size());
    const std::string name = setting.substr(0, equals);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      reject("set", "'" + setting + "'", "it is NAME=VALUE; names are " + listed(names) + suggestion(name, names));
    }
    if (equals == setting.size()) reject("set", "'" + setting + "'", "it is NAME=VALUE, as in " + name + "=1");
    const auto j = static_cast<Index>(found - names.begin());
    x[j] = value_of(space, j, "set " + name, setting.substr(equals + 1));
  }
  for (Index j = 0; j < x.size(); ++j) {
    if (std::isnan(x[j])) reject("set", "no " + names[static_cast<std::size_t>(j)], "all coordinates are needed");
  }
  return x;
}

Exit evaluate_program(const MinimizeRequest& request, const std::vector<std::string>& settings) {
  const Space space = space_of(request);
  Teller teller(request);
  watch_signals();
  bool goes_on = true;
  const Vector start = start_of(request, space);
  if (!settings.empty() || (request.check && start.size() > 0)) {
    goes_on = teller.tell(with_settings(space, start, settings));
  } else {
    int number = 0;
    for (std::string line; goes_on && std::getline(std::cin, line);) {
      goes_on = teller.tell(point_of_line(space, line, ++number));
    }
  }
  if (!goes_on) return Exit::interrupted;
  return teller.has_failed() ? Exit::failing : Exit::success;
}

}  // namespace surefoot::cli
