#include "cli/repeating_command.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "evaluators/account_text.hpp"

namespace surefoot::cli {
namespace {

constexpr std::array<std::string_view, 18> without_effect = {"checkpoint",
                                                             "checkpoint-every",
                                                             "config",
                                                             "help",
                                                             "json",
                                                             "log",
                                                             "maxiter",
                                                             "mpi",
                                                             "overwrite",
                                                             "print-config",
                                                             "quiet",
                                                             "rank-timeout",
                                                             "replace-command",
                                                             "threads",
                                                             "timeout",
                                                             "trace",
                                                             "trace-timing",
                                                             "workers"};

}  // namespace

std::string repeating_command(const CLI::App& command) {
  std::string words = "surefoot " + command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string& key = option->get_lnames().front();
    if (std::find(without_effect.begin(), without_effect.end(), key) != without_effect.end()) continue;
    if (option->get_expected_min() == 0) {
      words += " --" + key + (option->as<bool>() ? "" : "=false");
    } else if (key == "param" || key == "template" || key == "output") {  // any number of times
      for (const std::string& word : option->results()) words += " --" + key + " " + shell_text(word);
    } else {
      words += " --" + key + " " + shell_text(option->results().back());
    }
  }
  return words;
}

}  // namespace surefoot::cli
