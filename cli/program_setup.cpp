#include "cli/program_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cli/minimize_setup.hpp"
#include "cli/shell_characters.hpp"
#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"
#include "driver/merit/output_limits.hpp"

namespace surefoot::cli {
namespace {

namespace fs = std::filesystem;

/// Folders that outlive their evaluation need a place; a search that begins must not mix with what is there.
std::string folders_of(const MinimizeRequest& request) {
  const bool keeps = keep_of(request.keep) != Keep::none;
  return request.folders.empty() && keeps ? "surefoot-folders" : request.folders;
}

bool is_new_search(const MinimizeRequest& request) {
  std::error_code error;  // which is told when the checkpoint is opened
  return request.checkpoint.empty() || request.overwrite || !fs::exists(request.checkpoint, error);
}

/// Ranks of a job share their folders, so nobody knows which are in use.
FolderOwner owner_of(const MinimizeRequest& request, bool is_single_evaluation) {
  if (request.checkpoint.empty() || request.mpi || is_single_evaluation) return {};
  std::error_code ignored;
  const std::string path = fs::weakly_canonical(fs::absolute(request.checkpoint), ignored).string();
  return {.tag = fmt::format("{:x}", crc64(path)), .resumes = !is_new_search(request)};
}

void require_fresh_folders(const MinimizeRequest& request) {
  const std::string folders = folders_of(request);
  std::error_code error;
  if (folders.empty() || !is_new_search(request) || fs::is_empty(folders, error) || error) return;
  reject("folders", "'" + folders + "'",
         "it is not empty; name another folder for a new search, or move this one away");
}

OutputWords wishes_of(const MinimizeRequest& request) {
  return {.minimize = request.minimize, .maximize = request.maximize, .limits = request.limits};
}

bool is_file(const std::string& word) {
  std::error_code error;
  return !word.empty() && word[0] != '-' && fs::is_regular_file(word, error);
}

/// Whether a file lies below the present folder, links followed.
bool is_below_here(const std::string& file) {
  std::error_code error;
  const fs::path way = fs::relative(file, fs::current_path(), error);
  return !error && !way.empty() && *way.begin() != "..";
}

/// The words of a command that runs in another folder. The program is taken from here if it is named with a
/// slash. An interpreter, which is a program from elsewhere, gets the script from here: the first of its words
/// that names a file. What is written into the candidate's folder is meant there.
std::vector<std::string> words_from_here(std::vector<std::string> words, const Simulator& simulator) {
  const auto take = [](std::string& word) { word = fs::absolute(word).lexically_normal().string(); };
  const bool has_slash = !words.empty() && words[0].find('/') != std::string::npos;
  const bool is_own = has_slash && is_file(words[0]) && is_below_here(words[0]);
  if (has_slash && is_file(words[0])) take(words[0]);
  if (is_own) return words;
  const auto is_script = [&](const std::string& word) { return is_file(word) && !simulator.has_file(word); };
  const auto script = std::find_if(words.begin() + (words.empty() ? 0 : 1), words.end(), is_script);
  if (script != words.end()) take(*script);
  return words;
}

void check_persistent(const MinimizeRequest& request) {
  if (!request.persistent) return;
  const auto refuse = [](const char* option) {
    throw std::invalid_argument(std::string(option) + ": not together with persistent, which starts the program once");
  };
  if (!request.templates.empty()) refuse("template");
  if (request.input == "env" || request.input == "args") refuse("input");
  if (keep_of(request.keep) != Keep::none) refuse("keep");
  if (!request.folders.empty()) refuse("folders");
  for (const std::string& output : request.outputs) {
    if (output.starts_with("file:")) refuse("output");
  }
}

}  // namespace

OutputUse output_use(const MinimizeRequest& request) {
  const OutputWords words = wishes_of(request);
  if (words.empty() || request.command.empty()) return {};  // what needs a program is refused elsewhere
  if (request.outputs.empty()) {
    throw std::invalid_argument(
        std::string(request.limits.empty() ? request.maximize.empty() ? "minimize" : "maximize" : "limit") +
        ": only together with --output, which names values: --output 'gain=regex:gain = (.*)'");
  }
  return {words, all_names_of_outputs(request.outputs)};
}

void take_outputs(MinimizeRequest& request) {
  if (is_fit(request)) return;
  const OutputUse use = output_use(request);
  if (!use.is_plain()) {
    if (request.options.constraints != 0 || request.options.equalities != 0) {
      throw std::invalid_argument("constraints: not together with --limit, --minimize and --maximize, which say it");
    }
    request.options.constraints = static_cast<int>(constraint_names_of(use.limits()).size());
    if (use.is_maximized() && request.options.ftarget) request.options.ftarget = -*request.options.ftarget;
    return;
  }
  const std::optional<std::size_t> values = count_of_outputs(request.outputs);
  const int given = 1 + request.options.equalities;
  if (request.options.constraints != 0 || !values || static_cast<int>(*values) <= given) return;
  request.options.constraints = static_cast<int>(*values) - given;
}

std::vector<std::string> constraint_names(const MinimizeRequest& request) {
  if (is_fit(request)) return {};
  if (const OutputUse use = output_use(request); !use.is_plain()) return constraint_names_of(use.limits());
  std::vector<std::string> names = names_of_outputs(request.outputs);
  if (!names.empty()) names.erase(names.begin());
  return names;
}

ConstraintRules named_rules(const MinimizeRequest& request) {
  ConstraintRules rules = constraint_rules(request.options);
  rules.names = constraint_names(request);
  return rules;
}

bool is_simulator(const MinimizeRequest& request) {
  return !request.templates.empty() || !request.outputs.empty() || !request.input.empty() || !request.folders.empty() ||
         keep_of(request.keep) != Keep::none;
}

std::shared_ptr<const Simulator> simulator_of(const MinimizeRequest& request) {
  if (!is_simulator(request)) return nullptr;
  return std::make_shared<Simulator>(
      SimulatorPlan{.templates = request.templates,
                    .outputs = request.outputs,
                    .input = request.input,
                    .words = split_command(request.command + " " + request.args),
                    .values = static_cast<std::size_t>(1 + constraint_rules(request.options).size()),
                    .gives_residuals = is_fit(request),
                    .wishes = wishes_of(request),
                    .space = space_of(request),
                    .in_folder = !folders_of(request).empty()});
}

std::unique_ptr<ProgramEvaluator> program_of(const MinimizeRequest& request, int workers,
                                             const ProgramObserver& observer) {
  refuse_shell_characters("command", request.command);
  refuse_shell_characters("args", request.args);
  check_persistent(request);
  require_fresh_folders(request);
  if (request.mpi && keep_of(request.keep) == Keep::best) {
    throw std::invalid_argument("keep = best is not allowed with --mpi: no rank knows the best of all");
  }
  const std::shared_ptr<const Simulator> simulator = simulator_of(request);
  std::vector<std::string> command = split_command(request.command);
  if (simulator && simulator->needs_folder()) command = words_from_here(std::move(command), *simulator);
  return std::make_unique<ProgramEvaluator>(ProgramObjective{.command = std::move(command),
                                                             .arguments = split_command(request.args),
                                                             .rules = named_rules(request),
                                                             .gives_residuals = is_fit(request),
                                                             .persistent = request.persistent,
                                                             .space = space_of(request),
                                                             .workers = workers,
                                                             .timeout = request.eval_timeout,
                                                             .simulation = simulator,
                                                             .folders = folders_of(request),
                                                             .owner = owner_of(request, observer != nullptr),
                                                             .keep = keep_of(request.keep),
                                                             .is_new = !observer && is_new_search(request),
                                                             .observer = observer});
}

std::string program_text(const MinimizeRequest& request) {
  const std::shared_ptr<const Simulator> simulator = simulator_of(request);
  return fmt::format("the program '{}' in {}{}", fmt::join(split_command(request.command + " " + request.args), " "),
                     fs::current_path().string(), simulator ? simulator->identity() : "");
}

std::string about_surplus(const std::string& line) {
  return "the program printed '" + line +
         "' in addition to its answer, and was restarted so that this is not taken for the next answer; print one line "
         "for each";
}

void refuse_without_program(const MinimizeRequest& request) {
  const std::vector<std::pair<const char*, bool>> given = {{"args", !request.args.empty()},
                                                           {"persistent", request.persistent},
                                                           {"template", !request.templates.empty()},
                                                           {"output", !request.outputs.empty()},
                                                           {"minimize", !request.minimize.empty()},
                                                           {"maximize", !request.maximize.empty()},
                                                           {"limit", !request.limits.empty()},
                                                           {"input", !request.input.empty()},
                                                           {"keep", !request.keep.empty()},
                                                           {"folders", !request.folders.empty()},
                                                           {"eval-timeout", request.eval_timeout.has_value()}};
  for (const auto& [option, is_given] : given) {
    if (is_given)
      throw std::invalid_argument(std::string(option) + ": only together with --command, a program of yours");
  }
}

}  // namespace surefoot::cli
