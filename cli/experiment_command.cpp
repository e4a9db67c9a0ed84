#include "cli/experiment_command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <thread>

#include "cli/minimize_request.hpp"
#include "cli/progress.hpp"
#include "cli/ranks.hpp"
#include "cli/signals.hpp"
#include "core/invalid_option.hpp"
#include "ranks/lone_channel.hpp"

namespace surefoot::cli {
namespace {

/// All processors, but one thread a rank: ranks share processors.
int threads_of(const ExperimentRequest& request) {
  if (request.threads || request.mpi) return request.threads.value_or(1);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Exit tell_interruption(const std::filesystem::path& folder) {
  fmt::print(stderr, "interrupted; finished work is kept in {}: run the same command to continue\n", folder.string());
  return Exit::interrupted;
}

Exit run_with(Dispatcher& workers, const ExperimentRequest& request, const std::string& jobs,
              const std::function<bool(const ExperimentSettings&)>& run) {
  if (request.threads && *request.threads < 1) reject("threads", *request.threads, "it must be at least 1");
  watch_signals();
  ProgressBar bar(jobs);
  const auto show = [&bar](const JobProgress& p) { bar.show(p.done, p.total, p.share); };
  const auto interrupted = [] { return interruption().load(); };
  if (run({request.out, workers, interrupted, show})) return Exit::success;
  bar.finish();
  return tell_interruption(request.out);
}

}  // namespace

void add_experiment_options(CLI::App& command, const std::string& jobs, ExperimentRequest& request, std::uint64_t& seed,
                            const std::string& example) {
  command.add_option(
      "--threads", request.threads,
      "How many " + jobs + " run at once; does not change the results; default all processors, with --mpi 1 per rank");
  command.add_flag("--mpi", request.mpi, "Run the " + jobs + " on all ranks of mpirun; does not change the results");
  command.add_option("--seed", seed, "Seed of all " + jobs)->capture_default_str();
  command.add_option("--out", request.out, "Folder of the results; an interrupted run continues there")->required();
  command.footer("Example: " + example +
                 "\nExit status: 0 finished, 2 bad usage, 130 interrupted (run the same command to continue).");
}

Exit run_experiment(const ExperimentRequest& request, const std::string& jobs,
                    const std::function<Compute()>& make_compute,
                    const std::function<bool(const ExperimentSettings&)>& run) {
  const auto first = [&](Dispatcher& workers) { return run_with(workers, request, jobs, run); };
  if (request.mpi) return on_all_ranks(job_work(make_compute), threads_of(request), default_rank_timeout, first);
  require_single_process();
  LoneChannel alone;
  Dispatcher workers(alone, job_work(make_compute), threads_of(request));
  return first(workers);
}

}  // namespace surefoot::cli
