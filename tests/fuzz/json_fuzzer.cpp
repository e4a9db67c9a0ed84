// Fixtures and traces, changed as JSON, and the tables of experiments, changed as text. Each is read or refused with
// std::invalid_argument.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "experiments/replay.hpp"
#include "experiments/row_file.hpp"
#include "surefoot/session.hpp"
#include "tests/fuzz/fuzz_support.hpp"

namespace {

using Json = nlohmann::ordered_json;

using surefoot::fuzz::accept_or_refuse;
using surefoot::fuzz::Choices;

std::string fuzz_path(const std::string& name) { return (surefoot::fuzz::folder() / name).string(); }

Json strange_value(Choices& choices) {
  switch (choices.below(12)) {
    case 0: return nullptr;
    case 1: return true;
    case 2: return "text";
    case 3: return Json::array();
    case 4: return Json::object();
    case 5: return -1;
    case 6: return 0;
    case 7: return 1e308;
    case 8: return -1e308;
    case 9: return std::numeric_limits<std::int64_t>::max();
    case 10: return 5e-324;
    default: return Json::array({1, 2, 3, 4, 5, 6, 7, 8, 9});
  }
}

/// Goes down to a part and changes it: another value, one element less, one twice.
void change(Json& part, Choices& choices) {
  if (part.is_structured() && !part.empty() && choices.below(8) != 0) {
    const std::size_t which = choices.below(part.size());
    auto child = part.begin();
    std::advance(child, static_cast<std::ptrdiff_t>(which));
    const std::size_t what = choices.below(10);
    if (what == 0) {
      part.erase(child);
    } else if (what == 1 && part.is_array()) {
      part.push_back(Json(*child));
    } else {
      change(*child, choices);
    }
    return;
  }
  part = strange_value(choices);
}

std::string with_steps(const char* objective, const char* algorithm, const char* variant) {
  const auto row = [](double a, double b) { return Json::array({a, b}); };
  const Json step = {{"z", {row(0.1, -0.2), row(0.3, 1), row(-1, 0.5), row(0.2, 0.7)}},
                     {"f", {1, 2, 3, 4}},
                     {"order", {0, 1, 2, 3}},
                     {"state", {{"m", row(1, 1)}, {"sigma", 0.5}}}};
  const Json fixture = {{"meta", {{"algorithm", algorithm}, {"variant", variant}}},
                        {"objective", {{"name", objective}, {"check_x", row(1, 2)}, {"check_f", 5}}},
                        {"lam", 4},
                        {"init", {{"m", row(1, 1)}, {"sigma", 0.5}}},
                        {"steps", {step, step}}};
  return fixture.dump();
}

/// The small reference trajectories with their first two steps, and one made up for each of these algorithms.
std::vector<Json> all_fixtures() {
  std::vector<Json> fixtures;
  for (const auto& entry : std::filesystem::directory_iterator(SUREFOOT_TEST_DATA "/fixtures")) {
    if (entry.path().extension() != ".json") continue;
    Json fixture = Json::parse(surefoot::fuzz::contents(entry.path()));
    if (!fixture.contains("steps") || fixture["steps"].size() < 2) continue;
    Json& steps = fixture["steps"];
    steps.erase(steps.begin() + 2, steps.end());
    constexpr std::size_t longest = 6000;
    if (fixture.dump().size() < longest) fixtures.push_back(std::move(fixture));
  }
  if (fixtures.size() < 10) std::abort();
  std::sort(fixtures.begin(), fixtures.end());  // folders have no order
  for (const std::string& text : {with_steps("sphere", "xNES", "standard"), with_steps("sphere", "xNES-LRA", "B-frame"),
                                  with_steps("sphere", "CMA-ES (active)", ""), with_steps("sphere", "SNES", ""),
                                  with_steps("sphere", "CR-FM-NES", ""), with_steps("sphere", "LM-MA-ES", ""),
                                  with_steps("sphere", "ig-xnes", "")}) {
    fixtures.push_back(Json::parse(text));
  }
  return fixtures;
}

void replay_changed(Choices& choices) {
  static const std::vector<Json> seeds = all_fixtures();
  Json fixture = seeds.at(choices.below(seeds.size()));
  for (int n = 0; n < 3 && !choices.empty(); ++n) change(fixture, choices);
  static const std::string file = fuzz_path("fixture.json");
  surefoot::fuzz::put(file, fixture.dump(-1, ' ', false, Json::error_handler_t::replace));
  accept_or_refuse([] { surefoot::replay(file); });
}

/// Some lines of the traces of real searches, of several kinds.
std::vector<std::vector<Json>> all_traces() {
  using namespace surefoot;
  static const std::string file = fuzz_path("real.jsonl");
  const auto sometimes = [](const Vector& x) {
    if (x[0] > 3.5) throw std::runtime_error("too far");
    return x.squaredNorm();
  };
  std::vector<std::vector<Json>> traces;
  for (const char* method : {"auto", "xnes", "cma", "snes", "lm-ma-es", "psa-cma", "cr-fm-nes", "dx-nes-ic"}) {
    Options options{.maxfevals = 400, .method = method, .seed = traces.size()};
    options.restarts = traces.size() % 2 == 0 ? "bipop" : "none";
    if (traces.size() % 3 == 0) options.bounds = Bounds::all(-5, 5);
    Session(Point(Vector::Constant(9, 3)), 0.5, options, {.trace = file, .trace_timing = traces.size() % 4 == 0})
        .minimize(sometimes);
    std::vector<Json>& lines = traces.emplace_back();
    std::istringstream text(surefoot::fuzz::contents(file));
    for (std::string line; std::getline(text, line) && lines.size() < 5;) lines.push_back(Json::parse(line));
    std::filesystem::remove(file);
  }
  return traces;
}

void report_changed(Choices& choices) {
  static const std::vector<std::vector<Json>> traces = all_traces();
  std::string text;
  for (Json record : traces.at(choices.below(traces.size()))) {
    for (int k = 0; k < 2 && !choices.empty(); ++k) change(record, choices);
    text += record.dump() + "\n";
  }
  static const std::string file = fuzz_path("trace.jsonl");
  static const std::string page = fuzz_path("page.html");
  surefoot::fuzz::put(file, text);
  accept_or_refuse([] {
    CLI::App app;
    surefoot::cli::Exit status{};
    surefoot::cli::add_report(app, status);
    app.parse("report " + file + " -o " + page);
  });
}

/// The table of a benchmark's folder, from which an interrupted one goes on.
void read_table(std::string_view text) {
  static const std::string file = fuzz_path("table.csv");
  surefoot::fuzz::put(file, "function,dim,evaluations\nsphere,2,100\n" + std::string(text));
  accept_or_refuse([] {
    const surefoot::RowFile rows(file, {{"function", "dim", "evaluations"}, 2}, {"sphere,2", "sphere,3"});
    for (std::size_t job = 0; job < 2; ++job) static_cast<void>(rows.row(job));
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string input(data, data + size);
  Choices choices(std::string_view(input).substr(1));
  switch (data[0] % 3) {
    case 0: replay_changed(choices); break;
    case 1: report_changed(choices); break;
    default: read_table(std::string_view(input).substr(1)); break;
  }
  return 0;
}
