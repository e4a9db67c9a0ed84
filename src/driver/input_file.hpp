#pragma once

#include <string>

namespace surefoot {

/// The text of a file that an option names. Devices are read without end and pipes are waited for, so only regular
/// files are taken, of at most 64 MiB.
/// \throws std::invalid_argument naming option and file, and why it is not taken.
std::string read_input_file(const std::string& option, const std::string& file);

}  // namespace surefoot
