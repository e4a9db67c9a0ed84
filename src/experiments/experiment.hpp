#pragma once

/// \file
/// The folder of an experiment, and what all experiments write there.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace surefoot {

/// Makes the folder this protocol's own, or refuses one that is another's.
/// \throws std::invalid_argument naming what differs.
void claim_folder(const std::filesystem::path& folder, const nlohmann::ordered_json& protocol);

/// The page that shows an experiment.
struct ExperimentReport {
  ReportKind kind;
  std::string title;
  nlohmann::ordered_json data;
};

/// Writes summary.json and report.html.
void write_results(const std::filesystem::path& folder, const nlohmann::ordered_json& summary,
                   const ExperimentReport& report);

/// The seed of one trial. It follows from the experiment's seed and the trial's name alone, so that a restricted
/// experiment repeats trials of the full one. Below 2^53, so that spreadsheets and scripting languages read it without
/// loss.
std::uint64_t seed_of(std::uint64_t seed, const std::string& name);

/// Rounds to six digits, which are more than a picture shows.
std::vector<double> rounded_for_display(std::vector<double> values);

}  // namespace surefoot
