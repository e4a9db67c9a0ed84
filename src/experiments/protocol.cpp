#include "experiments/protocol.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/invalid_option.hpp"
#include "experiments/experiment.hpp"
#include "experiments/option_lists.hpp"
#include "experiments/paper.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

constexpr int quick_trials = 10;

/// What is asked for, in the order of `all`; everything if nothing is asked for.
template <class T>
std::vector<T> restricted(const char* option, const std::vector<T>& all, const std::vector<T>& asked) {
  for (const T& value : asked) {
    if (std::find(all.begin(), all.end(), value) == all.end()) {
      reject(option, value, fmt::format("the paper has {}", fmt::join(all, ", ")));
    }
  }
  if (asked.empty()) return all;
  std::vector<T> kept;
  std::copy_if(all.begin(), all.end(), std::back_inserter(kept),
               [&](const T& value) { return std::find(asked.begin(), asked.end(), value) != asked.end(); });
  return kept;
}

std::vector<Index> all_popsizes() {
  std::set<Index> all;
  for (const auto& function : paper::functions()) all.insert(function.popsizes.begin(), function.popsizes.end());
  return {all.begin(), all.end()};
}

std::vector<std::string> all_functions() {
  std::vector<std::string> names;
  for (const auto& function : paper::functions()) names.push_back(function.name);
  return names;
}

/// What the request leaves of the paper's lists.
struct Selection {
  std::set<int> figures;
  std::vector<std::string> functions;
  std::vector<Index> popsizes;
  std::vector<std::string> methods;
};

Selection select(const ProtocolRequest& request) {
  for (const int figure : request.figures) {
    if (figure < 1 || figure > 5) reject("figure", figure, "the paper has figures 1 to 5");
  }
  if (request.trials && *request.trials < 1) reject("trials", *request.trials, "it must be at least 1");
  return {request.figures.empty() ? std::set<int>{1, 2, 3, 4, 5} : request.figures,
          restricted("functions", all_functions(), request.functions),
          restricted("popsizes", all_popsizes(), request.popsizes),
          restricted("methods", paper::methods(), request.methods)};
}

std::vector<TypicalRun> typical_runs(const Selection& selection) {
  std::vector<TypicalRun> runs;
  const auto wanted = [&](int figure, const std::string& function) {
    return selection.figures.contains(figure) && contains(selection.functions, function);
  };
  for (const auto& f : paper::functions()) {
    if (wanted(1, f.name)) runs.push_back({1, f.name, f.fixed_popsize, "x1"});
  }
  for (const auto& f : paper::functions()) {
    if (wanted(2, f.name)) runs.push_back({2, f.name, f.adaptive_popsize, "adaptive"});
  }
  for (const Index popsize : paper::sphere_popsizes()) {
    if (wanted(3, "sphere")) runs.push_back({3, "sphere", popsize, "adaptive"});
  }
  return runs;
}

std::vector<Cell> cells(const Selection& selection, const ProtocolRequest& request) {
  std::vector<Cell> result;
  for (const auto& f : paper::functions()) {
    if (!contains(selection.functions, f.name)) continue;
    const int trials = request.trials.value_or(request.quick ? quick_trials : f.trials);
    for (const Index popsize : f.popsizes) {
      if (std::find(selection.popsizes.begin(), selection.popsizes.end(), popsize) == selection.popsizes.end())
        continue;
      for (const std::string& method : selection.methods) {
        const bool in_figure5 = f.multimodal && contains(paper::success_rate_methods(), method);
        if (!selection.figures.contains(4) && !(selection.figures.contains(5) && in_figure5)) continue;
        result.push_back({f.name, popsize, method, trials});
      }
    }
  }
  return result;
}

}  // namespace

std::string TypicalRun::name() const { return fmt::format("figure{}_{}_{}_{}", figure, function, popsize, method); }

Protocol make_protocol(const ProtocolRequest& request) {
  const Selection selection = select(request);
  Protocol protocol{request.seed, request.quick, selection.figures, cells(selection, request), typical_runs(selection)};
  if (protocol.cells.empty() && protocol.runs.empty()) {
    throw std::invalid_argument("nothing is left to run: the restrictions have no cell of the paper in common");
  }
  return protocol;
}

nlohmann::ordered_json to_json(const Protocol& protocol) {
  nlohmann::ordered_json json = {{"version", version},
                                 {"seed", protocol.seed},
                                 {"quick", protocol.quick},
                                 {"dimension", paper::dimension},
                                 {"target", paper::ftarget},
                                 {"maxfevals", paper::maxfevals},
                                 {"figures", protocol.figures},
                                 {"cells", nlohmann::ordered_json::array()},
                                 {"runs", nlohmann::ordered_json::array()}};
  for (const Cell& cell : protocol.cells)
    json["cells"].push_back({cell.function, cell.popsize, cell.method, cell.trials});
  for (const TypicalRun& run : protocol.runs) json["runs"].push_back(run.name());
  return json;
}

LearningRate learning_rate_of(const std::string& method) {
  if (method == "adaptive") return "lra";
  return "fixed:" + method.substr(1);
}

std::uint64_t trial_seed(std::uint64_t seed, const std::string& function, Index popsize, const std::string& method,
                         int trial) {
  return seed_of(seed, fmt::format("{}/{}/{}/{}", function, popsize, method, trial));
}

}  // namespace surefoot
