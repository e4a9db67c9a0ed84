#include "surefoot/space.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <ostream>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "core/printable_text.hpp"
#include "driver/space/space_text.hpp"

namespace surefoot {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr double largest_integer = 9007199254740992.0;  // 2^53: beyond it doubles know no odd numbers
constexpr const char* limits_of_integers = "limits of an integer must be integers from -2^53 to 2^53, 9007199254740992";

[[noreturn]] void refuse(const Parameter& p, const std::string& value, const std::string& allowed) {
  reject("parameter " + p.name, value, allowed);
}

/// About a part of a parameter, or one that is missing.
[[noreturn]] void refuse_part(const Parameter& p, const std::string& part, const std::string& allowed) {
  throw std::invalid_argument("parameter " + p.name + ": " + part + " is not allowed: " + allowed);
}

[[noreturn]] void refuse_missing(const Parameter& p, const std::string& part) {
  const std::string kind = p.kind == Parameter::Kind::integer ? "int" : "real";
  if (p.log && std::isfinite(p.high) && p.low == 0) {
    refuse_part(p, "low = 0",
                "on a log scale it must be positive; or give start and sigma, as " + kind + "(0," + text(p.high) +
                    ",log,start=X,sigma=FACTOR)");
  }
  throw std::invalid_argument("parameter " + p.name + ": " + part +
                              " is missing; without two finite limits it needs start and sigma, as " + kind +
                              "(start=1,sigma=" + (p.log ? "2,log)" : "0.5)"));
}

bool is_name(const std::string& name) {
  const auto is_inner = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; };
  if (name.empty() || (std::isalpha(static_cast<unsigned char>(name[0])) == 0 && name[0] != '_')) return false;
  return std::all_of(name.begin(), name.end(), is_inner);
}

void check_limits(const Parameter& p) {
  if (std::isnan(p.low) || p.low == no_limit) refuse_part(p, "low = " + text(p.low), "it must be a number or -inf");
  if (std::isnan(p.high) || p.high == -no_limit) refuse_part(p, "high = " + text(p.high), "it must be a number or inf");
  if (p.low > p.high) refuse_part(p, "low = " + text(p.low), "it must be at most high, " + text(p.high));
  if (p.log && p.low < 0 && p.low != -no_limit) {
    refuse_part(p, "low = " + text(p.low), "on a log scale it must be positive");
  }
  if (p.log && !(p.high > 0)) refuse_part(p, "high = " + text(p.high), "on a log scale it must be positive");
}

/// A limit beyond 2^53 may be rounded to another integer, without a word.
double exact_limit(const Parameter& p, std::int64_t limit) {
  if (std::abs(static_cast<double>(limit)) > largest_integer ||
      static_cast<std::int64_t>(static_cast<double>(limit)) != limit) {
    refuse(p, surefoot::text(limit), limits_of_integers);
  }
  return static_cast<double>(limit);
}

void check_integer(const Parameter& p) {
  for (const double limit : {p.low, p.high}) {
    if (std::isinf(limit)) continue;
    if (std::floor(limit) != limit || std::abs(limit) > largest_integer) {
      refuse(p, text(limit), limits_of_integers);
    }
  }
  if (p.log && !(p.low >= 1)) {
    refuse_part(p, "low = " + text(p.low), "an integer on a log scale must be at least 1");
  }
}

void check_grid(const Parameter& p) {
  if (p.values.empty()) refuse_part(p, "an empty grid", "it needs values, as grid(32,64,128)");
  for (std::size_t k = 0; k < p.values.size(); ++k) {
    if (!std::isfinite(p.values[k])) refuse(p, text(p.values[k]), "values of a grid must be finite");
    if (k > 0 && !(p.values[k] > p.values[k - 1])) {
      refuse(p, text(p.values[k - 1]) + "," + text(p.values[k]),
             "values of a grid must ascend; for values without an order there is choice");
    }
  }
  if (p.log && !(p.values.front() > 0)) {
    refuse(p, text(p.values.front()), "values on a log scale must be positive");
  }
}

void check_choice(const Parameter& p) {
  if (p.choices.empty()) refuse_part(p, "an empty choice", "it needs names, as choice(relu,tanh)");
  std::set<std::string> seen;
  for (const std::string& choice : p.choices) {
    if (choice.empty()) refuse_part(p, "an empty name", "every value of a choice needs a name");
    // A program would read a line break as the end of its line, and answer half of the question.
    if (has_control_character(choice)) {
      refuse(p, "'" + printable_line(choice) + "'",
             "the name of a choice must not have line breaks or other control characters");
    }
    if (!seen.insert(choice).second) refuse(p, "'" + choice + "'", "each value of a choice must have its own name");
  }
  if (p.sigma) refuse_part(p, "sigma = " + text(*p.sigma), "a choice has no standard deviation");
}

