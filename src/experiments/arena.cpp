#include "experiments/arena.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/invalid_option.hpp"
#include "driver/atomic_file.hpp"
#include "experiments/csv.hpp"
#include "experiments/experiment.hpp"
#include "experiments/grid.hpp"
#include "experiments/job_result.hpp"
#include "experiments/option_lists.hpp"
#include "surefoot/version.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

void check_popsize(const std::string& text) {
  int multiple = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, multiple);
  const bool is_multiple =
      error == std::errc() && std::string_view(stop, end) == "x" && multiple > 1 && multiple < 1000;
  if (text != "default" && !is_multiple) reject("popsize", "'" + text + "'", "it must be default, 2x, 3x, ... or 999x");
}

ArenaProtocol checked(ArenaProtocol p) {
  if (p.functions.empty()) {
    for (const ArenaFunction& f : arena_table()) p.functions.push_back(f.name);
  }
  require_distinct("methods", p.methods);
  require_distinct("functions", p.functions);
  require_distinct("dims", p.dimensions);
  require_distinct("popsize", p.popsizes);
  for (const std::string& method : p.methods) {
    if (make_contender(method, "none").is_random) reject("methods", "'random'", "it has nothing to adapt");
  }
  for (const std::string& function : p.functions) {
    for (const Index d : p.dimensions) make_arena_problem(find_arena_function(function), d, 1);
  }
  for (const std::string& popsize : p.popsizes) check_popsize(popsize);
  if (p.trials && *p.trials < 1) reject("trials", *p.trials, "it must be at least 1");
  if (p.blocks < 1) reject("blocks", p.blocks, "it must be at least 1");
  if (p.against.empty()) p.against = contains(p.methods, "cma") ? "cma" : p.methods.front();
  if (!contains(p.methods, p.against)) reject("against", "'" + p.against + "'", "it must be one of the methods");
  return p;
}

int count_trials(const ArenaProtocol& protocol, Index dimension) {
  return protocol.blocks * protocol.trials.value_or(dimension > 20 ? 10 : 25);
}

Json to_json(const ArenaProtocol& p) {
  return {
      {"version", version},         {"methods", p.methods},   {"functions", p.functions},
      {"dimensions", p.dimensions}, {"popsizes", p.popsizes}, {"trials", p.trials ? Json(*p.trials) : Json(nullptr)},
      {"blocks", p.blocks},         {"seed", p.seed},         {"target", arena_target}};
}

/// One trial in one cell.
struct ArenaTrial {
  ArenaCell cell;
  int number;
};

std::vector<ArenaTrial> trials_of(const ArenaProtocol& protocol) {
  std::vector<ArenaTrial> trials;
  for (const std::string& function : protocol.functions) {
    for (const Index dimension : protocol.dimensions) {
      for (const std::string& popsize : protocol.popsizes) {
        const ArenaCell cell{function, dimension, popsize};
        for (int i = 0; i < count_trials(protocol, dimension); ++i) trials.push_back({cell, i});
      }
    }
  }
  return trials;
}

/// The dimension whose courses are shown: 10 if it takes part, or the largest.
Index shown_dimension(const ArenaProtocol& protocol) {
  const auto& all = protocol.dimensions;
  return std::find(all.begin(), all.end(), 10) != all.end() ? 10 : *std::max_element(all.begin(), all.end());
}

std::string to_csv(const ArenaCourse& c) {
  std::string text = "nfev,best,sigma,eta_m,eta_sigma,eta_B\n";
  for (std::size_t i = 0; i < c.nfev.size(); ++i) {
    text += fmt::format("{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", c.nfev[i], c.best[i], c.sigma[i], c.eta_m[i],
                        c.eta_sigma[i], c.eta_B[i]);
  }
  return text;
}

Json course_data(const std::string& csv) {
  Json columns = {{"nfev", Json::array()},  {"best", Json::array()},      {"sigma", Json::array()},
                  {"eta_m", Json::array()}, {"eta_sigma", Json::array()}, {"eta_B", Json::array()}};
  for (std::size_t at = csv.find('\n') + 1; at < csv.size();) {
    const std::size_t end = csv.find('\n', at);
    const std::vector<std::string> fields = csv_fields(csv.substr(at, end - at));
    std::size_t i = 0;
    for (const auto& column : columns.items()) column.value().push_back(csv_number(fields.at(i++)));
    at = end + 1;
  }
  return columns;
}

Grid<ArenaTrial> grid_of(const ArenaProtocol& protocol) { return {protocol.methods, "none", trials_of(protocol)}; }

