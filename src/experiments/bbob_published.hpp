#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/types.hpp"

namespace surefoot {

/// Areas of a published algorithm on BBOB: the same 51 targets, read from COCO's public archive [Hansen2021].
struct PublishedAreas {
  std::string algorithm;
  std::vector<std::pair<Index, double>> areas;  // by dimension
  double mean = 0;                              // over d = 2, 3, 5, 10, 20
};

/// Areas within `budget` d evaluations, best first; empty where none were read: only 2000 and 20000 have some.
std::vector<PublishedAreas> published_areas(std::int64_t budget);

nlohmann::ordered_json to_json(const std::vector<PublishedAreas>& published);

}  // namespace surefoot
