#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace surefoot {

enum class ReportKind { reproduction, run, scaling, bbob, arena, practical };

/// A page that opens from disk without a network: data, style, script and Chart.js are inside. It reloads itself every
/// `refresh` seconds, unless that is 0.
std::string report_page(ReportKind kind, const std::string& title, const nlohmann::ordered_json& data, int refresh = 0);

}  // namespace surefoot
