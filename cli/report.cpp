#include "report/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "driver/output_file.hpp"
#include "report/run_data.hpp"
#include "surefoot/version.hpp"

namespace surefoot::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* page_beginning =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" "
    "content=\"Surefoot\">";

struct ReportRequest {
  std::vector<std::string> traces;
  std::string log;
  std::string out;
  bool watch = false;
  std::optional<double> every = {};  // seconds; 5
};

void check(const ReportRequest& request) {
  if (request.every) require_positive("every", *request.every);
  if (request.every && !request.watch) throw std::invalid_argument("every: only together with --watch");
  if (request.watch && is_special(request.out)) reject("out", request.out, "--watch writes a file again and again");
  if (request.watch) {
    for (const std::string& trace : request.traces) {
      if (is_special(trace)) reject("trace", trace, "--watch reads a file again and again");
    }
  }
  if (!request.log.empty() && request.traces.size() > 1) {
    throw std::invalid_argument("log: only together with one trace");
  }
}

std::string content_of(const char* option, const std::string& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (error == std::errc::too_many_symbolic_link_levels) reject(option, file, "its links lead in a circle");
  if (std::filesystem::is_directory(status)) reject(option, file, "it is a folder");
  if (!std::filesystem::exists(status)) reject(option, file, "there is no such file");
  return read_file(file);
}

std::optional<ReadLog> log_of(const ReportRequest& request) {
  if (request.log.empty()) return std::nullopt;
  return read_log(content_of("log", request.log), request.log);
}

std::string title_of(const std::vector<std::string>& traces) {
  const std::string first = std::filesystem::path(traces.front()).filename().string();
  return traces.size() == 1 ? first : fmt::format("{} and {} more", first, traces.size() - 1);
}

/// A log of other parameters is of another search. Traces that were written by 0.1 do not tell names.
void require_same_names(const ReportRequest& request, const Json& run, const std::optional<ReadLog>& log) {
  if (!log || log->names.empty() || !run.contains("about") || !run["about"].contains("names")) return;
  const auto names = run["about"]["names"].get<std::vector<std::string>>();  // the first ones
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::string found = j < log->names.size() ? log->names[j] : "none";
    if (found == names[j] || found == "param." + names[j]) continue;
    reject("log", request.log,
           fmt::format("it belongs to another search: its parameter {} is {}, that of the trace is {}", j + 1, found,
                       names[j]));
  }
}

Json data_of(const ReportRequest& request) {
  Json runs = Json::array();
  const std::optional<ReadLog> log = log_of(request);
  for (const std::string& trace : request.traces) {
    runs.push_back(
        run_data(read_trace(content_of("trace", trace), trace), std::filesystem::path(trace).filename().string(), log));
    require_same_names(request, runs.back(), log);
  }
  return {{"version", version}, {"runs", std::move(runs)}};
}

bool has_ended(const Json& data) {
  const Json& runs = data["runs"];
  return std::all_of(runs.begin(), runs.end(), [](const Json& run) { return run.contains("end"); });
}

/// A page that reloads itself while the search runs; once it has ended, the last one does not.
/// run.html beside run.jsonl.
std::string page_of(const std::vector<std::string>& traces) {
  if (traces.size() > 1) throw std::invalid_argument("out: name the page of several traces, as -o runs.html");
  if (is_special(traces.front())) throw std::invalid_argument("out: name the page of a pipe, as -o run.html");
  return std::filesystem::path(traces.front()).replace_extension(".html").string();
}

Exit run_report(ReportRequest request) {
  const bool is_named = !request.out.empty();
  if (!is_named) request.out = page_of(request.traces);
  check(request);
  const std::string title = title_of(request.traces);
  constexpr double usual = 5;
  bool has_told = is_named;
  const double every = request.every.value_or(usual);
  while (true) {
    const Json data = data_of(request);
    const bool goes_on = request.watch && !has_ended(data);
    require_ours("out", request.out, page_beginning, "page that 'surefoot report' wrote");
    const int refresh = goes_on ? std::max(1, static_cast<int>(every)) : 0;
    write_atomically(request.out, report_page(ReportKind::run, title, data, refresh));
    if (!std::exchange(has_told, true)) fmt::print("{}\n", request.out);
    std::fflush(stdout);
    if (!goes_on) return Exit::success;
    std::this_thread::sleep_for(std::chrono::duration<double>(every));
  }
}

}  // namespace

void add_report(CLI::App& app, Exit& status) {
  CLI::App* command = app.add_subcommand("report", "Draw traces as a page that opens in a browser");
  auto request = std::make_shared<ReportRequest>();
  command->add_option("TRACE", request->traces, "Files that 'surefoot minimize --trace' wrote; several are compared")
      ->required();
  command->add_option("-o,--out", request->out,
                      "HTML file to write; default: beside the trace, run.html for run.jsonl");
  command->add_option("--log", request->log,
                      "What 'surefoot minimize --log' wrote: f against each parameter, failures");
  command->add_flag("--watch", request->watch, "Rewrite the page while the search runs; it reloads itself");
  command->add_option("--every", request->every, "Seconds from one page of --watch to the next; default 5");
  command->footer("Example: surefoot report run.jsonl\nExit status: 0 written, 2 bad usage.");
  command->callback([request, &status] { status = run_report(*request); });
}

}  // namespace surefoot::cli
