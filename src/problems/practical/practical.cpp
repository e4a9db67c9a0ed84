#include "surefoot/practical.hpp"

#include <algorithm>

#include "core/invalid_option.hpp"
#include "problems/look_up.hpp"
#include "problems/practical/families.hpp"

namespace surefoot {

const std::vector<PracticalProblem>& practical_table() {
  static const std::vector<PracticalProblem> table = [] {
    std::vector<PracticalProblem> all;
    for (const auto& family :
         {practical::ode_fits, practical::regressions, practical::clusters, practical::controllers, practical::networks,
          practical::designs, practical::antennas, practical::gaussian_processes, practical::plateaus_and_corners}) {
      for (PracticalProblem& row : family()) all.push_back(std::move(row));
    }
    return all;
  }();
  return table;
}

const PracticalProblem* look_up_practical(const std::string& name) {
  const auto& table = practical_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const PracticalProblem& p) { return p.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> practical_names() {
  std::vector<std::string> names;
  for (const PracticalProblem& p : practical_table()) names.push_back(p.name);
  return names;
}

const PracticalProblem& find_practical(const std::string& name) {
  const PracticalProblem* problem = look_up_practical(name);
  if (problem == nullptr) reject("problem", "'" + name + "'", "practical problems are " + listed(practical_names()));
  return *problem;
}

}  // namespace surefoot
