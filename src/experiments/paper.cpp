#include "experiments/paper.hpp"

#include <algorithm>
#include <map>

namespace surefoot::paper {
namespace {

constexpr double none = 0;  // nothing is plotted

// One number for each of the function's five population sizes.
using Row = std::array<double, 5>;
using Panel = std::map<std::string, Row>;

const std::map<std::string, Panel>& figure4() {
  static const std::map<std::string, Panel> panels = {
      {"sphere",
       {{"adaptive", {6585, 7814, 4812, 4115, 3927}},
        {"x1", {6583, 10246, 14213, 18053, 22061}},
        {"x2", {3736, 5455, 7393, 9376, 11301}},
        {"x4", {none, 3907, 4029, 5009, 6010}},
        {"x6", {none, none, 3928, 3596, 4249}},
        {"x8", {none, none, none, 4142, 3438}},
        {"x10", {none, none, none, 231997, 4757}}}},
      {"ellipsoid",
       {{"adaptive", {10512, 10819, 8122, 8966, 9668}},
        {"x1", {9339, 14766, 20460, 26177, 31873}},
        {"x2", {6839, 7827, 10622, 13511, 16419}},
        {"x4", {none, 10057, 5912, 7269, 8680}},
        {"x6", {none, none, 24241, 5938, 6375}},
        {"x8", {none, none, none, 65747, 9080}},
        {"x10", {none, none, none, none, none}}}},
      {"rastrigin",
       {{"adaptive", {36472, 35393, 36829, 41133, 42417}},
        {"x1", {166325, 202663, 240931, 278162, 317097}},
        {"x2", {86289, 104069, 122250, 141210, 160231}},
        {"x4", {48189, 55608, 62639, 72903, 81999}},
        {"x6", {38016, 40387, 45560, 49548, 56401}},
        {"x8", {37236, 37181, 35333, 39002, 43687}},
        {"x10", {40883, 38007, 34322, 36267, 38165}}}},
      {"bohachevsky",
       {{"adaptive", {6921, 5636, 5736, 5429, 5618}},
        {"x1", {19114, 24448, 29667, 35028, 40313}},
        {"x2", {9926, 12600, 15245, 17887, 20550}},
        {"x4", {5412, 6689, 8008, 9352, 10695}},
        {"x6", {5052, 4809, 5670, 6534, 7425}},
        {"x8", {none, 6061, 4749, 5170, 5859}},
        {"x10", {none, none, 9527, 5314, 5049}}}},
  };
  return panels;
}

const std::map<std::string, Panel>& figure5() {
  static const std::map<std::string, Panel> panels = {
      {"rastrigin",
       {{"adaptive", {0.91, 0.975, 0.985, 0.97, 0.995}},
        {"x8", {0.62, 0.755, 0.93, 0.98, 0.99}},
        {"x10", {0.47, 0.615, 0.805, 0.87, 0.925}}}},
      {"bohachevsky",
       {{"adaptive", {1.0, 1.0, 0.915, 0.97, 0.995}},
        {"x8", {0.0, 0.69, 0.965, 1.0, 0.995}},
        {"x10", {0.0, 0.0, 0.475, 0.86, 0.985}}}},
  };
  return panels;
}

std::optional<double> look_up(const std::map<std::string, Panel>& figure, const std::string& function, Index popsize,
                              const std::string& method) {
  const auto panel = figure.find(function);
  if (panel == figure.end()) return std::nullopt;
  const auto row = panel->second.find(method);
  if (row == panel->second.end()) return std::nullopt;
  const auto known =
      std::find_if(functions().begin(), functions().end(), [&](const Function& f) { return f.name == function; });
  const auto column = std::find(known->popsizes.begin(), known->popsizes.end(), popsize);
  if (column == known->popsizes.end()) return std::nullopt;
  return row->second.at(static_cast<std::size_t>(column - known->popsizes.begin()));
}

}  // namespace

const std::vector<std::string>& methods() {
  static const std::vector<std::string> all = {"adaptive", "x1", "x2", "x4", "x6", "x8", "x10"};
  return all;
}

const std::vector<std::string>& success_rate_methods() {
  static const std::vector<std::string> all = {"adaptive", "x8", "x10"};
  return all;
}

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      {"sphere", 50, {10, 20, 30, 40, 50}, 400, 30, false},
      {"ellipsoid", 50, {10, 20, 30, 40, 50}, 400, 30, false},
      {"rastrigin", 200, {200, 250, 300, 350, 400}, 400, 300, true},
      {"bohachevsky", 200, {30, 40, 50, 60, 70}, 400, 50, true},
  };
  return all;
}

const std::vector<Index>& sphere_popsizes() { return functions().front().popsizes; }

std::optional<double> evaluations_per_success(const std::string& function, Index popsize, const std::string& method) {
  const std::optional<double> value = look_up(figure4(), function, popsize, method);
  return value && *value != none ? value : std::nullopt;
}

std::optional<double> success_rate(const std::string& function, Index popsize, const std::string& method) {
  return look_up(figure5(), function, popsize, method);
}

bool reproducible(const std::string& function, Index popsize, const std::string& method) {
  if (function != "sphere") return true;
  return !((popsize == 20 && method == "x4") || (popsize == 30 && method == "x6") ||
           (popsize == 40 && (method == "x8" || method == "x10")));
}

}  // namespace surefoot::paper
