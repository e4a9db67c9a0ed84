#include "simulators/output_use.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>

#include "core/edit_distance.hpp"
#include "core/invalid_option.hpp"
#include "driver/merit/output_limits.hpp"

namespace surefoot {
namespace {

std::string known_names(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  std::copy_if(names.begin(), names.end(), std::back_inserter(known), [](const auto& name) { return !name.empty(); });
  if (known.empty()) return "no output has a name; --output 'gain=regex:gain = (.*)' gives one";
  return "outputs with names are " + listed(known);
}

std::size_t place_of(const std::string& option, const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (name.empty() || found == names.end()) {
    reject(option, "'" + name + "'", known_names(names) + suggestion(name, names));
  }
  if (std::find(found + 1, names.end(), name) != names.end()) {
    reject(option, "'" + name + "'", "two outputs have this name");
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

OutputUse::OutputUse(const OutputWords& words, const std::vector<std::string>& names) : is_plain_(words.empty()) {
  if (is_plain_) return;
  if (!words.minimize.empty() && !words.maximize.empty()) {
    throw std::invalid_argument("maximize: not together with minimize; a search has one objective");
  }
  is_maximized_ = !words.maximize.empty();
  const std::string& wanted = is_maximized_ ? words.maximize : words.minimize;
  if (names.empty()) reject("limit", "'" + listed(words.limits) + "'", known_names(names));
  if (!wanted.empty()) objective_at_ = place_of(is_maximized_ ? "maximize" : "minimize", wanted, names);
  objective_ = names[objective_at_];
  for (const std::string& limit : words.limits) add_limit(limit_from_text(limit), limits_);
  std::set<std::size_t> used = {objective_at_};
  for (const Limit& limit : limits_) {
    limited_.push_back(place_of("limit", limit.name, names));
    used.insert(limited_.back());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (used.contains(i)) continue;
    throw std::invalid_argument("output " + (names[i].empty() ? surefoot::text(i + 1) : names[i]) +
                                ": nothing uses it; give it a --limit, or leave it out");
  }
}

std::vector<double> OutputUse::applied(const std::vector<double>& outputs) const {
  if (is_plain_) return outputs;
  const double f = outputs.at(objective_at_);
  std::vector<double> values = {is_maximized_ ? -f : f};
  for (std::size_t k = 0; k < limits_.size(); ++k) append_constraints(limits_[k], outputs.at(limited_[k]), values);
  return values;
}

std::string OutputUse::text() const {
  if (is_plain_) return {};
  std::string all = ", " + std::string(is_maximized_ ? "maximize " : "minimize ") +
                    (objective_.empty() ? "the first output" : objective_);
  for (const Limit& limit : limits_) all += ", limit " + text_of(limit);
  return all;
}

}  // namespace surefoot
