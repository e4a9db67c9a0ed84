#include "experiments/bbob_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "experiments/bbob_published.hpp"
#include "experiments/csv.hpp"
#include "experiments/experiment.hpp"
#include "experiments/grid.hpp"
#include "experiments/job_result.hpp"
#include "experiments/option_lists.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t first_target_column = 8;

BbobProtocol checked(BbobProtocol protocol) {
  if (protocol.functions.empty()) {
    for (const BbobFunction& row : bbob_table()) protocol.functions.push_back(row.number);
  }
  require_distinct("methods", protocol.methods);
  require_distinct("functions", protocol.functions);
  require_distinct("dims", protocol.dimensions);
  require_distinct("instances", protocol.instances);
  if (protocol.budget < 2) reject("budget", protocol.budget, "it must be at least 2, in multiples of the dimension");
  for (const int function : protocol.functions) BbobProblem(function, 2, 1);
  for (const Index dimension : protocol.dimensions) BbobProblem(1, dimension, 1);
  for (const int instance : protocol.instances) BbobProblem(1, 2, instance);
  for (const std::string& name : protocol.methods) make_contender(name, "ipop");
  return protocol;
}

Json to_json(const BbobProtocol& p) {
  return {{"version", version},         {"suite", "bbob"},          {"methods", p.methods}, {"functions", p.functions},
          {"dimensions", p.dimensions}, {"instances", p.instances}, {"budget", p.budget},   {"seed", p.seed}};
}

std::vector<BbobTask> tasks_of(const BbobProtocol& protocol) {
  std::vector<BbobTask> tasks;
  for (const int function : protocol.functions) {
    for (const Index dimension : protocol.dimensions) {
      for (const int instance : protocol.instances) tasks.push_back({function, dimension, instance});
    }
  }
  return tasks;
}

RowFile::Columns columns() {
  RowFile::Columns all = {{"method", "function", "dimension", "instance", "seed", "evaluations", "precision", "runs"},
                          4};
  for (std::size_t k = 0; k < bbob_targets; ++k) {
    all.names.push_back(fmt::format("1e{:.1f}", (10.0 - static_cast<double>(k)) / 5));
  }
  return all;
}

std::string fields_of(const BbobOutcome& outcome, std::uint64_t seed) {
  std::string text = fmt::format("{},{},{},{}", seed, outcome.evaluations, outcome.precision, outcome.runs);
  for (const std::int64_t hit : outcome.hits) text += hit == 0 ? "," : fmt::format(",{}", hit);
  return text;
}

BbobOutcome outcome_of(const std::vector<std::string>& fields) {
  BbobOutcome outcome;
  outcome.evaluations = csv_count(fields.at(5));
  outcome.precision = csv_number(fields.at(6));
  outcome.runs = csv_count(fields.at(7));
  for (std::size_t k = 0; k < bbob_targets; ++k) {
    const std::string& field = fields.at(first_target_column + k);
    outcome.hits.at(k) = field.empty() ? 0 : csv_count(field);
  }
  return outcome;
}

/// A method's name as the name of a folder.
std::string folder_name(std::string method) {
  std::replace_if(
      method.begin(), method.end(), [](char c) { return c == '/' || c == ':' || c == ';' || c == '='; }, '_');
  return method;
}

Grid<BbobTask> grid_of(const BbobProtocol& protocol) { return {protocol.methods, "ipop", tasks_of(protocol)}; }

std::string file_name(const BbobTask& t) { return fmt::format("f{}_d{}_i{}", t.function, t.dimension, t.instance); }

/// A shell takes it as one word.
std::string quoted(const std::string& word) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '/'; };
  return std::all_of(word.begin(), word.end(), is_plain) ? word : "'" + word + "'";
}

/// Its seed follows from the protocol's and the task, so the same command with one task makes the same search.
std::string command_of(const std::string& method, const BbobTask& t, const BbobProtocol& p) {
  return fmt::format(
      "surefoot bench bbob --methods {} --functions {} --dims {} --instances {} --budget {} --seed {} --traces "
      "--out {}",
      quoted(method), t.function, t.dimension, t.instance, p.budget, p.seed, "bbob_" + file_name(t));
}

