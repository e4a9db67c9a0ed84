#include "cli/trouble.hpp"

#include <cstdio>

#include "core/printable_text.hpp"

namespace surefoot::cli {

void tell(const std::string& words) noexcept {
  static_cast<void>(std::fwrite(words.data(), 1, words.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

/// Words may quote what a program printed, or the name of a file.
void tell_trouble(const std::string& words) noexcept {
  static_cast<void>(std::fprintf(stderr, "surefoot %s\n", printable(words).c_str()));
  static_cast<void>(std::fflush(stderr));
}

}  // namespace surefoot::cli
