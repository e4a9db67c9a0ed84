#include "cli/misuse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/edit_distance.hpp"
#include "core/neighbour_words.hpp"

namespace surefoot::cli {
namespace {

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string unknown(const std::string& kind, const std::string& word, const std::vector<std::string>& names,
                    const std::string& path) {
  // resume takes the options of minimize
  const std::string lists = path == "surefoot resume" ? "surefoot minimize" : path;
  // Words of other optimisers come first: --budget is nearer to --maxfevals than any spelling tells.
  const std::string option = "--" + std::string(option_for(word));
  const bool is_foreign = kind == "option" && std::find(names.begin(), names.end(), option) != names.end();
  const std::string help = lists == "surefoot minimize" ? "--help-all" : "--help";
  return fmt::format("{}: there is no {} '{}'; '{} {}' lists those there are{}", path, kind, word, lists, help,
                     is_foreign ? "; did you mean '" + option + "'?" : suggestion(word, names));
}

/// The command that was meant, and the words that lead to it.
struct Meant {
  const CLI::App* command;
  std::string path = "surefoot";

  Meant(const CLI::App& app, const std::string& first) : command(&app) {
    while (!command->get_subcommands().empty()) {
      command = command->get_subcommands().front();
      path += " " + command->get_name();
    }
    if (first == "resume") path = "surefoot resume";  // which is minimize with the words of a checkpoint
  }
};

/// An unknown command or option, with the name that was probably meant. Empty if there is none.
std::string misspelling(const CLI::App& app, const Meant& meant, const std::string& first) {
  const auto& [command, path] = meant;
  if (command == &app && !first.empty() && first[0] != '-') {
    std::vector<std::string> names = names_of_commands(app);
    names.insert(names.end(), {"resume", "help"});
    return unknown("command", first, names, path);
  }
  for (const std::string& word : app.remaining(true)) {
    const std::string name = word.substr(0, word.find('='));
    if (word.starts_with("--")) return unknown("option", name, names_of_options(*command), path);
    if (!names_of_commands(*command).empty()) return unknown("command", name, names_of_commands(*command), path);
    return fmt::format(
        "{}: '{}' has no option before it; options begin with -, and values with blanks are "
        "quoted",
        path, word);
  }
  return {};
}

/// What an option takes.
std::string kind_of_value(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr) return "a value";
  if (option->get_description().find("in seconds") != std::string::npos) return "a time as 90, 90s, 10m, 2h or 1d";
  const std::string type = option->get_type_name();
  if (type.starts_with("UINT")) return "an integer from 0, as 10000 or 1e4";
  if (type.starts_with("INT")) return "an integer, as 10000 or 1e4";
  return type.starts_with("FLOAT") ? "a number" : "a value";
}

std::string without_dashes(const std::string& name) { return name.starts_with("--") ? name.substr(2) : name; }

/// CLI11's errors begin with the name of their option, or have it behind a colon. Wrong values are reported as the
/// library tells them, without dashes.
std::string sentence_of(const CLI::ParseError& error, const CLI::App& command) {
  std::string what = error.what();
  const std::string kind = error.get_name();
  if (kind == "ConversionError" && what.find(": ") != std::string::npos) {
    const std::string pair = what.substr(what.find(": ") + 2);
    const std::string name = pair.substr(0, pair.find(" = "));
    const CLI::Option* option = command.get_option_no_throw(name);
    const bool is_known = option != nullptr && !option->results().empty();  // of several values the last one counts
    const std::string value = is_known                         ? option->results().back()
                              : name.size() + 3 <= pair.size() ? pair.substr(name.size() + 3)
                                                               : "";
    return fmt::format("{} = '{}' is not allowed: it must be {}", without_dashes(name), value,
                       kind_of_value(command, name));
  }
  if (kind == "ArgumentMismatch") {
    const std::string name = what.substr(0, what.find(':'));
    return fmt::format("{}: {} must follow it", name, kind_of_value(command, name));
  }
  if (kind == "ValidationError" && what.find(" is not allowed: ") != std::string::npos) {
    const std::string name = what.substr(0, what.find(": "));
    return without_dashes(name) + " = " + what.substr(name.size() + 2);
  }
  if (kind == "RequiredError" && !names_of_commands(command).empty()) {
    return fmt::format("say which: {}", fmt::join(names_of_commands(command), ", "));
  }
  return what;
}

}  // namespace

std::string misuse(const CLI::App& app, const CLI::ParseError& error, const std::string& first) {
  const Meant meant(app, first);
  std::string sentence = misspelling(app, meant, first);
  if (!sentence.empty()) return sentence;
  return fmt::format("{}: {}; '{} --help' says more", meant.path, sentence_of(error, *meant.command), meant.path);
}

void refuse_empty_values(CLI::App& app) {
  const auto complaint = [](const std::string& word) -> std::string {
    return word.empty() ? "'' is not allowed: give a value, or leave the option out" : "";
  };
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() > 0 && !option->check_lname("args")) option->check(complaint, "", "");
  }
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_values(*command);
}

std::string overview(const CLI::App& app) {
  std::string text = app.get_description() + "\n\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    text += fmt::format("  surefoot {:<10} {}\n", command->get_name(), command->get_description());
    if (command->get_name() == "minimize") text += "  surefoot resume     Continue the search of a checkpoint\n";
  }
  return text +
         "\nsurefoot minimize --problem rastrigin --dim 10\n"
         "surefoot minimize --command 'python3 simulate.py' --x0 1,2,3 --sigma0 0.5 --workers 4 --checkpoint run.sf\n\n"
         "'surefoot COMMAND --help' has the options of a command, 'surefoot help' explains topics.\n";
}

}  // namespace surefoot::cli
