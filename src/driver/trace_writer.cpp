#include "driver/trace_writer.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"

namespace surefoot {

namespace {

/// The lines of a trace up to a generation.
std::string kept_lines(const std::string& path, std::int64_t generation) {
  std::ifstream in(path, std::ios::binary);
  std::string kept;
  for (std::string line; std::getline(in, line) && !in.eof();) {  // a line without its end was cut off by a kill
    const auto record = nlohmann::ordered_json::parse(line, nullptr, false);
    if (!record.is_object() || !record.contains("generation") || !record["generation"].is_number()) break;
    if (record["generation"].get<std::int64_t>() > generation) break;
    kept += line + "\n";
  }
  return kept;
}

}  // namespace

TraceWriter::TraceWriter(const std::string& path, std::int64_t generation) : path_(path) {
  if (std::filesystem::exists(path)) write_atomically(path, kept_lines(path, generation));
  file_.reset(std::fopen(path.c_str(), "a"));
  if (!file_) reject("trace", path, fmt::format("the file cannot be written ({})", std::strerror(errno)));
}

TraceWriter::TraceWriter(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "w")) {
  if (!file_) reject("trace", path, fmt::format("the file cannot be written ({})", std::strerror(errno)));
}

void TraceWriter::add_timing(std::function<Usage()> usage) { meter_.emplace(std::move(usage)); }

void TraceWriter::operator()(const Record& r) {
  nlohmann::ordered_json line = {{"generation", r.generation},
                                 {"nfev", r.nfev},
                                 {"best", r.best},
                                 {"generation_best", r.generation_best},
                                 {"sigma", r.sigma},
                                 {"eta_m", r.eta_m},
                                 {"eta_sigma", r.eta_sigma},
                                 {"eta_B", r.eta_B},
                                 {"l_theta", r.l_theta},
                                 {"gamma", r.gamma},
                                 {"condition", r.condition},
                                 {"run", r.run},
                                 {"popsize", r.popsize}};
  if (meter_) {
    const auto [seconds, utilisation] = meter_->lap();
    line["seconds"] = seconds;
    line["utilisation"] = utilisation;
  }
  for (const Failure& failure : r.failures) {
    line["failures"].push_back({{"candidate", failure.candidate},
                                {"attempt", failure.attempt},
                                {"kind", name(failure.kind)},
                                {"reason", failure.reason}});
  }
  // NaN is written as null; a program's stderr may be no UTF-8.
  fmt::print(file_.get(), "{}\n", line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  if (flushes_) std::fflush(file_.get());
}

void TraceWriter::close() {
  if (std::fclose(file_.release()) != 0) {
    throw std::runtime_error(fmt::format("trace {}: {}", path_, std::strerror(errno)));
  }
}

}  // namespace surefoot
