#pragma once

#include <cstdio>

#include "cli/summary.hpp"

namespace surefoot::cli {

/// For machines: one JSON object on one line. It is written piece by piece: a point may have millions of coordinates.
void write_json(const SearchEnd& end, std::FILE* file);

}  // namespace surefoot::cli
