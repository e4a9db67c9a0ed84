#include "report/report.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "cli/commands.hpp"
#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "driver/output_file.hpp"
#include "report/parse_json.hpp"
#include "surefoot/version.hpp"

namespace surefoot::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* page_beginning =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" "
    "content=\"Surefoot\">";

/// The records of a trace. An incomplete last line was cut off by a kill and is left out.
Json records_of(const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) reject("trace", file, "there is no such file");
  std::istringstream lines(read_file(file));
  Json records = Json::array();
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    Json record = parse_json(line);
    if (record.is_object() && record.contains("nfev") && record.contains("best")) {
      records.push_back(std::move(record));
    } else if (!lines.eof()) {
      reject("trace", file, fmt::format("line {} is no record that 'surefoot minimize --trace' writes", number));
    }
  }
  return records;
}

Exit run_report(const std::string& trace, const std::string& out) {
  const std::string source = std::filesystem::path(trace).filename().string();
  const Json data = {{"version", version}, {"source", source}, {"records", records_of(trace)}};
  require_ours("out", out, page_beginning, "page that 'surefoot report' wrote");
  write_atomically(out, report_page(ReportKind::run, source, data));
  return Exit::success;
}

}  // namespace

void add_report(CLI::App& app, Exit& status) {
  CLI::App* command = app.add_subcommand("report", "Draw a trace as a page that opens in a browser");
  auto trace = std::make_shared<std::string>();
  auto out = std::make_shared<std::string>();
  command->add_option("TRACE", *trace, "File that 'surefoot minimize --trace' wrote")->required();
  command->add_option("-o,--out", *out, "HTML file to write")->required();
  command->footer("Example: surefoot report run.jsonl -o run.html\nExit status: 0 written, 2 bad usage.");
  command->callback([trace, out, &status] { status = run_report(*trace, *out); });
}

}  // namespace surefoot::cli
