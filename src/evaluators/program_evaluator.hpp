#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/program_pool.hpp"
#include "surefoot/evaluator.hpp"
#include "surefoot/space.hpp"

namespace surefoot {

/// Splits a command into words as a shell does: blanks separate, quotes ('...', "...") and backslash keep together.
/// There is no shell: nothing else has a meaning. \throws std::invalid_argument for an open quote.
std::vector<std::string> split_command(const std::string& text);

/// How an external program is asked for values.
struct ProgramObjective {
  std::vector<std::string> command;    // program and arguments
  std::vector<std::string> arguments;  // more arguments, in which {x}, {x0}, {x1}, ..., {id} and {dir} are replaced
  int constraints = 0;                 // values of constraints that follow f in a line
  bool persistent = false;             // keep it alive: one line in, one line out for each candidate
  Space space = {};                    // of named parameters, whose names {rate}, ... are replaced too
  int workers = 1;
  std::optional<double> timeout = {};  // seconds for one evaluation
};

/// Evaluates candidates with an external program. It gets the coordinates on standard input, in one line separated by
/// blanks, or with named parameters as names and values, rate 0.1 layers 3; the last line that it prints is the value,
/// with those of constraints behind it if there are any.
class ProgramEvaluator final : public Evaluator {
 public:
  /// \throws std::invalid_argument for an empty command, an unknown placeholder or more workers than this process can
  /// watch.
  explicit ProgramEvaluator(ProgramObjective objective);
  ProgramEvaluator(const ProgramEvaluator&) = delete;
  ProgramEvaluator(ProgramEvaluator&&) = delete;
  ProgramEvaluator& operator=(const ProgramEvaluator&) = delete;
  ProgramEvaluator& operator=(ProgramEvaluator&&) = delete;
  ~ProgramEvaluator() override;

  /// \throws std::invalid_argument if the program cannot be started the first time. Later that is a failed evaluation.
  void evaluate(Generation& generation) override;
  [[nodiscard]] Usage usage() const override { return {objective_.workers, busy_}; }

  /// Numbers the next part of a population: its first candidate is this one in evaluation `evaluation`. So {id} is the
  /// same wherever a candidate is evaluated.
  void number_next(std::int64_t evaluation, Index first_candidate);

 private:
  [[nodiscard]] std::string id_of(Index candidate) const;
  [[nodiscard]] ProgramJob job(const Generation& generation, Index candidate);
  [[nodiscard]] std::string replaced(const std::string& argument, const Generation& generation, Index candidate);
  [[nodiscard]] std::filesystem::path folder_of(const std::string& id);
  void take(Generation& generation, Index candidate, const ProgramOutcome& outcome);

  ProgramObjective objective_;
  std::unique_ptr<PersistentPrograms> persistent_;
  std::filesystem::path root_;  // of the private folders; empty until one is needed
  std::int64_t evaluated_ = 0;  // generations, for ids
  Index first_ = 0;             // number of the first candidate, for ids
  bool has_started_ = false;    // The program could be started at least once.
  double busy_ = 0;
};

/// The numbers in the last line of a program's output, separated by blanks; none if something in it is no number.
std::vector<double> last_numbers(const std::string& output);

}  // namespace surefoot
