#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "cli/commands.hpp"
#include "surefoot/version.hpp"

namespace surefoot::cli {
namespace {

int run(int argc, char** argv) {
  CLI::App app("Surefoot: black-box continuous optimisation with natural evolution strategies", "surefoot");
  app.set_version_flag("--version", std::string("surefoot ") + surefoot::version);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 target reached or converged, 1 stopped before that, 2 bad usage, 130 interrupted.\n"
      "Example: surefoot minimize --problem rastrigin --dim 10 --popsize 300 --learning-rate lra");
  Exit status = Exit::success;
  add_minimize(app, status);
  add_list(app, status);
  add_report(app, status);
  add_reproduce(app, status);
  add_replay(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0 && app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-') {
      fmt::print(stderr, "surefoot: there is no command '{}'; 'surefoot --help' lists those there are\n", argv[1]);
      return static_cast<int>(Exit::bad_usage);
    }
    return app.exit(error) == 0 ? 0 : static_cast<int>(Exit::bad_usage);
  } catch (const std::exception& error) {
    const auto used = app.get_subcommands();
    const std::string command = used.empty() ? "surefoot" : "surefoot " + used.front()->get_name();
    fmt::print(stderr, "{}: {}\n", command, error.what());
    return static_cast<int>(Exit::bad_usage);
  }
  return static_cast<int>(status);
}

}  // namespace
}  // namespace surefoot::cli

int main(int argc, char** argv) {
  try {
    return surefoot::cli::run(argc, argv);
  } catch (...) {  // while reporting an error, for example a closed stderr
    return static_cast<int>(surefoot::cli::Exit::bad_usage);
  }
}
