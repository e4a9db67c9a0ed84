#pragma once

#include <string>

namespace surefoot::cli {

/// A line on stderr, "surefoot ...". It never throws, from whichever thread it comes: an error of stderr cannot be
/// reported.
void tell_trouble(const std::string& words) noexcept;

/// The same without the name of the program.
void tell(const std::string& words) noexcept;

}  // namespace surefoot::cli
