#include "search/stages/stages.hpp"

#include "search/stages/known_points.hpp"
#include "search/stages/line_stage.hpp"

namespace surefoot {

std::vector<std::unique_ptr<Stage>> make_stages(const Setup& setup) {
  std::vector<std::unique_ptr<Stage>> stages;
  if (setup.known_count() > 0) stages.push_back(std::make_unique<KnownPoints>(setup));
  if (setup.options.model != "none") stages.push_back(std::make_unique<LineStage>(setup));
  return stages;
}

}  // namespace surefoot
