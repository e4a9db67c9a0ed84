#pragma once

#include <memory>
#include <vector>

#include "driver/setup.hpp"
#include "search/stage.hpp"

namespace surefoot {

/// The stages of a search besides those of its runs, the first of which that is due comes next. The setup must outlive
/// them.
std::vector<std::unique_ptr<Stage>> make_stages(const Setup& setup);

}  // namespace surefoot