bool has_positive_low(const Parameter& p) { return p.low > 0; }

/// Whether the middle of the range is a start, and a quarter of it a width.
bool has_width(const Parameter& p) {
  if (p.kind == Parameter::Kind::grid) return true;
  return std::isfinite(p.high) && (p.log ? has_positive_low(p) : std::isfinite(p.low));
}

void check_start(const Parameter& p) {
  if (p.kind == Parameter::Kind::choice || p.kind == Parameter::Kind::fixed || p.is_fixed()) return;
  if (p.start) {
    const double low = p.kind == Parameter::Kind::grid ? p.values.front() : p.low;
    const double high = p.kind == Parameter::Kind::grid ? p.values.back() : p.high;
    if (!std::isfinite(*p.start) || *p.start < low || *p.start > high || (p.log && *p.start <= 0)) {
      refuse_part(p, "start = " + text(*p.start),
                  "it must be from " + text(p.log ? std::max(low, 0.0) : low) + " to " + text(high));
    }
  } else if (!has_width(p)) {
    refuse_missing(p, "start");
  }
  if (p.sigma) {
    const bool is_positive = std::isfinite(*p.sigma) && *p.sigma > (p.log ? 1 : 0);
    if (!is_positive) {
      refuse_part(
          p, "sigma = " + text(*p.sigma),
          p.log ? "on a log scale it is a factor above 1: 2 means times or divided by 2" : "it must be positive");
    }
  } else if (!has_width(p)) {
    refuse_missing(p, "sigma");
  }
}

void check_parameter(const Parameter& p) {
  if (!is_name(p.name)) {
    reject("parameter", "'" + p.name + "'", "a name begins with a letter or _, followed by letters, digits, _, . or -");
  }
  switch (p.kind) {
    case Parameter::Kind::fixed:
      if (!p.start || !std::isfinite(*p.start)) refuse(p, text(p.start.value_or(no_limit)), "it must be finite");
      return;
    case Parameter::Kind::choice: check_choice(p); break;
    case Parameter::Kind::grid: check_grid(p); break;
    case Parameter::Kind::integer:
      check_limits(p);
      check_integer(p);
      break;
    case Parameter::Kind::real: check_limits(p); break;
  }
  check_start(p);
}

Parameter parameter(const std::string& name, Parameter::Kind kind) {
  Parameter p;
  p.name = name;
  p.kind = kind;
  return p;
}

std::string digits_of(double value, int digits) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::general, digits);
  return {buffer.begin(), end.ptr};
}

/// Names that are not plain words are quoted.
std::string quoted(const std::string& choice) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; };
  if (std::all_of(choice.begin(), choice.end(), is_plain)) return choice;
  std::string all = "'";
  for (const char c : choice) {
    if (c == '\'' || c == '\\') all += '\\';
    all += c;
  }
  return all + "'";
}

}  // namespace

bool Parameter::is_fixed() const {
  switch (kind) {
    case Kind::fixed: return true;
    case Kind::choice: return choices.size() == 1;
    case Kind::grid: return values.size() == 1;
    default: return low == high;
  }
}

std::string Parameter::format(double value) const {
  if (kind != Kind::choice) return surefoot::text(value);
  const bool is_one = value >= 0 && value < static_cast<double>(choices.size());
  return is_one ? choices[static_cast<std::size_t>(value)] : surefoot::text(value);
}

double Parameter::parse(const std::string& word) const {
  if (kind == Kind::choice) {
    const auto found = std::find(choices.begin(), choices.end(), word);
    if (found == choices.end()) refuse(*this, "'" + word + "'", "it must be one of " + listed(choices));
    return static_cast<double>(found - choices.begin());
  }
  const std::optional<double> number = engineering_number(word);
  if (!number) refuse(*this, "'" + word + "'", "it must be a number");
  return *number;
}

std::string Parameter::text() const {
  std::vector<std::string> items;
  if (kind == Kind::fixed) return name + "=fixed(" + surefoot::text(start.value_or(0)) + ")";
  if (kind == Kind::choice) {
    for (const std::string& choice : choices) items.push_back(quoted(choice));
    if (start) items.push_back("start=" + quoted(choices[static_cast<std::size_t>(*start)]));
  } else {
    if (kind == Kind::grid) {
      for (const double value : values) items.push_back(surefoot::text(value));
    } else {
      items = {surefoot::text(low), surefoot::text(high)};
    }
    if (log) items.emplace_back("log");
    if (start) items.push_back("start=" + surefoot::text(*start));
    if (sigma) items.push_back("sigma=" + surefoot::text(*sigma));
  }
  constexpr std::array names = {"real", "int", "grid", "choice", "fixed"};
  std::string all = name + "=" + names[static_cast<std::size_t>(kind)] + "(";
  for (std::size_t i = 0; i < items.size(); ++i) all += (i > 0 ? "," : "") + items[i];
  return all + ")";
}

