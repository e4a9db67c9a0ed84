#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cli/commands.hpp"
#include "cli/ranks.hpp"
#include "surefoot/version.hpp"

namespace surefoot::cli {
namespace {

constexpr const char* resume_help =
    "Continue the search of a checkpoint\n"
    "Usage: surefoot resume FILE [options of 'surefoot minimize']\n\n"
    "Goes on bit for bit as if it had never been interrupted, in the folder in which it was started. Options that are\n"
    "given here win: budgets, tolerances, workers and outputs may change, the problem and the method may not.\n"
    "Example: surefoot resume run.sf --maxfevals 100000\n";

/// Rewrites `surefoot resume FILE ...` as `surefoot minimize` with the words of the checkpoint, and adds config files.
std::vector<std::string> expanded(std::vector<std::string> words) {
  if (words.empty()) return words;
  if (words[0] == "minimize") {
    words = with_config({words.begin() + 1, words.end()});
  } else if (words[0] == "resume" && words.size() > 1 && !words[1].starts_with("-")) {
    const std::string file = words[1];
    std::vector<std::string> all = words_of_checkpoint(file);
    const std::vector<std::string> given = with_config({words.begin() + 2, words.end()});
    all.insert(all.end(), given.begin(), given.end());
    all.insert(all.end(), {"--checkpoint=" + file, "--overwrite=false"});
    words = all;
  } else {
    return words;
  }
  words.insert(words.begin(), "minimize");
  return words;
}

/// What a later resume has to repeat: the words after the command.
std::vector<std::string> remembered(const std::vector<std::string>& words) {
  return words.empty() ? words : std::vector<std::string>(words.begin() + 1, words.end());
}

/// Ends a silent rank. mpirun kills all ranks as soon as one fails, so this waits a second for rank 0 to say why.
int silent_exit(Exit status) {
  if (status != Exit::success) std::this_thread::sleep_for(std::chrono::seconds(1));
  return static_cast<int>(status);
}

int run(std::vector<std::string> words) {
  if (words.size() >= 2 && words[0] == "resume" && (words[1] == "--help" || words[1] == "-h")) {
    fmt::print("{}", resume_help);
    return 0;
  }
  if (words.size() == 1 && words[0] == "resume") throw std::invalid_argument("resume: name the checkpoint file");
  const std::string first = words.empty() ? "" : words[0];
  words = expanded(std::move(words));

  CLI::App app("Surefoot: black-box continuous optimisation with natural evolution strategies", "surefoot");
  app.set_version_flag("--version", std::string("surefoot ") + surefoot::version);
  app.require_subcommand(1);
  app.footer(
      "  resume                      Continue the search of a checkpoint: surefoot resume FILE\n\n"
      "Exit status: 0 target reached or converged, 1 stopped before that, 2 bad usage, 3 the objective kept failing, "
      "130 interrupted.\n"
      "Example: surefoot minimize --problem rastrigin --dim 10 --popsize 300 --learning-rate lra");
  Exit status = Exit::success;
  add_minimize(app, remembered(words), status);
  add_evaluate(app, status);
  add_list(app, status);
  add_report(app, status);
  add_reproduce(app, status);
  add_bench(app, status);
  add_arena(app, status);
  add_replay(app, status);
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // CLI11 takes them in this order
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (!speaks()) return silent_exit(error.get_exit_code() == 0 ? Exit::success : Exit::bad_usage);
    if (error.get_exit_code() != 0 && app.get_subcommands().empty() && !first.empty() && first[0] != '-') {
      fmt::print(stderr, "surefoot: there is no command '{}'; 'surefoot --help' lists those there are\n", first);
      return static_cast<int>(Exit::bad_usage);
    }
    return app.exit(error) == 0 ? 0 : static_cast<int>(Exit::bad_usage);
  }
  return static_cast<int>(status);
}

/// Reports wrong input in one line.
int run_reporting_errors(const std::vector<std::string>& words) {
  static_cast<void>(speaks());  // decide now: --mpi removes the launcher's variables
  try {
    return run(words);
  } catch (const std::exception& error) {
    if (!speaks()) return silent_exit(Exit::bad_usage);
    fmt::print(stderr, "surefoot{}{}: {}\n", words.empty() ? "" : " ", words.empty() ? "" : words[0], error.what());
    return static_cast<int>(Exit::bad_usage);
  }
}

}  // namespace
}  // namespace surefoot::cli

int main(int argc, char** argv) {
  try {
    return surefoot::cli::run_reporting_errors({argv + 1, argv + argc});
  } catch (...) {  // thrown while reporting an error, for example because stderr is closed
    return static_cast<int>(surefoot::cli::Exit::bad_usage);
  }
}
