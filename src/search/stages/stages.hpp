#pragma once

#include <memory>
#include <vector>

#include "driver/setup.hpp"
#include "search/stage.hpp"

namespace surefoot {

/// The stages of a search besides those of its runs, the first of which that is due comes next. The setup must outlive
/// them.
using Stages = std::vector<std::unique_ptr<Stage>>;
Stages make_stages(const Setup& setup);

/// Null if none is due.
Stage* due_stage(const Stages& stages, const Tally& tally);
/// The one that uses what is left of a budget in place of the run; null if there is none.
Stage* closing_stage(const Stages& stages);
/// What any of them knows about noise.
std::optional<NoiseFound> noise_of(const Stages& stages);

}  // namespace surefoot
