// Everything that users write, on what no user wrote: policies, restarts, intervals, commands, answers of programs,
// files of options. Each is accepted or refused with std::invalid_argument; nothing else may happen.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "cli/commands.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "evaluators/program_evaluator.hpp"
#include "surefoot/surefoot.hpp"

namespace {

template <class Parse>
void accept_or_refuse(const Parse& parse) {
  try {
    parse();
  } catch (const std::invalid_argument&) {
  }
}

std::string config_file() {
  return (std::filesystem::temp_directory_path() / ("surefoot-fuzz-" + std::to_string(getpid()) + ".toml")).string();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data),
                         size);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
  accept_or_refuse([&] { surefoot::LearningRate rate(text); });
  accept_or_refuse([&] { surefoot::LearningRate rate("lra:" + text); });
  accept_or_refuse([&] { surefoot::Restarts restarts(text); });
  accept_or_refuse([&] { surefoot::Restarts restarts("ipop:" + text); });
  accept_or_refuse([&] { surefoot::parse_interval(text); });
  accept_or_refuse([&] { surefoot::split_command(text); });
  accept_or_refuse([&] { surefoot::ProgramEvaluator evaluator({.command = {"true"}, .arguments = {text}}); });
  surefoot::last_numbers(text);
  if (size % 8 == 0) {  // files take longer
    static const std::string file = config_file();
    std::ofstream(file, std::ios::binary) << "popsize = 10\nx0 = [1, 2]\n" << text;
    accept_or_refuse([&] { surefoot::cli::with_config({"--config", file}); });
    std::filesystem::remove(file);
  }
  return 0;
}
