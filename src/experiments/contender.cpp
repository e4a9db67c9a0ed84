#include "experiments/contender.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/edit_distance.hpp"
#include "core/invalid_option.hpp"
#include "core/split.hpp"
#include "surefoot/method.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {
namespace {

/// With or without constants.
bool is_method(const std::string& part) {
  const std::string name = part.substr(0, part.find(':'));
  const auto& table = method_table();
  return name == "auto" ||
         std::any_of(table.begin(), table.end(), [&](const MethodInfo& row) { return row.name == name; });
}

bool names_restarts(const std::string& part) {
  const std::string kind = part.substr(0, part.find(':'));
  return kind == "none" || kind == "same" || kind == "ipop" || kind == "bipop";
}

bool names_model(const std::string& part) { return part == "quadratic"; }

LearningRate policy_of(const std::string& part) {
  try {
    return part;
  } catch (const std::invalid_argument& error) {
    std::vector<std::string> names = {"auto", "random"};
    for (const MethodInfo& row : method_table()) names.push_back(row.name);
    for (const LearningRateInfo& row : learning_rate_table()) names.push_back(row.name);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    reject("methods", "'" + part + "'",
           "there are " + listed(names) + ", with /none, /same, /ipop, /bipop or /quadratic (" + error.what() + ")" +
               suggestion(part, names));
  }
}

}  // namespace

Contender make_contender(const std::string& name, const Restarts& default_restarts) {
  Contender contender{.name = name};
  Options& options = contender.options;
  options.restarts = default_restarts;
  std::vector<std::string> methods;
  for (const std::string& part : split(name, '/')) {
    if (part == "random") {
      contender.is_random = true;
    } else if (names_restarts(part) || (part == "auto" && !methods.empty())) {  // first a method, then restarts
      options.restarts = part;
    } else if (names_model(part)) {
      options.model = part;
    } else if (is_method(part)) {
      methods.push_back(part);
    } else {
      options.learning_rate = policy_of(part);
    }
  }
  if (methods.size() > 1) reject("methods", "'" + name + "'", "it names more than one method");
  if (methods.size() == 1) options.method = methods.front();
  const MethodInfo& row = find_method(choose_method(options.method, options.learning_rate).method);
  const Index d = std::max<Index>(2, row.smallest_dimension);
  const Optimizer refuses_what_does_not_go_together(Vector::Zero(d), 1, options);
  return contender;
}

std::vector<std::string> contender_names(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const std::string& list : given) {
    for (const std::string& piece : split(list, ',')) {
      const bool continues = piece.find('=') != std::string::npos && piece.find(':') == std::string::npos;
      if (continues && !names.empty()) {
        names.back() += ";" + piece;
      } else {
        names.push_back(piece);
      }
    }
  }
  return names;
}

}  // namespace surefoot
