#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/options.hpp"

namespace surefoot::cli {

constexpr double default_rank_timeout = 60;  // seconds
constexpr const char* default_checkpoint_every = "1s";

/// The command line of `minimize` as typed; the library decides what is allowed.
struct MinimizeRequest {
  std::string problem;
  std::optional<int> instance;
  std::string command;
  std::string args;
  bool persistent = false;
  std::vector<std::string> templates;  // files that are filled in for each candidate
  std::vector<std::string> outputs;    // where the values are
  std::string minimize;                // the name of an output
  std::string maximize;
  std::vector<std::string> limits;  // on outputs, by name
  std::string residuals;            // their number, or auto: it is a fit
  std::string data;                 // a file of values that the program's are compared with
  std::string loss;
  std::optional<double> loss_scale;
  std::string input;
  std::string keep;
  std::string folders;
  bool check = false;
  bool mpi = false;
  std::optional<double> eval_timeout;
  double rank_timeout = default_rank_timeout;
  std::vector<std::string> params;  // named parameters
  std::optional<std::int64_t> dim;
  std::string x0;
  std::string sigma0;
  std::string inject;
  std::string lower;
  std::string upper;
  Options options;
  std::string trace;
  std::string log;
  bool trace_timing = false;
  std::string checkpoint;
  std::string checkpoint_every = default_checkpoint_every;
  bool overwrite = false;
  bool replace_command = false;
  std::string warm_start;
  bool json = false;
  bool quiet = false;
  bool print_config = false;
  std::string config;              // read before the rest is parsed
  std::string repeating = {};      // the command line that repeats the search
  std::vector<std::string> words;  // what a checkpoint needs to set the search up again
};

/// Whether residuals are asked for in place of one number.
inline bool is_fit(const MinimizeRequest& request) { return !request.residuals.empty() || !request.data.empty(); }

/// All options of the table that the command line has, with their names and meanings; or only those of these names.
void add_options(CLI::App& command, MinimizeRequest& request, const std::vector<std::string>& only = {});

}  // namespace surefoot::cli
