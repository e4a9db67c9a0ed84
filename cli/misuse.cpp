#include "cli/misuse.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/edit_distance.hpp"

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
  return fmt::format("{}: there is no {} '{}'; '{} --help' lists those there are{}", path, kind, word, path,
                     suggestion(word, names));
}

}  // namespace

std::string misspelling(const CLI::App& app, const std::string& first) {
  const CLI::App* command = &app;
  std::string path = "surefoot";
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    path += " " + command->get_name();
  }
  if (command == &app && !first.empty() && first[0] != '-') {
    std::vector<std::string> names = names_of_commands(app);
    names.emplace_back("resume");
    return unknown("command", first, names, path);
  }
  for (const std::string& word : app.remaining(true)) {
    const std::string name = word.substr(0, word.find('='));
    if (word.starts_with("--")) return unknown("option", name, names_of_options(*command), path);
    if (!names_of_commands(*command).empty()) return unknown("command", name, names_of_commands(*command), path);
  }
  return {};
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
         "'surefoot COMMAND --help' has the options of a command.\n";
}

}  // namespace surefoot::cli
