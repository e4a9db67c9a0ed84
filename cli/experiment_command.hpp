#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "cli/commands.hpp"
#include "experiments/jobs.hpp"

namespace surefoot::cli {

/// The options that all experiments have.
struct ExperimentRequest {
  std::filesystem::path out;
  std::optional<int> threads;
  bool mpi = false;
};

/// Adds --threads, --mpi, --seed and --out, and an example to the help. `jobs` says what is run, such as "trials".
void add_experiment_options(CLI::App& command, const std::string& jobs, ExperimentRequest& request, std::uint64_t& seed,
                            const std::string& example);

/// Runs an experiment on threads or on all ranks of an MPI job. `make_compute` gives the jobs' work and is called on
/// every rank; `run` is called on the first rank only, prints its results, and returns false if it was interrupted.
Exit run_experiment(const ExperimentRequest& request, const std::string& jobs,
                    const std::function<Compute()>& make_compute,
                    const std::function<bool(const ExperimentSettings&)>& run);

}  // namespace surefoot::cli
