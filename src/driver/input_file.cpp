#include "driver/input_file.hpp"

#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "core/invalid_option.hpp"
#include "core/printable_text.hpp"
#include "driver/atomic_file.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_input = 64U << 20U;

/// Why a file is not taken; empty if it is.
std::string objection_to(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (error == std::errc::too_many_symbolic_link_levels) return "its links lead in a circle";
  if (status.type() == fs::file_type::not_found) return "there is no such file";
  if (!fs::status_known(status)) return "it cannot be read (" + error.message() + ")";
  if (fs::is_directory(status)) return "it is a folder";
  if (!fs::is_regular_file(status)) return "it is a device or a pipe; only regular files are read";
  if (fs::file_size(file, error) > largest_input) return "it has more than 64 MiB";
  return {};
}

}  // namespace

std::string read_input_file(const std::string& option, const std::string& file) {
  const std::string shown = "'" + printable_line(file) + "'";
  const std::string objection = objection_to(file);
  if (!objection.empty()) reject(option, shown, objection);
  try {
    return read_file(file);
  } catch (const std::runtime_error&) {
    reject(option, shown, "it cannot be read");
  }
}

}  // namespace surefoot