RealParameter Space::real(const std::string& name, const RealRange& range) {
  Parameter p = parameter(name, Parameter::Kind::real);
  p.low = range.low;
  p.high = range.high;
  p.log = range.log;
  p.start = range.start;
  p.sigma = range.sigma;
  add(std::move(p));
  return {size() - 1};
}

IntegerParameter Space::integer(const std::string& name, const IntegerRange& range) {
  Parameter p = parameter(name, Parameter::Kind::integer);
  if (range.low) p.low = exact_limit(p, *range.low);
  if (range.high) p.high = exact_limit(p, *range.high);
  p.log = range.log;
  p.start = range.start;
  p.sigma = range.sigma;
  add(std::move(p));
  return {size() - 1};
}

GridParameter Space::grid(const std::string& name, std::vector<double> values, const GridStart& start) {
  Parameter p = parameter(name, Parameter::Kind::grid);
  p.values = std::move(values);
  p.log = start.log;
  p.start = start.start;
  p.sigma = start.sigma;
  add(std::move(p));
  return {size() - 1};
}

ChoiceParameter Space::choice(const std::string& name, std::vector<std::string> choices,
                              const std::optional<std::string>& start) {
  Parameter p = parameter(name, Parameter::Kind::choice);
  p.choices = std::move(choices);
  if (start) p.start = p.parse(*start);
  add(std::move(p));
  return {size() - 1};
}

RealParameter Space::fixed(const std::string& name, double value) {
  Parameter p = parameter(name, Parameter::Kind::fixed);
  p.start = value;
  add(std::move(p));
  return {size() - 1};
}

Space& Space::add(const std::string& text) { return add(parameter_from_text(text)); }

/// Copies what others share, so that an optimizer's space stays as it is.
Space& Space::add(Parameter p) {
  check_parameter(p);
  if (const auto same = find(p.name)) {
    refuse(p, "'" + p.text() + "'",
           "there is a parameter of this name already, " + (*parameters_)[static_cast<std::size_t>(*same)].text());
  }
  if (parameters_.use_count() > 1) parameters_ = std::make_shared<std::vector<Parameter>>(*parameters_);
  parameters_->push_back(std::move(p));
  return *this;
}

std::optional<Index> Space::find(const std::string& name) const {
  const auto found =
      std::find_if(parameters_->begin(), parameters_->end(), [&](const Parameter& p) { return p.name == name; });
  if (found == parameters_->end()) return std::nullopt;
  return static_cast<Index>(found - parameters_->begin());
}

std::string Space::text() const {
  std::string all;
  for (const Parameter& p : *parameters_) all.append(all.empty() ? "" : ";").append(p.text());
  return all;
}

Space Space::from_text(const std::string& text) {
  Space space;
  for (const std::string& part : split_outside_quotes(text, ';')) space.add(part);
  return space;
}

std::string parameter_name(const Space& space, Index j) {
  return space.empty() ? std::string("x").append(text(j)) : space[j].name;
}

std::vector<std::string> parameter_names(const Space& space, Index dimension) {
  std::vector<std::string> names;
  for (Index j = 0; j < dimension; ++j) names.push_back(parameter_name(space, j));
  return names;
}

std::string parameter_text(const Space& space, Index j, double value, std::optional<int> digits) {
  const bool is_number = space.empty() || space[j].kind != Parameter::Kind::choice;
  const bool is_exact = !space.empty() && space[j].kind == Parameter::Kind::integer;
  if (is_number && digits && !is_exact) return digits_of(value, *digits);
  return space.empty() ? text(value) : space[j].format(value);
}

std::string describe(const Space& space, const Vector& x, std::optional<int> digits, Index most) {
  std::string all;
  for (Index j = 0; j < std::min(most, x.size()); ++j) {
    all.append(j > 0 ? ", " : "").append(parameter_name(space, j)).append(" = ");
    all.append(parameter_text(space, j, x[j], digits));
  }
  return all;
}

std::ostream& operator<<(std::ostream& out, const Values& values) {
  return out << describe(values.space(), values.vector(), 6);
}

}  // namespace surefoot