/// The courses of the first trials in some cells show what the rates do.
bool is_shown(const ArenaTrial& t, const ArenaProtocol& protocol) {
  return t.number == 0 && t.cell.dimension == shown_dimension(protocol) && t.cell.popsize == protocol.popsizes.front();
}

JobResult run_arena_job(const Contender& contender, const ArenaTrial& t, const ArenaProtocol& protocol) {
  // The seed is the same for all methods, so that they start from the same population.
  const std::uint64_t seed = seed_of(protocol.seed, fmt::format("arena/{}/{}", t.cell.text(), t.number));
  ArenaCourse course;
  const bool shown = is_shown(t, protocol);
  const ArenaOutcome outcome = run_arena_trial(contender, t.cell, seed, shown ? &course : nullptr);
  JobResult result{fmt::format("{},{}", seed, fields_of(outcome))};
  if (shown) result.files.push_back(to_csv(course));
  return result;
}

double arena_work(const std::string& /*method*/, const ArenaTrial& t) {
  const auto d = static_cast<double>(t.cell.dimension);
  const ArenaKind kind = find_arena_function(t.cell.function).kind;
  return d * d * (kind == ArenaKind::unimodal ? 1.0 : 5.0);
}

RowFile::Columns trial_columns() {
  RowFile::Columns all = {{"method", "function", "dimension", "popsize", "trial", "seed"}, 5};
  all.names.insert(all.names.end(), arena_columns().begin(), arena_columns().end());
  return all;
}

/// An arena in its folder.
class ArenaSession {
 public:
  ArenaSession(const ArenaProtocol& protocol, const ExperimentSettings& settings)
      : protocol_(protocol),
        settings_(settings),
        grid_(grid_of(protocol)),
        rows_(settings.out / "trials.csv", trial_columns(),
              grid_.for_each_job([](const std::string& method, const ArenaTrial& t) {
                return fmt::format("{},{},{}", method, t.cell.text(), t.number);
              })) {}

  bool run() {
    return run_missing(
        jobs_with_rows(grid_.for_each_job(arena_work), rows_, [this](std::size_t job) { return course_files(job); }),
        settings_);
  }

  ArenaReport finish() {
    rows_.finish();
    ArenaReport report = summarise(read_results(), protocol_.against);
    write_results(settings_.out, surefoot::to_json(report), {ReportKind::arena, "Arena", report_data(report)});
    return report;
  }

 private:
  /// One file if the job's course is shown, or none.
  [[nodiscard]] std::vector<std::filesystem::path> course_files(std::size_t job) const {
    const ArenaTrial& t = grid_.task(job);
    if (!is_shown(t, protocol_)) return {};
    return {settings_.out / "traces" / fmt::format("{}_{}.csv", grid_.method(job), t.cell.function)};
  }

  [[nodiscard]] std::vector<ArenaResult> read_results() const {
    std::vector<ArenaResult> results;
    for (std::size_t job = 0; job < grid_.size(); ++job) {
      const ArenaTrial& t = grid_.task(job);
      if (t.number == 0) results.push_back({t.cell, grid_.contender(job).name, protocol_.blocks, {}});
      results.back().outcomes.push_back(rows_.read(job, arena_outcome));
    }
    return results;
  }

  [[nodiscard]] Json report_data(const ArenaReport& report) const {
    Json courses = Json::array();
    for (std::size_t job = 0; job < grid_.size(); ++job) {
      for (const std::filesystem::path& file : course_files(job)) {
        Json course = course_data(read_file(file));
        course["method"] = grid_.contender(job).name;
        course["function"] = grid_.task(job).cell.function;
        courses.push_back(std::move(course));
      }
    }
    Json data = surefoot::to_json(report);
    data["version"] = version;
    data["protocol"] = to_json(protocol_);
    data["against"] = protocol_.against;
    data["shown_dimension"] = shown_dimension(protocol_);
    data["courses"] = courses;
    return data;
  }

  const ArenaProtocol& protocol_;
  const ExperimentSettings& settings_;
  Grid<ArenaTrial> grid_;
  RowFile rows_;
};

}  // namespace

Compute arena_compute(const ArenaProtocol& request) {
  const ArenaProtocol protocol = checked(request);
  return compute_grid(grid_of(protocol), [protocol](const Contender& contender, const ArenaTrial& trial) {
    return run_arena_job(contender, trial, protocol);
  });
}

Arena run_arena(const ArenaProtocol& request, const ExperimentSettings& settings) {
  const ArenaProtocol protocol = checked(request);
  claim_folder(settings.out, to_json(protocol));
  ArenaSession session(protocol, settings);
  Arena arena{.against = protocol.against, .report = {}};
  arena.complete = session.run();
  if (arena.complete) arena.report = session.finish();
  return arena;
}

}  // namespace surefoot
