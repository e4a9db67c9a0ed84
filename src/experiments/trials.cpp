#include "experiments/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "experiments/atomic_file.hpp"
#include "experiments/csv.hpp"
#include "experiments/paper.hpp"
#include "surefoot/minimize.hpp"
#include "surefoot/problems.hpp"

namespace surefoot {
namespace {

constexpr const char* header = "function,popsize,method,trial,seed,success,evaluations,stop_reason\n";

std::string row(const Trial& t) {
  return fmt::format("{},{},{},{},{},{},{},{}\n", t.cell.function, t.cell.popsize, t.cell.method, t.number, t.seed,
                     t.outcome.success ? 1 : 0, t.outcome.evaluations, t.stop_reason);
}

/// \throws std::exception for a line that is no row.
Trial parse(const std::string& line) {
  const std::vector<std::string> f = csv_fields(line);
  if (f.size() != 8) throw std::invalid_argument("8 fields are needed");
  Trial trial;
  trial.cell = {f[0], std::stol(f[1]), f[2], 0};
  trial.number = std::stoi(f[3]);
  trial.seed = std::stoull(f[4]);
  trial.outcome = {f[5] == "1", std::stoll(f[6])};
  trial.stop_reason = f[7];
  return trial;
}

bool same_cell(const Cell& a, const Cell& b) {
  return a.function == b.function && a.popsize == b.popsize && a.method == b.method;
}

}  // namespace

Trial run_trial(const Cell& cell, int number, std::uint64_t protocol_seed) {
  const Problem& problem = find_problem(cell.function);
  const std::uint64_t seed = trial_seed(protocol_seed, cell.function, cell.popsize, cell.method, number);
  const Result result = minimize(problem, Vector::Constant(paper::dimension, problem.start), problem.sigma0,
                                 without_tolerances({.ftarget = paper::ftarget,
                                                     .learning_rate = learning_rate_of(cell.method),
                                                     .maxfevals = paper::maxfevals,
                                                     .method = "xnes",
                                                     .popsize = cell.popsize,
                                                     .seed = seed}));
  return {cell, number, seed, {result.success, result.nfev}, std::string(name(result.stop))};
}

TrialFile::TrialFile(std::filesystem::path path, const Protocol& protocol)
    : path_(std::move(path)), protocol_(protocol), trials_(protocol.cells.size()) {
  if (std::filesystem::exists(path_)) load();
  // Writing it anew drops a line that a kill has cut off, which appending would make part of the next row.
  finish();
  journal_.open(path_, std::ios::binary | std::ios::app);
}

void TrialFile::load() {
  std::istringstream lines(read_file(path_));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && !lines.eof()) {  // a last line without its end may be cut off
    Trial trial;
    try {
      trial = parse(line);
    } catch (const std::exception& error) {
      throw std::invalid_argument(
          fmt::format("{} has a line that is no trial, '{}' ({}): remove it or use another folder", path_.string(),
                      line, error.what()));
    }
    const auto cell = std::find_if(protocol_.cells.begin(), protocol_.cells.end(),
                                   [&](const Cell& c) { return same_cell(c, trial.cell); });
    if (cell == protocol_.cells.end()) continue;
    trials_[static_cast<std::size_t>(cell - protocol_.cells.begin())][trial.number] = trial;
  }
}

bool TrialFile::has(std::size_t cell, int number) const {
  const std::lock_guard lock(mutex_);
  return trials_[cell].contains(number);
}

void TrialFile::add(std::size_t cell, const Trial& trial) {
  const std::lock_guard lock(mutex_);
  trials_[cell][trial.number] = trial;
  journal_ << row(trial) << std::flush;
  if (!journal_) throw std::runtime_error(fmt::format("{} cannot be written", path_.string()));
}

void TrialFile::finish() {
  journal_.close();
  std::string text = header;
  for (const auto& cell : trials_) {
    for (const auto& [number, trial] : cell) text += row(trial);
  }
  write_atomically(path_, text);
}

std::size_t TrialFile::size() const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const auto& cell : trials_) count += cell.size();
  return count;
}

std::vector<Outcome> TrialFile::outcomes(std::size_t cell) const {
  std::vector<Outcome> result;
  for (const auto& [number, trial] : trials_[cell]) result.push_back(trial.outcome);
  return result;
}

}  // namespace surefoot
