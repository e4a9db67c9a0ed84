#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluators/simulation.hpp"
#include "simulators/output_use.hpp"
#include "simulators/template_file.hpp"
#include "simulators/value_source.hpp"
#include "surefoot/space.hpp"

namespace surefoot {

/// How a simulator is asked, in the user's words.
struct SimulatorPlan {
  std::vector<std::string> templates = {};  // files
  std::vector<std::string> outputs = {};    // texts of ValueSource; empty: the last line of standard output
  std::string input = {};                   // stdin, json, env or args; empty: stdin, or the templates alone
  std::vector<std::string> words = {};      // of the command, which may have placeholders too
  std::size_t values = 1;                   // how many the program gives: f and the constraints
  bool gives_residuals = false;             // any number of values: lists and columns of tables too
  OutputWords wishes = {};                  // which of its outputs is f and which have limits
  Space space = {};
  bool in_folder = false;  // run in the candidate's folder, whatever else is asked for
};

/// A program with files: templates that are filled in for each candidate, values that are read from wherever it leaves
/// them.
class Simulator final : public Simulation {
 public:
  /// \throws std::invalid_argument for whatever can be seen before the first evaluation.
  explicit Simulator(const SimulatorPlan& plan);

  [[nodiscard]] bool needs_folder() const override { return needs_folder_; }
  [[nodiscard]] std::string input(const Vector& x) const override;
  void prepare(const ProgramCandidate& candidate, ProgramJob& job) const override;
  [[nodiscard]] ProgramAnswer read(const std::string& output, const std::filesystem::path& folder) const override;

  /// Whether a template or an output names this file of the candidate's folder.
  [[nodiscard]] bool has_file(const std::string& name) const;

  /// What the search depends on, in words: files with the checksum of their text, outputs, input. Empty if nothing
  /// beyond a plain program is asked for.
  [[nodiscard]] std::string identity() const;

 private:
  enum class Input { none, line, json, env, args };

  static Input input_of(const SimulatorPlan& plan);
  void check_targets() const;
  void check_variables() const;
  void check_counts(std::size_t values) const;
  void check_all_used(Index dimension) const;

  Placeholders placeholders_;
  std::vector<TemplateFile> templates_;
  std::vector<ValueSource> outputs_;
  OutputUse use_;
  Input input_;
  std::string input_word_;
  std::vector<std::string> words_;
  bool gives_residuals_;
  bool needs_folder_;
};

/// The values of a candidate as a JSON object, {"rate":0.1,"kind":"relu"}; coordinates without names are x0, x1, ...
std::string json_of(const Space& space, const Vector& x);

/// How many values the outputs give; none if that is up to the program.
std::optional<std::size_t> count_of_outputs(const std::vector<std::string>& outputs);

/// What the values are called, as far as it can be known; an empty name for those that have none.
std::vector<std::string> names_of_outputs(const std::vector<std::string>& outputs);
/// The same for outputs of which each value must be known. \throws std::invalid_argument if one may have any number.
std::vector<std::string> all_names_of_outputs(const std::vector<std::string>& outputs);

}  // namespace surefoot
