#include "cli/repeating_command.hpp"

#include <algorithm>
#include <string>

#include "evaluators/account_text.hpp"
#include "surefoot/option_table.hpp"

namespace surefoot::cli {
namespace {

/// The row of an option of the command line; null for --help.
const OptionInfo* row_of(const std::string& key) {
  const auto& table = option_table();
  const auto row = std::find_if(table.begin(), table.end(), [&](const OptionInfo& o) { return o.cli == key; });
  return row == table.end() ? nullptr : &*row;
}

}  // namespace

std::string repeating_command(const CLI::App& command) {
  std::string words = "surefoot " + command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string& key = option->get_lnames().front();
    const OptionInfo* row = row_of(key);
    if (row == nullptr || !row->changes_course) continue;
    if (option->get_expected_min() == 0) {
      words += " --" + key + (option->as<bool>() ? "" : "=false");
    } else if (row->repeats) {
      for (const std::string& word : option->results()) words += " --" + key + " " + shell_text(word);
    } else {
      words += " --" + key + " " + shell_text(option->results().back());
    }
  }
  return words;
}

}  // namespace surefoot::cli
