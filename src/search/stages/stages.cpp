#include "search/stages/stages.hpp"

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

std::vector<std::unique_ptr<Stage>> make_stages(const Setup& setup) {
  std::vector<std::unique_ptr<Stage>> stages;
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

}  // namespace surefoot
