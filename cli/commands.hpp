#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace surefoot::cli {

/// What the shell sees; documented in the help text and in docs/reference/command-line.md.
enum class Exit : int {
  success = 0,        // target reached or converged; replay agrees
  stopped = 1,        // stopped before that by a budget or a degenerate distribution; replay deviates
  bad_usage = 2,      // wrong option, value or file
  failing = 3,        // the objective kept failing
  output_lost = 4,    // finished, but something could not be written
  interrupted = 130,  // by Ctrl-C, SIGTERM or SIGHUP; what is finished is kept
};

/// How a search was started: what a checkpoint needs to set it up again.
struct Origin {
  std::string folder;
  std::vector<std::string> words;  // after 'surefoot minimize'
};

/// As one text, whatever bytes the words have: names of files need not be UTF-8.
std::string to_text(const Origin& origin);

/// \throws std::invalid_argument unless 'surefoot minimize' wrote the checkpoint.
Origin origin_of_checkpoint(const std::string& file);

/// The options of a command that were given, as a TOML file.
std::string as_toml(const CLI::App& command);

// Each adds one subcommand. Its callback sets `status`; wrong input leaves it as std::invalid_argument.
/// `words` are those after 'minimize', for checkpoints.
void add_minimize(CLI::App& app, const std::vector<std::string>& words, Exit& status);
void add_arena(CLI::App& app, Exit& status);
void add_bench(CLI::App& app, Exit& status);
void add_bench_practical(CLI::App& bench, Exit& status);  // below bench
void add_evaluate(CLI::App& app, Exit& status);
void add_list(CLI::App& app, Exit& status);
void add_replay(CLI::App& app, Exit& status);
void add_report(CLI::App& app, Exit& status);
void add_reproduce(CLI::App& app, Exit& status);
void add_status(CLI::App& app, Exit& status);

}  // namespace surefoot::cli
