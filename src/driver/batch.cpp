#include "surefoot/batch.hpp"

#include <charconv>

#include "core/invalid_option.hpp"

namespace surefoot {

Batch::Batch(const std::string& text) {
  if (text == "auto") {
    size = 0;
    return;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end != text.data() + text.size() || size < 1) {
    reject("batch", "'" + text + "'", "it must be auto or a number from 1 to 10000");
  }
}

}  // namespace surefoot
