#include "experiments/bbob_bench.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "experiments/csv.hpp"
#include "experiments/option_lists.hpp"
#include "experiments/row_file.hpp"
#include "report/report.hpp"
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
  outcome.evaluations = static_cast<std::int64_t>(csv_number(fields.at(5)));
  outcome.precision = csv_number(fields.at(6));
  outcome.runs = static_cast<int>(csv_number(fields.at(7)));
  for (std::size_t k = 0; k < bbob_targets; ++k) {
    const std::string& field = fields.at(first_target_column + k);
    outcome.hits.at(k) = field.empty() ? 0 : static_cast<std::int64_t>(csv_number(field));
  }
  return outcome;
}

/// A method's name as the name of a folder.
std::string folder_name(std::string method) {
  std::replace_if(
      method.begin(), method.end(), [](char c) { return c == '/' || c == ':' || c == ';' || c == '='; }, '_');
  return method;
}

/// A benchmark in its folder.
class Bench {
 public:
  Bench(const BbobProtocol& protocol, const ExperimentSettings& settings, std::filesystem::path coco_data)
      : protocol_(protocol),
        settings_(settings),
        coco_data_(std::move(coco_data)),
        tasks_(tasks_of(protocol)),
        rows_(settings.out / "runs.csv", columns(), keys()) {
    for (const std::string& name : protocol.methods) contenders_.push_back(make_contender(name, "ipop"));
  }

  bool run(const std::atomic<bool>& interrupted) {
    Jobs jobs;
    for (std::size_t i = 0; i < contenders_.size() * tasks_.size(); ++i) {
      jobs.work.push_back(static_cast<double>(task(i).dimension));
    }
    jobs.is_done = [this](std::size_t i) { return rows_.has(i) && has_coco_data(i); };
    jobs.run_once = [this](std::size_t i) { run_one(i); };
    return run_missing(jobs, settings_, interrupted);
  }

  /// Writes everything that follows from the runs.
  std::vector<BbobRow> finish() {
    rows_.finish();
    const std::vector<BbobResults> results = read_results();
    const auto budget = static_cast<double>(protocol_.budget);
    std::vector<BbobRow> summary = summarise(tasks_, results, budget);
    write_atomically(settings_.out / "summary.json", surefoot::to_json(summary).dump(1) + "\n");
    write_atomically(settings_.out / "report.html",
                     report_page(ReportKind::bbob, "BBOB benchmark", report_data(summary, results)));
    if (!coco_data_.empty()) write_coco_indices(results);
    return summary;
  }

 private:
  [[nodiscard]] const BbobTask& task(std::size_t job) const { return tasks_[job % tasks_.size()]; }
  [[nodiscard]] std::size_t method(std::size_t job) const { return job / tasks_.size(); }

  [[nodiscard]] std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const std::string& name : protocol_.methods) {
      for (const BbobTask& t : tasks_)
        all.push_back(fmt::format("{},{},{},{}", name, t.function, t.dimension, t.instance));
    }
    return all;
  }

  /// Without its extension.
  [[nodiscard]] std::filesystem::path coco_file(std::size_t job) const {
    const BbobTask& t = task(job);
    return coco_data_ / folder_name(protocol_.methods[method(job)]) /
           coco_data_file(t.function, t.dimension, t.instance);
  }

  [[nodiscard]] bool has_coco_data(std::size_t job) const {
    return coco_data_.empty() || std::filesystem::exists(coco_file(job).string() + ".tdat");
  }

  void run_one(std::size_t job) {
    const BbobTask& t = task(job);
    const BbobProblem problem(t.function, t.dimension, t.instance);
    // The same for all methods, so that they start from the same points.
    const std::uint64_t seed =
        seed_of(protocol_.seed, fmt::format("bbob/{}/{}/{}", t.function, t.dimension, t.instance));
    const std::int64_t budget = protocol_.budget * t.dimension;
    if (coco_data_.empty()) {
      rows_.add(job, fields_of(run_bbob(contenders_[method(job)], problem, budget, seed), seed));
      return;
    }
    CocoLog log(problem);
    const BbobOutcome outcome = run_bbob(contenders_[method(job)], problem, budget, seed, &log);
    const std::filesystem::path file = coco_file(job);
    std::filesystem::create_directories(file.parent_path());
    write_atomically(file.string() + ".dat", log.dat());
    write_atomically(file.string() + ".tdat", log.tdat());  // the last one: it says that the data are there
    rows_.add(job, fields_of(outcome, seed));
  }

  [[nodiscard]] std::vector<BbobResults> read_results() const {
    std::vector<BbobResults> results;
    for (std::size_t m = 0; m < protocol_.methods.size(); ++m) {
      BbobResults& r = results.emplace_back(BbobResults{protocol_.methods[m], {}});
      for (std::size_t i = 0; i < tasks_.size(); ++i) {
        r.outcomes.push_back(outcome_of(rows_.row(m * tasks_.size() + i)));
      }
    }
    return results;
  }

  void write_coco_indices(const std::vector<BbobResults>& results) const {
    for (const BbobResults& r : results) {
      for (const int function : protocol_.functions) {
        std::vector<CocoEntry> entries;
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
          const BbobTask& t = tasks_[i];
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
    for (const BbobScope& scope : curve_scopes(tasks_)) {
      for (const BbobResults& r : results) {
        const BbobCurve curve = ecdf(scope, tasks_, r, static_cast<double>(protocol_.budget));
        curves.push_back({{"dimension", *scope.dimension},
                          {"group", scope.group ? Json(*scope.group) : Json(nullptr)},
                          {"method", r.method},
                          {"evaluations", rounded_for_display(curve.evaluations)},
                          {"share", rounded_for_display(curve.share)}});
      }
    }
    return {{"version", version},
            {"protocol", to_json(protocol_)},
            {"functions", functions},
            {"curves", curves},
            {"summary", surefoot::to_json(summary)}};
  }

  const BbobProtocol& protocol_;
  const ExperimentSettings& settings_;
  std::filesystem::path coco_data_;
  std::vector<BbobTask> tasks_;
  std::vector<Contender> contenders_;
  RowFile rows_;
};

}  // namespace

BbobBench bench_bbob(const BbobProtocol& request, const ExperimentSettings& settings,
                     const std::filesystem::path& coco_data, const std::atomic<bool>& interrupted) {
  const BbobProtocol protocol = checked(request);
  for (const std::string& name : protocol.methods) make_contender(name, "ipop");  // before anything is written
  claim_folder(settings.out, to_json(protocol));
  Bench bench(protocol, settings, coco_data);
  BbobBench result;
  result.complete = bench.run(interrupted);
  if (result.complete) result.summary = bench.finish();
  return result;
}

}  // namespace surefoot
