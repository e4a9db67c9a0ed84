#include "search/stages/stages.hpp"

#include <algorithm>

#include "search/stages/known_points.hpp"
#include "search/stages/line_stage.hpp"
#include "search/stages/measure_stage.hpp"
#include "search/stages/regression_stage.hpp"
#include "search/stages/repeat_stage.hpp"

namespace surefoot {
namespace {

/// A plain strategy is what its paper says, unless the user says that there is noise.
bool has_noise_watch(const Options& options) {
  if (options.noise.kind != Noise::Kind::automatic) return options.noise.kind == Noise::Kind::known;
  return options.model != "none" || options.restarts.kind != Restarts::Kind::none;
}

}  // namespace

Stages make_stages(const Setup& setup) {
  Stages stages;
  if (setup.known_count() > 0) stages.push_back(std::make_unique<KnownPoints>(setup));
  if (has_noise_watch(setup.options)) {
    auto noise = std::make_shared<NoiseWatch>(setup);
    stages.push_back(std::make_unique<RepeatStage>(noise));
    stages.push_back(std::make_unique<MeasureStage>(noise));
    stages.push_back(std::make_unique<RegressionStage>(setup, noise));
  }
  if (setup.options.model != "none") stages.push_back(std::make_unique<LineStage>(setup));
  return stages;
}

Stage* due_stage(const Stages& stages, const Tally& tally) {
  const auto due = std::find_if(stages.begin(), stages.end(), [&](const auto& s) { return s->is_due(tally); });
  return due != stages.end() ? due->get() : nullptr;
}

Stage* closing_stage(const Stages& stages) {
  const auto closing = std::find_if(stages.begin(), stages.end(), [](const auto& s) { return s->takes_rest(); });
  return closing != stages.end() ? closing->get() : nullptr;
}

std::optional<NoiseFound> noise_of(const Stages& stages) {
  for (const auto& stage : stages) {
    if (auto found = stage->noise()) return found;
  }
  return std::nullopt;
}

}  // namespace surefoot