/// What is not wanted has no files.
JobResult run_task(const Contender& contender, const BbobTask& t, const BbobProtocol& protocol, bool with_coco_data,
                   bool with_trace) {
  const BbobProblem problem(t.function, t.dimension, t.instance);
  // The seed is the same for all methods, so that they start from the same points.
  const std::uint64_t seed = seed_of(protocol.seed, fmt::format("bbob/{}/{}/{}", t.function, t.dimension, t.instance));
  const std::int64_t budget = protocol.budget * t.dimension;
  std::optional<CocoLog> log;
  if (with_coco_data) log.emplace(problem);
  CocoLog* const evaluations = log ? &*log : nullptr;
  const TracedBbobOutcome traced =
      with_trace ? trace_bbob(contender, problem, budget, seed, command_of(contender.name, t, protocol), evaluations)
                 : TracedBbobOutcome{run_bbob(contender, problem, budget, seed, evaluations), {}};
  JobResult result{fields_of(traced.outcome, seed)};
  if (log) result.files = {log->dat(), log->tdat()};
  if (with_trace && !contender.is_random) result.files.push_back(traced.trace);
  return result;
}

/// A benchmark in its folder.
class BbobSession {
 public:
  BbobSession(const BbobProtocol& protocol, const ExperimentSettings& settings, std::filesystem::path coco_data,
              bool with_traces)
      : protocol_(protocol),
        settings_(settings),
        coco_data_(std::move(coco_data)),
        with_traces_(with_traces),
        grid_(grid_of(protocol)),
        rows_(settings.out / "runs.csv", columns(), grid_.for_each_job([](const std::string& method, const auto& t) {
          return fmt::format("{},{},{},{}", method, t.function, t.dimension, t.instance);
        })) {}

  bool run() {
    std::vector<double> work =
        grid_.for_each_job([](const auto& /*method*/, const auto& t) { return static_cast<double>(t.dimension); });
    return run_missing(jobs_with_rows(std::move(work), rows_, [this](std::size_t job) { return files(job); }),
                       settings_);
  }

  /// Writes everything that follows from the runs.
  std::vector<BbobRow> finish() {
    rows_.finish();
    const std::vector<BbobResults> results = read_results();
    std::vector<BbobRow> summary = summarise(grid_.tasks(), results, static_cast<double>(protocol_.budget));
    write_results(settings_.out, surefoot::to_json(summary),
                  {ReportKind::bbob, "BBOB benchmark", report_data(summary, results)});
    if (!coco_data_.empty()) write_coco_indices(results);
    return summary;
  }

 private:
  [[nodiscard]] std::vector<std::filesystem::path> files(std::size_t job) const {
    std::vector<std::filesystem::path> all = coco_files(job);
    const Contender& contender = grid_.contender(job);
    if (with_traces_ && !contender.is_random) {
      all.push_back(settings_.out / "traces" / folder_name(contender.name) / (file_name(grid_.task(job)) + ".jsonl"));
    }
    return all;
  }

  [[nodiscard]] std::vector<std::filesystem::path> coco_files(std::size_t job) const {
    if (coco_data_.empty()) return {};
    const BbobTask& t = grid_.task(job);
    const std::string file =
        (coco_data_ / folder_name(grid_.contender(job).name) / coco_data_file(t.function, t.dimension, t.instance))
            .string();
    return {file + ".dat", file + ".tdat"};
  }

  [[nodiscard]] std::vector<BbobResults> read_results() const {
    std::vector<BbobResults> results;
    for (const Contender& contender : grid_.contenders()) results.push_back({contender.name, {}});
    for (std::size_t job = 0; job < grid_.size(); ++job) {
      results[grid_.method(job)].outcomes.push_back(rows_.read(job, outcome_of));
    }
    return results;
  }

