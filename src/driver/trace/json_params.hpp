#pragma once

#include <string>

#include "surefoot/space.hpp"

namespace surefoot {

/// A point by name as one JSON object: numbers, integers without a fraction, names of choices. Without a space the
/// names are x0, x1, ...
std::string json_params(const Space& space, const Vector& x);

}  // namespace surefoot
