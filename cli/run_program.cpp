#include "cli/run_program.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cli/commands.hpp"
#include "cli/config.hpp"
#include "cli/evaluate_program.hpp"
#include "cli/help.hpp"
#include "cli/integer_range.hpp"
#include "cli/misuse.hpp"
#include "cli/quantities.hpp"
#include "cli/ranks.hpp"
#include "cli/trouble.hpp"
#include "core/printable_text.hpp"
#include "driver/atomic_file.hpp"
#include "surefoot/version.hpp"

namespace surefoot::cli {
namespace {

constexpr const char* resume_help =
    "Continue the search of a checkpoint\n"
    "Usage: surefoot resume FILE [options of 'surefoot minimize']\n\n"
    "Continues bit for bit in the folder in which the search was started. Options given here override those of the\n"
    "start: budgets, tolerances, workers and outputs may change, the problem and the method may not.\n"
    "Example: surefoot resume run.sf --maxfevals 100000\n";

/// Options that name a file are about the folder of whoever gives them.
std::vector<std::string> with_absolute_files(std::vector<std::string> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::string option : {"--trace", "--log", "--inject", "--warm-start", "--template", "--folders"}) {
      if (words[i].starts_with(option + "=")) {
        words[i] = option + "=" + std::filesystem::absolute(words[i].substr(option.size() + 1)).string();
      } else if (words[i] == option && i + 1 < words.size()) {
        words[i + 1] = std::filesystem::absolute(words[i + 1]).string();
      }
    }
  }
  return words;
}

/// New templates and outputs replace all earlier ones.
std::vector<std::string> without_replaced(const std::vector<std::string>& words,
                                          const std::vector<std::string>& given) {
  const auto has = [](const std::string& word, const std::string& option) {
    return word == option || word.starts_with(option + "=");
  };
  std::vector<std::string> rest = words;
  for (const std::string option : {"--template", "--output", "--limit", "--minimize", "--maximize"}) {
    const bool is_objective = option == "--minimize" || option == "--maximize";
    const auto stands_for = [&](const std::string& word) {
      return has(word, option) || (is_objective && (has(word, "--minimize") || has(word, "--maximize")));
    };
    if (std::none_of(given.begin(), given.end(), stands_for)) continue;
    for (std::size_t i = 0; i < rest.size();) {
      const std::ptrdiff_t length = rest[i] == option ? 2 : has(rest[i], option) ? 1 : 0;
      const auto at = rest.begin() + static_cast<std::ptrdiff_t>(i);
      if (length == 0)
        ++i;
      else
        rest.erase(at, at + std::min(length, rest.end() - at));
    }
  }
  return rest;
}

/// The words of `surefoot resume FILE ...` as those of `surefoot minimize`. The search continues in the folder in which
/// it was started, where its program and its files are; a command that is replaced is about the present folder.
std::vector<std::string> resumed(const std::vector<std::string>& words) {
  const std::string& file = words[1];
  const Origin origin = origin_of_checkpoint(file);
  const std::string path = std::filesystem::absolute(file).string();
  std::vector<std::string> given = with_config({words.begin() + 2, words.end()});
  const bool replaces = std::any_of(given.begin(), given.end(), [](const std::string& word) {
    return word == "--replace-command" || word == "--replace-command=true";
  });
  std::vector<std::string> all = without_replaced(origin.words, given);
  std::error_code error;
  const bool is_here = std::filesystem::equivalent(origin.folder, ".", error);
  if (!replaces && !is_here) {
    given = with_absolute_files(std::move(given));
    std::filesystem::current_path(origin.folder, error);
    if (error) {
      throw std::invalid_argument(fmt::format(
          "{}: the search was started in {}, which cannot be entered ({}); --replace-command continues in this folder",
          file, origin.folder, error.message()));
    }
  }
  all.insert(all.end(), given.begin(), given.end());
  all.insert(all.end(), {"--checkpoint=" + (is_here ? file : path), "--overwrite=false"});
  return all;
}

/// `--trace=` with nothing behind it has an empty value. CLI11 would take the next word for it.
std::vector<std::string> with_empty_values(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : words) {
    const bool is_empty = word.starts_with("--") && word.find('=') + 1 == word.size();
    all.push_back(is_empty ? word.substr(0, word.size() - 1) : word);
    if (is_empty) all.emplace_back();
  }
  return all;
}