  void write_coco_indices(const std::vector<BbobResults>& results) const {
    for (const BbobResults& r : results) {
      for (const int function : protocol_.functions) {
        std::vector<CocoEntry> entries;
        for (std::size_t i = 0; i < grid_.tasks().size(); ++i) {
          const BbobTask& t = grid_.tasks()[i];
          if (t.function != function) continue;
          entries.push_back({function, t.dimension, t.instance, r.outcomes[i].evaluations, r.outcomes[i].precision});
        }
        write_atomically(coco_data_ / folder_name(r.method) / fmt::format("bbobexp_f{}.info", function),
                         coco_info(r.method, entries));
      }
    }
  }

  [[nodiscard]] Json report_data(const std::vector<BbobRow>& summary, const std::vector<BbobResults>& results) const {
    Json functions = Json::array();
    for (const int f : protocol_.functions) {
      const BbobFunction& row = bbob_table()[static_cast<std::size_t>(f - 1)];
      functions.push_back({{"number", f}, {"title", row.title}, {"group", row.group}});
    }
    Json curves = Json::array();
    Json methods = protocol_.methods;
    std::vector<BbobResults> drawn = results;
    if (results.size() > 1) {
      drawn.push_back(virtual_best(results));
      methods.push_back(virtual_best_name);
    }
    for (const BbobScope& scope : curve_scopes(grid_.tasks())) {
      for (const BbobResults& r : drawn) {
        const BbobCurve curve = ecdf(scope, grid_.tasks(), r, static_cast<double>(protocol_.budget));
        curves.push_back({{"dimension", *scope.dimension},
                          {"group", scope.group ? Json(*scope.group) : Json(nullptr)},
                          {"method", r.method},
                          {"evaluations", rounded_for_display(curve.evaluations)},
                          {"share", rounded_for_display(curve.share)}});
      }
    }
    return {{"version", version},
            {"protocol", to_json(protocol_)},
            {"methods", methods},
            {"functions", functions},
            {"curves", curves},
            {"published", is_whole_suite() ? surefoot::to_json(published_areas(protocol_.budget)) : Json::array()},
            {"summary", surefoot::to_json(summary)}};
  }

  /// Published areas are of all functions.
  [[nodiscard]] bool is_whole_suite() const { return protocol_.functions.size() == bbob_table().size(); }

  const BbobProtocol& protocol_;
  const ExperimentSettings& settings_;
  std::filesystem::path coco_data_;
  bool with_traces_;
  Grid<BbobTask> grid_;
  RowFile rows_;
};

/// A new experiment writes its data to a new folder: what is in another one is somebody else's.
void require_free_coco_data(const std::filesystem::path& out, const std::filesystem::path& coco_data) {
  if (coco_data.empty() || std::filesystem::exists(out / "protocol.json")) return;
  if (!std::filesystem::exists(coco_data)) return;
  if (std::filesystem::is_directory(coco_data) && std::filesystem::is_empty(coco_data)) return;
  throw std::invalid_argument("coco-data = " + coco_data.string() +
                              " is not allowed: it exists and this experiment has not made it; use another folder");
}

}  // namespace

Compute bbob_compute(const BbobProtocol& request, bool with_coco_data, bool with_trace) {
  const BbobProtocol protocol = checked(request);
  return compute_grid(grid_of(protocol), [=](const Contender& contender, const BbobTask& task) {
    return run_task(contender, task, protocol, with_coco_data, with_trace);
  });
}

std::vector<std::string> bbob_commands(const BbobProtocol& request) {
  const BbobProtocol protocol = checked(request);
  return grid_of(protocol).for_each_job(
      [&](const std::string& method, const BbobTask& task) { return command_of(method, task, protocol); });
}

BbobBench bench_bbob(const BbobProtocol& request, const ExperimentSettings& settings,
                     const std::filesystem::path& coco_data, bool with_traces) {
  const BbobProtocol protocol = checked(request);
  require_free_coco_data(settings.out, coco_data);
  claim_folder(settings.out, to_json(protocol));
  BbobSession session(protocol, settings, coco_data, with_traces);
  BbobBench result;
  result.complete = session.run();
  if (result.complete) result.summary = session.finish();
  return result;
}

}  // namespace surefoot
