#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/merit/constraint_rules.hpp"
#include "evaluators/answer_text.hpp"
#include "evaluators/candidate_folders.hpp"
#include "evaluators/program_pool.hpp"
#include "evaluators/simulation.hpp"
#include "surefoot/evaluator.hpp"
#include "surefoot/space.hpp"

namespace surefoot {

/// Splits a command into words as a shell does: blanks separate, quotes ('...', "...") and backslash keep together.
/// There is no shell: nothing else has a meaning. \throws std::invalid_argument for an open quote.
std::vector<std::string> split_command(const std::string& text);

/// How an external program is asked for values.
struct ProgramObjective {
  std::vector<std::string> command;    // program and arguments, in which known placeholders are replaced
  std::vector<std::string> arguments;  // more arguments, in which all placeholders must be known
  ConstraintRules rules = {};          // of the constraints whose values follow f
  bool gives_residuals = false;        // any number of values, which are residuals
  bool persistent = false;             // keep it alive: one line in, one line out for each candidate
  Space space = {};                    // of named parameters, whose names {rate}, ... are replaced too
  int workers = 1;
  std::optional<double> timeout = {};                        // seconds for one evaluation
  std::shared_ptr<const Simulation> simulation = {};         // files and other ways of input and output
  std::filesystem::path folders = {};                        // where candidates have theirs; empty: temporary
  FolderOwner owner = {};                                    // the search that they belong to
  Keep keep = Keep::none;                                    // which of them outlive their evaluation
  bool is_new = false;                                       // no evaluation has been made before
  std::function<void(const ProgramAccount&)> observer = {};  // gets an account of each evaluation
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

  /// What persistent programs have printed beside their answers, the first line; empty if they did not.
  [[nodiscard]] std::string surplus() const;
  /// Whether a persistent program ends after most of its answers. From any thread.
  [[nodiscard]] bool ends_after_answers() const;

  /// Numbers the next part of a population: its first candidate is this one in evaluation `evaluation`. So {id} is the
  /// same wherever a candidate is evaluated.
  void number_next(std::int64_t evaluation, Index first_candidate);

  /// Takes the numbers of generations from the search, so that {id} is the same in one that is resumed in another
  /// process. Without it evaluations are counted.
  void number_by(std::function<std::int64_t()> generation) { number_ = std::move(generation); }

 private:
  class Round;

  [[nodiscard]] std::string id_of(const Generation& generation, Index candidate) const;
  [[nodiscard]] ProgramJob job(const ProgramCandidate& candidate);
  [[nodiscard]] std::string input(const Vector& x) const;
  [[nodiscard]] ProgramAnswer answer(const ProgramJob& job, const ProgramOutcome& outcome) const;
  void refuse_mistake(const ProgramAccount& account, bool is_start) const;
  void take(Generation& generation, Index candidate, ProgramAccount account);

  ProgramObjective objective_;
  Placeholders placeholders_;
  CandidateFolders folders_;
  std::unique_ptr<PersistentPrograms> persistent_;
  std::function<std::int64_t()> number_;
  std::int64_t evaluated_ = 0;  // number of the generation, for ids
  Index first_ = 0;             // number of the first candidate, for ids
  bool has_started_ = false;    // The program could be started at least once.
  double busy_ = 0;
};

}  // namespace surefoot
