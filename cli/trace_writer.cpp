#include "cli/trace_writer.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/invalid_option.hpp"

namespace surefoot::cli {

TraceWriter::TraceWriter(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "w")) {
  if (!file_) reject("trace", path, fmt::format("the file cannot be written ({})", std::strerror(errno)));
}

void TraceWriter::operator()(const Record& r) {
  const nlohmann::ordered_json line = {{"generation", r.generation},
                                       {"nfev", r.nfev},
                                       {"best", r.best},
                                       {"generation_best", r.generation_best},
                                       {"sigma", r.sigma},
                                       {"eta_m", r.eta_m},
                                       {"eta_sigma", r.eta_sigma},
                                       {"eta_B", r.eta_B},
                                       {"l_theta", r.l_theta},
                                       {"gamma", r.gamma},
                                       {"condition", r.condition}};
  fmt::print(file_.get(), "{}\n", line.dump());  // NaN is written as null
}

void TraceWriter::close() {
  if (std::fclose(file_.release()) != 0) {
    throw std::runtime_error(fmt::format("trace {}: {}", path_, std::strerror(errno)));
  }
}

}  // namespace surefoot::cli