/// Rewrites `surefoot resume FILE ...` as `surefoot minimize` with the words of the checkpoint, and adds config files.
std::vector<std::string> expanded(std::vector<std::string> words) {
  if (words.empty()) return words;
  const std::string command = words[0] == "evaluate" ? "evaluate" : "minimize";
  if (words[0] == "evaluate") {
    words = with_config({words.begin() + 1, words.end()}, evaluate_options());
  } else if (words[0] == "minimize") {
    words = with_config({words.begin() + 1, words.end()});
  } else if (words[0] == "resume" && words.size() > 1 && !words[1].starts_with("-")) {
    words = resumed(words);
  } else {
    return words;
  }
  words.insert(words.begin(), command);
  return words;
}

/// What a later resume has to repeat: the words after the command. That a command was replaced is over then.
std::vector<std::string> remembered(const std::vector<std::string>& words) {
  std::vector<std::string> rest;
  const auto is_over = [](const std::string& word) { return word.starts_with("--replace-command"); };
  if (!words.empty()) std::remove_copy_if(words.begin() + 1, words.end(), std::back_inserter(rest), is_over);
  return rest;
}

/// Ends a silent rank. mpirun kills all ranks as soon as one fails, so this waits a second for rank 0 to say why.
int silent_exit(Exit status) {
  if (status != Exit::success) std::this_thread::sleep_for(std::chrono::seconds(1));
  return static_cast<int>(status);
}

int run(std::vector<std::string> words) {
  if (const std::optional<std::string> screen = help_screen(words)) {
    if (speaks()) fmt::print("{}", *screen);
    return 0;
  }
  if (words.size() >= 2 && words[0] == "resume" && (words[1] == "--help" || words[1] == "-h")) {
    fmt::print("{}", resume_help);
    return 0;
  }
  if (words.size() == 1 && words[0] == "resume")
    throw std::invalid_argument("name the checkpoint: surefoot resume FILE");
  const std::string first = words.empty() ? "" : words[0];
  words = with_empty_values(expanded(with_empty_values(with_full_help(words))));

  CLI::App app("Surefoot: black-box continuous optimisation with natural evolution strategies", "surefoot");
  app.set_version_flag("-V,--version", std::string("surefoot ") + surefoot::version);
  app.require_subcommand(1);
  app.footer(
      "  resume                      Continue the search of a checkpoint: surefoot resume FILE\n"
      "  help                        Explain a topic: surefoot help budget\n\n"
      "Exit status: 0 target reached or converged, 1 stopped before that, 2 bad usage, 3 the objective kept failing, "
      "4 output was lost, 130 interrupted.\n"
      "Example: surefoot minimize --problem rastrigin --dim 10 --popsize 300 --learning-rate lra");
  Exit status = Exit::success;
  add_minimize(app, remembered(words), status);
  add_evaluate(app, status);
  add_list(app, status);
  add_status(app, status);
  add_report(app, status);
  add_reproduce(app, status);
  add_bench(app, status);
  add_arena(app, status);
  add_replay(app, status);
  refuse_empty_values(app);
  refuse_huge_integers(app);
  take_powers_of_ten(app);
  if (words.empty()) {
    if (speaks()) fmt::print("{}", overview(app));
    return 0;
  }
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // CLI11 takes them in this order
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (!speaks()) return silent_exit(error.get_exit_code() == 0 ? Exit::success : Exit::bad_usage);
    if (error.get_exit_code() == 0) return app.exit(error);  // help or version was asked for
    tell(printable(misuse(app, error, first)) + "\n");
    return static_cast<int>(Exit::bad_usage);
  }
  return static_cast<int>(status);
}

/// What was printed must have arrived: a full disk behind stdout is an output that was lost.
int with_output_written(int status) {
  const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (is_written) return status;
  tell("surefoot: stdout cannot be written\n");
  return static_cast<int>(Exit::output_lost);
}

/// Reports wrong input in one line.
int run_reporting_errors(const std::vector<std::string>& words) {
  static_cast<void>(speaks());  // decide now: --mpi removes the launcher's variables
  try {
    return with_output_written(run(words));
  } catch (const std::exception& error) {
    const bool is_output = dynamic_cast<const OutputError*>(&error) != nullptr;
    const Exit status = is_output ? Exit::output_lost : Exit::bad_usage;
    if (!speaks()) return silent_exit(status);
    tell_trouble(fmt::format("{}{}{}", words.empty() ? "" : words[0], words.empty() ? "" : ": ", error.what()));
    return with_output_written(static_cast<int>(status));
  }
}

}  // namespace

int run_program(int argc, char** argv) noexcept {
  try {
    return run_reporting_errors({argv + 1, argv + argc});
  } catch (...) {  // thrown while reporting an error, for example because stderr is closed
    return static_cast<int>(Exit::bad_usage);
  }
}

}  // namespace surefoot::cli
