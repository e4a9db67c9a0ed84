#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluators/placeholders.hpp"
#include "evaluators/program_pool.hpp"
#include "surefoot/failure.hpp"

namespace surefoot {

/// What came of an evaluation by a program: values, f first, or why there are none.
struct ProgramAnswer {
  std::vector<double> values = {};
  std::optional<FailureKind> failure = {};
  std::string reason = {};
  std::vector<std::pair<std::string, double>> outputs = {};  // by name, where f and constraints are made of them
};

/// One evaluation by a program with all that belongs to it, for those who look closely.
struct ProgramAccount {
  std::string id;
  ProgramJob job;
  ProgramOutcome outcome;
  ProgramAnswer answer;
  double seconds = 0;
};

/// What a program reads and where it leaves its values, if that is more than standard input and the last line.
class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation(Simulation&&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  Simulation& operator=(Simulation&&) = delete;
  virtual ~Simulation() = default;

  /// Whether the program runs in the candidate's folder.
  [[nodiscard]] virtual bool needs_folder() const = 0;
  /// What the program reads from standard input, one line without its end.
  [[nodiscard]] virtual std::string input(const Vector& x) const = 0;
  /// Writes files into the folder of the job, and adds arguments and variables of the environment.
  virtual void prepare(const ProgramCandidate& candidate, ProgramJob& job) const = 0;
  /// The values of a program that has ended well.
  [[nodiscard]] virtual ProgramAnswer read(const std::string& output, const std::filesystem::path& folder) const = 0;
};

}  // namespace surefoot
