#include "cli/trouble.hpp"

#include <cstdio>

namespace surefoot::cli {

void tell(const std::string& words) noexcept {
  static_cast<void>(std::fwrite(words.data(), 1, words.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

void tell_trouble(const std::string& words) noexcept {
  static_cast<void>(std::fprintf(stderr, "surefoot %s\n", words.c_str()));
  static_cast<void>(std::fflush(stderr));
}

}  // namespace surefoot::cli
