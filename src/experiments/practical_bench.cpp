#include "experiments/practical_bench.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "experiments/csv.hpp"
#include "experiments/experiment.hpp"
#include "experiments/grid.hpp"
#include "experiments/job_result.hpp"
#include "experiments/option_lists.hpp"
#include "experiments/practical_run.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

const RowFile::Columns practical_columns = {{"method", "problem", "budget", "seed", "evaluations", "best", "runs"}, 4};
constexpr std::size_t best_column = 5;

PracticalProtocol checked(PracticalProtocol protocol) {
  if (protocol.problems.empty()) {
    for (const PracticalProblem& row : practical_table()) protocol.problems.push_back(row.name);
  }
  require_distinct("methods", protocol.methods);
  require_distinct("problems", protocol.problems);
  require_distinct("budgets", protocol.budgets);
  if (protocol.seeds < 1) reject("seeds", protocol.seeds, "it must be at least 1");
  for (const std::string& name : protocol.problems) find_practical(name);
  for (const std::string& name : protocol.methods) make_contender(name, "none");
  return protocol;
}

Json to_json(const PracticalProtocol& p) {
  return {{"version", version},   {"suite", "practical"}, {"methods", p.methods}, {"problems", p.problems},
          {"budgets", p.budgets}, {"seeds", p.seeds},     {"seed", p.seed}};
}

std::vector<PracticalTask> tasks_of(const PracticalProtocol& protocol) {
  std::vector<PracticalTask> tasks;
  for (const std::string& name : protocol.problems) {
    for (const int budget : protocol.budgets) {
      for (int seed = 1; seed <= protocol.seeds; ++seed) tasks.push_back({&find_practical(name), budget, seed});
    }
  }
  return tasks;
}

/// The first fields of a task's row.
std::string key_of(const std::string& method, const PracticalTask& task) {
  return fmt::format("{},{},{},{}", method, task.problem->name, task.budget, task.seed);
}

/// Methods of another program's runs.csv, in their order there, with the best values of these tasks.
std::vector<PracticalResults> read_peers(const std::filesystem::path& file, const std::vector<PracticalTask>& tasks) {
  std::istringstream lines(read_file(file));
  std::string line;
  std::getline(lines, line);
  if (csv_fields(line) != practical_columns.names) {
    reject("peers", file.string(), fmt::format("its first line must be {}", fmt::join(practical_columns.names, ",")));
  }
  std::vector<std::string> methods;
  std::map<std::string, double> best;  // by key
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = csv_fields(line);
    if (fields.size() != practical_columns.names.size()) reject("peers", file.string(), "'" + line + "' is not a row");
    if (std::find(methods.begin(), methods.end(), fields[0]) == methods.end()) methods.push_back(fields[0]);
    best[fmt::format("{}", fmt::join(fields.begin(), fields.begin() + 4, ","))] = csv_number(fields[best_column]);
  }
  std::vector<PracticalResults> results;
  for (const std::string& method : methods) {
    PracticalResults& r = results.emplace_back(PracticalResults{method, {}});
    for (const PracticalTask& task : tasks) {
      const auto found = best.find(key_of(method, task));
      r.best.push_back(found == best.end() ? std::nullopt : std::optional(found->second));
    }
  }
  return results;
}

Grid<PracticalTask> grid_of(const PracticalProtocol& protocol) {
  return {protocol.methods, "none", tasks_of(protocol)};
}

JobResult run_task(const Contender& contender, const PracticalTask& t, std::uint64_t protocol_seed) {
  // The seed is the same for all methods and budgets, so that they start from the same point.
  const std::uint64_t seed = seed_of(protocol_seed, fmt::format("practical/{}/{}", t.problem->name, t.seed));
  const PracticalOutcome outcome = run_practical(contender, *t.problem, t.budget * t.problem->dimension(), seed);
  return {fmt::format("{},{},{}", outcome.evaluations, outcome.best, outcome.runs)};
}

double practical_work(const std::string& /*method*/, const PracticalTask& t) {
  return static_cast<double>(t.problem->dimension() * t.budget);
}

/// A benchmark in its folder.
class PracticalSession {
 public:
  PracticalSession(const PracticalProtocol& protocol, const ExperimentSettings& settings)
      : protocol_(protocol),
        settings_(settings),
        grid_(grid_of(protocol)),
        rows_(settings.out / "runs.csv", practical_columns, grid_.for_each_job(key_of)) {}

  bool run() {
    const JobFiles no_files = [](std::size_t) { return std::vector<std::filesystem::path>(); };
    return run_missing(jobs_with_rows(grid_.for_each_job(practical_work), rows_, no_files), settings_);
  }

  /// Writes everything that follows from the runs and those of the peers.
  PracticalBench finish(const std::vector<PracticalResults>& peers) {
    rows_.finish();
    std::vector<PracticalResults> results = own_results();
    results.insert(results.end(), peers.begin(), peers.end());
    PracticalBench bench{true, summarise(grid_.tasks(), results), verdicts(grid_.tasks(), results)};
    write_results(settings_.out, surefoot::to_json(bench.summary),
                  {ReportKind::practical, "Practical problems", report_data(bench, results)});
    return bench;
  }

 private:
  [[nodiscard]] std::vector<PracticalResults> own_results() const {
    std::vector<PracticalResults> results;
    for (const Contender& contender : grid_.contenders()) results.push_back({contender.name, {}});
    for (std::size_t job = 0; job < grid_.size(); ++job) {
      const auto best = [](const std::vector<std::string>& fields) { return csv_number(fields.at(best_column)); };
      results[grid_.method(job)].best.emplace_back(rows_.read(job, best));
    }
    return results;
  }

  [[nodiscard]] Json report_data(const PracticalBench& bench, const std::vector<PracticalResults>& results) const {
    Json problems = Json::array();
    for (const std::string& name : protocol_.problems) {
      const PracticalProblem& p = find_practical(name);
      problems.push_back({{"name", name},
                          {"title", p.title},
                          {"story", p.story},
                          {"dimension", p.dimension()},
                          {"best", p.best_value},
                          {"typical", p.typical_value}});
    }
    Json methods = Json::array();
    for (const PracticalResults& r : results) methods.push_back(r.method);
    Json sentences = Json::array();
    for (const PracticalVerdict& verdict : bench.verdicts) sentences.push_back(verdict.sentence);
    return {{"version", version},   {"protocol", to_json(protocol_)}, {"methods", methods},
            {"problems", problems}, {"verdicts", sentences},          {"summary", surefoot::to_json(bench.summary)}};
  }

  const PracticalProtocol& protocol_;
  const ExperimentSettings& settings_;
  Grid<PracticalTask> grid_;
  RowFile rows_;
};

}  // namespace

Compute practical_compute(const PracticalProtocol& request) {
  const PracticalProtocol protocol = checked(request);
  return compute_grid(grid_of(protocol), [seed = protocol.seed](const Contender& contender, const PracticalTask& task) {
    return run_task(contender, task, seed);
  });
}

PracticalBench bench_practical(const PracticalProtocol& request, const ExperimentSettings& settings,
                               const std::filesystem::path& peers) {
  const PracticalProtocol protocol = checked(request);
  std::vector<PracticalResults> peer_results;  // read before anything is written: the file may be wrong
  if (!peers.empty()) peer_results = read_peers(peers, tasks_of(protocol));
  claim_folder(settings.out, to_json(protocol));
  PracticalSession session(protocol, settings);
  if (!session.run()) return {};
  return session.finish(peer_results);
}

}  // namespace surefoot
