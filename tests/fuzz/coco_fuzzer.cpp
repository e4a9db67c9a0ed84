// Folders of experiments with COCO's data, as a killed experiment or a strange hand leaves them, and logs of strange
// values. An experiment goes on in such a folder or refuses it with std::invalid_argument, and what it has written in
// the end is well-formed.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "experiments/bbob_bench.hpp"
#include "ranks/lone_channel.hpp"
#include "tests/fuzz/fuzz_support.hpp"

namespace surefoot {
namespace {

using Files = std::map<std::string, std::string>;  // contents by path

void require(bool condition) {
  if (!condition) std::abort();
}

using fuzz::Choices;

std::filesystem::path folder() { return fuzz::folder() / "experiment"; }

const BbobProtocol protocol = {
    .methods = {"xnes"}, .functions = {1}, .dimensions = {2}, .instances = {1, 2}, .budget = 2};

/// A search is computed once: its result depends on nothing but its number.
Compute remembered() {
  return [compute = bbob_compute(protocol, true), results = std::map<std::size_t, std::string>()](
             std::size_t job, const std::function<bool()>& cancelled) mutable -> std::optional<std::string> {
    const auto found = results.find(job);
    return found != results.end() ? found->second : results[job] = compute(job, cancelled).value();
  };
}

/// Says whether the experiment is complete.
bool run_experiment() {
  static LoneChannel alone;
  static Dispatcher workers(alone, job_work(remembered), 1);
  return bench_bbob(protocol, {folder(), workers, [] { return false; }}, folder() / "coco").complete;
}

Files read_folder() {
  Files files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder())) {
    // No experiment reads its page.
    if (!entry.is_regular_file() || entry.path().extension() == ".html") continue;
    files[std::filesystem::relative(entry.path(), folder()).string()] = fuzz::contents(entry.path());
  }
  return files;
}

/// What may differ from the good files: what an experiment writes in the end, and what was changed the last time. Most
/// of the time of an execution would go into writing the others again.
std::set<std::string> written() {
  return {"protocol.json", "report.html", "runs.csv", "summary.json", "coco/xnes/bbobexp_f1.info"};
}

/// Writes the files that differ from what is there.
void write_folder(const Files& files, const Files& good) {
  static std::set<std::string> others = written();
  std::set<std::string> now = written();
  for (const auto& [name, text] : good) {
    if (const auto file = files.find(name); file == files.end() || file->second != text) now.insert(name);
  }
  others.insert(now.begin(), now.end());
  for (const std::string& name : others) {
    const auto file = files.find(name);
    if (file == files.end()) {
      std::filesystem::remove(folder() / name);
    } else {
      std::filesystem::create_directories((folder() / name).parent_path());
      fuzz::put(folder() / name, file->second);
    }
  }
  others = std::move(now);
}

std::string strange_field(Choices& choices) {
  constexpr std::array fields = {
      "",    "nan",  "-inf",   "1e308", "-1",  "0",   "99999999999999999999", "9223372036854775807",
      "+-1", "0x10", "1e-320", "xnes",  "1,2", "\"1", "2147483648",           " 1"};
  return fields.at(choices.below(fields.size()));
}

/// Another value in one field of one line.
void change_field(std::string& table, Choices& choices) {
  std::size_t at = 0;
  for (std::size_t line = choices.below(4); line > 0 && table.find('\n', at) != std::string::npos; --line) {
    at = table.find('\n', at) + 1;
  }
  for (std::size_t field = choices.below(60); field > 0 && table.find_first_of(",\n", at) != std::string::npos;
       --field) {
    if (table[table.find_first_of(",\n", at)] == '\n') break;
    at = table.find(',', at) + 1;
  }
  const std::size_t end = std::min(table.find_first_of(",\n", at), table.size());
  table.replace(at, end - at, strange_field(choices));
}

void change_bytes(std::string& text, Choices& choices) {
  if (text.empty()) return;
  const std::size_t at = (choices.below(256) + 256 * choices.below(256)) % text.size();
  switch (choices.below(4)) {
    case 0: text.resize(at); break;
    case 1: text.insert(at, text.substr(at / 2, choices.below(256))); break;
    default: text[at] = static_cast<char>(choices.below(256)); break;
  }
}

void change(Files& files, Choices& choices) {
  auto file = files.begin();
  std::advance(file, static_cast<std::ptrdiff_t>(choices.below(files.size())));
  switch (choices.below(8)) {
    case 0: files.erase(file); break;
    case 1:
    case 2: change_bytes(file->second, choices); break;
    default: change_field(files["runs.csv"], choices); break;
  }
}

/// bbobexp_f1.info names every data file with evaluations and a precision.
void require_index() {
  static const std::regex form(
      "suite = 'bbob', funcId = 1, DIM = 2, [^\n]*\n% [^\n]*\n"
      "(data_f1/bbobexp_f1_DIM2_i[12]\\.dat, [12]:[0-9]+\\|(-?[0-9.]+e[-+][0-9]+|-?nan|-?inf)(, )?){2}\n");
  const std::filesystem::path data = folder() / "coco" / "xnes";
  require(std::regex_match(fuzz::contents(data / "bbobexp_f1.info"), form));
  for (const char* name : {"i1.dat", "i1.tdat", "i2.dat", "i2.tdat"}) {
    require(std::filesystem::exists(data / "data_f1" / (std::string("bbobexp_f1_DIM2_") + name)));
  }
}

void go_on(Choices& choices) {
  static const Files good = [] {
    std::filesystem::remove_all(folder());
    run_experiment();
    require_index();
    return read_folder();
  }();
  Files files = good;
  for (int n = 0; n < 4 && !choices.empty() && !files.empty(); ++n) change(files, choices);
  write_folder(files, good);
  static int executions = 0;
  if (++executions % 1000 == 1) require(read_folder() == files);
  fuzz::accept_or_refuse([] {
    if (run_experiment()) require_index();
  });
}

/// Whatever values a search meets, the log has whole lines with six numbers and two coordinates.
void log_values(Choices& choices) {
  static const BbobProblem problem(1, 2, 1);
  CocoLog log(problem);
  constexpr std::int64_t most = std::int64_t{1} << 53U;  // evaluations that a machine can do
  for (std::int64_t evaluation = 0; !choices.empty() && evaluation < most;) {
    evaluation += 1 + static_cast<std::int64_t>(choices.word() >> (11 + choices.below(53)));
    const std::array x = {std::bit_cast<double>(choices.word()), 1.0};
    log.add(evaluation, std::bit_cast<double>(choices.word()), x.data());
  }
  for (const std::string& text : {log.dat(), log.tdat()}) {
    for (std::size_t at = text.find('\n') + 1; at < text.size(); at = text.find('\n', at) + 1) {
      const std::string_view line = std::string_view(text).substr(at, text.find('\n', at) - at);
      require(std::count(line.begin(), line.end(), ' ') == 6);
    }
  }
}

}  // namespace
}  // namespace surefoot

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string input(data, data + size);
  surefoot::fuzz::Choices choices(std::string_view(input).substr(1));
  if (data[0] % 4 == 0) {
    surefoot::log_values(choices);
  } else {
    surefoot::go_on(choices);
  }
  return 0;
}
