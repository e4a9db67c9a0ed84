#include "experiments/arena.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

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

bool contains(const std::vector<std::string>& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

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

int trials_of(const ArenaProtocol& protocol, Index dimension) {
  return protocol.blocks * protocol.trials.value_or(dimension > 20 ? 10 : 25);
}

Json to_json(const ArenaProtocol& p) {
  return {
      {"version", version},         {"methods", p.methods},   {"functions", p.functions},
      {"dimensions", p.dimensions}, {"popsizes", p.popsizes}, {"trials", p.trials ? Json(*p.trials) : Json(nullptr)},
      {"blocks", p.blocks},         {"seed", p.seed},         {"target", arena_target}};
}

std::vector<ArenaCell> cells_of(const ArenaProtocol& protocol) {
  std::vector<ArenaCell> cells;
  for (const std::string& function : protocol.functions) {
    for (const Index dimension : protocol.dimensions) {
      for (const std::string& popsize : protocol.popsizes) cells.push_back({function, dimension, popsize});
    }
  }
  return cells;
}

/// One trial of one method in one cell.
struct Trial {
  std::size_t method;
  std::size_t cell;
  int number;
};

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
    for (auto& column : columns.items()) column.value().push_back(csv_number(fields.at(i++)));
    at = end + 1;
  }
  return columns;
}

/// An arena in its folder.
class Session {
 public:
  Session(const ArenaProtocol& protocol, const ExperimentSettings& settings)
      : protocol_(protocol),
        settings_(settings),
        cells_(cells_of(protocol)),
        trials_(all_trials()),
        rows_(settings.out / "trials.csv", columns(), keys()) {
    for (const std::string& name : protocol.methods) contenders_.push_back(make_contender(name, "none"));
  }

  bool run(const std::atomic<bool>& interrupted) {
    Jobs jobs;
    for (const Trial& t : trials_) jobs.work.push_back(expected_work(cells_[t.cell]));
    jobs.is_done = [this](std::size_t i) { return rows_.has(i) && (!is_shown(trials_[i]) || exists(trials_[i])); };
    jobs.run_once = [this](std::size_t i) { run_one(i); };
    return run_missing(jobs, settings_, interrupted);
  }

  ArenaReport finish() {
    rows_.finish();
    const ArenaReport report = summarise(read_results(), protocol_.against);
    write_atomically(settings_.out / "summary.json", surefoot::to_json(report).dump(1) + "\n");
    write_atomically(settings_.out / "report.html", report_page(ReportKind::arena, "Arena", report_data(report)));
    return report;
  }

 private:
  static double expected_work(const ArenaCell& cell) {
    const auto d = static_cast<double>(cell.dimension);
    const ArenaKind kind = find_arena_function(cell.function).kind;
    return d * d * (kind == ArenaKind::unimodal ? 1.0 : 5.0);
  }

  [[nodiscard]] std::vector<Trial> all_trials() const {
    std::vector<Trial> trials;
    for (std::size_t m = 0; m < protocol_.methods.size(); ++m) {
      for (std::size_t c = 0; c < cells_.size(); ++c) {
        for (int i = 0; i < trials_of(protocol_, cells_[c].dimension); ++i) trials.push_back({m, c, i});
      }
    }
    return trials;
  }

  static RowFile::Columns columns() {
    RowFile::Columns all = {{"method", "function", "dimension", "popsize", "trial", "seed"}, 5};
    all.names.insert(all.names.end(), arena_columns().begin(), arena_columns().end());
    return all;
  }

  [[nodiscard]] std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const Trial& t : trials_) {
      all.push_back(fmt::format("{},{},{}", protocol_.methods[t.method], cells_[t.cell].text(), t.number));
    }
    return all;
  }

  /// The first trial of a cell shows what the rates do.
  [[nodiscard]] bool is_shown(const Trial& t) const {
    const ArenaCell& cell = cells_[t.cell];
    return t.number == 0 && cell.dimension == shown_dimension(protocol_) && cell.popsize == protocol_.popsizes.front();
  }

  [[nodiscard]] std::filesystem::path course_file(const Trial& t) const {
    return settings_.out / "traces" / fmt::format("{}_{}.csv", t.method, cells_[t.cell].function);
  }

  [[nodiscard]] bool exists(const Trial& t) const { return std::filesystem::exists(course_file(t)); }

  void run_one(std::size_t i) {
    const Trial& t = trials_[i];
    const ArenaCell& cell = cells_[t.cell];
    // The same for all methods: they start from the same population.
    const std::uint64_t seed = seed_of(protocol_.seed, fmt::format("arena/{}/{}", cell.text(), t.number));
    ArenaCourse course;
    const ArenaOutcome outcome = run_arena_trial(contenders_[t.method], cell, seed, is_shown(t) ? &course : nullptr);
    if (is_shown(t)) write_atomically(course_file(t), to_csv(course));
    rows_.add(i, fmt::format("{},{}", seed, fields_of(outcome)));
  }

  [[nodiscard]] std::vector<ArenaResult> read_results() const {
    std::vector<ArenaResult> results;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      const Trial& t = trials_[i];
      if (t.number == 0) {
        results.push_back({cells_[t.cell], protocol_.methods[t.method], protocol_.blocks, {}});
      }
      results.back().outcomes.push_back(arena_outcome(rows_.row(i)));
    }
    return results;
  }

  [[nodiscard]] Json report_data(const ArenaReport& report) const {
    Json courses = Json::array();
    for (const Trial& t : trials_) {
      if (!is_shown(t)) continue;
      Json course = course_data(read_file(course_file(t)));
      course["method"] = protocol_.methods[t.method];
      course["function"] = cells_[t.cell].function;
      courses.push_back(std::move(course));
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
  std::vector<ArenaCell> cells_;
  std::vector<Trial> trials_;
  std::vector<Contender> contenders_;
  RowFile rows_;
};

}  // namespace

Arena run_arena(const ArenaProtocol& request, const ExperimentSettings& settings,
                const std::atomic<bool>& interrupted) {
  const ArenaProtocol protocol = checked(request);
  claim_folder(settings.out, to_json(protocol));
  std::filesystem::create_directories(settings.out / "traces");
  Session session(protocol, settings);
  Arena arena{.against = protocol.against, .report = {}};
  arena.complete = session.run(interrupted);
  if (arena.complete) arena.report = session.finish();
  return arena;
}

}  // namespace surefoot
