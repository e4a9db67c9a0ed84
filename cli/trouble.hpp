#pragma once

#include <string>

namespace surefoot::cli {

/// A line on stderr, "surefoot ...". It never throws, from whichever thread it comes: nobody can be told that stderr
/// cannot be written.
void tell_trouble(const std::string& words) noexcept;

/// The same without the name of the program.
void tell(const std::string& words) noexcept;

}  // namespace surefoot::cli
