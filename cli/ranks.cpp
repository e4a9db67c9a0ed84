#include "cli/ranks.hpp"

#include <fmt/core.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): unsetenv is not in <cstdlib>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace surefoot::cli {
namespace {

/// A number that a launcher puts into the environment: Open MPI under the first name, others under those that follow.
int launcher_number(std::initializer_list<const char*> names, int otherwise) {
  for (const char* name : names) {
    const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody writes it meanwhile
    if (text != nullptr && *text >= '0' && *text <= '9') return std::atoi(text);  // NOLINT(cert-err34-c)
  }
  return otherwise;
}

/// Prefixes of the variables that launchers add. OMPI_MCA_ alone would include what the user has set.
constexpr std::array<std::string_view, 12> launcher_prefixes = {
    "OMPI_COMM_WORLD_", "OMPI_MCA_orte_", "OMPI_MCA_ess",       "OMPI_MCA_pmix", "OMPI_UNIVERSE_", "OMPI_APP_CTX_",
    "OMPI_FIRST_",      "OMPI_NUM_APP_",  "OMPI_FILE_LOCATION", "OMPI_COMMAND",  "PMIX_",          "PMI_"};

bool is_launchers(std::string_view variable) {
  return std::any_of(launcher_prefixes.begin(), launcher_prefixes.end(),
                     [&](std::string_view prefix) { return variable.starts_with(prefix); });
}

}  // namespace

bool speaks() {
  // Read on the first call, before forget_launcher() removes the variables.
  static const bool is_first = launcher_number({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}, 0) == 0;
  return is_first;
}

void require_single_process() {
  const int processes = launcher_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1);
  if (processes <= 1) return;
  throw std::invalid_argument(fmt::format(
      "mpirun has started {} processes, each of which would do the same and write the same files: add --mpi "
      "to share the work, or unset OMPI_COMM_WORLD_SIZE and PMI_SIZE if each has its own",
      processes));
}

void forget_launcher() {
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (is_launchers(text)) names.emplace_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) ::unsetenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): as above
}

}  // namespace surefoot::cli
