#pragma once

/// \file
/// The jobs of an experiment: computed by any thread or rank, kept by one.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ranks/dispatcher.hpp"

namespace surefoot {

/// Computes the job of this number and returns its result as bytes. It is a pure function: it touches no file and gives
/// the same bytes in every thread and on every rank. Once `cancelled` is true it may give up and return nothing.
using Compute = std::function<std::optional<std::string>(std::size_t job, const std::function<bool()>& cancelled)>;

/// The work of each worker of a Dispatcher that `run_missing` uses. `make_compute` is called once in each worker.
MakeWork job_work(std::function<Compute()> make_compute);

/// How far an experiment is.
struct JobProgress {
  std::size_t done = 0;  // jobs of this and earlier sessions
  std::size_t total = 0;
  double share = 0;  // of this session's expected work
};

/// Where an experiment runs. None of it changes a byte of the results.
struct ExperimentSettings {
  std::filesystem::path out;
  Dispatcher& workers;                                    // They compute the experiment's jobs: see `job_work`.
  std::function<bool()> interrupted;                      // True: no further job is begun, long ones end.
  std::function<void(const JobProgress&)> progress = {};  // Called after each job.
};

/// All jobs of an experiment, numbered from 0. Everything here is called in the caller's thread only.
struct Jobs {
  std::vector<double> work;                                   // expected, in any unit
  std::function<bool(std::size_t)> is_done;                   // by this or an earlier session
  std::function<void(std::size_t, const std::string&)> keep;  // stores what a job has given; jobs end in any order
};

/// Runs the jobs that are not done. Returns true if all are done.
bool run_missing(const Jobs& jobs, const ExperimentSettings& settings);

}  // namespace surefoot
