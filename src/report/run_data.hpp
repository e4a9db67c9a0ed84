#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "report/evaluated.hpp"
#include "report/standing.hpp"

namespace surefoot {

/// A trace as it was read: one object per generation, what the first line tells about the search and the last about its
/// end; null where the trace does not say.
struct RunTrace {
  nlohmann::ordered_json records = nlohmann::ordered_json::array();
  nlohmann::ordered_json about = nullptr;
  nlohmann::ordered_json end = nullptr;
};

/// The lines of a trace; `name` is for messages. An incomplete last line was cut off by a kill and is left out.
/// \throws std::invalid_argument naming the first line that is not of a trace.
[[nodiscard]] RunTrace read_trace(const std::string& text, const std::string& name);

[[nodiscard]] CourseFacts facts_of(const RunTrace& trace);

/// All that the page about a run shows, with the evaluations of its log if there is one. Long traces keep the places of
/// some generations only.
[[nodiscard]] nlohmann::ordered_json run_data(RunTrace trace, const std::string& source,
                                              const std::optional<ReadLog>& log = {});

}  // namespace surefoot
