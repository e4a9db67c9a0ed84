#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// How many evaluations a search with a model asks for at a time.

#include <string>

namespace surefoot {

/// A number, or "auto": the number of workers. The number that `auto` resolves to is part of the search: it stays the
/// same if the workers change.
struct Batch {
  int size = 1;  // 0: auto

  Batch() = default;
  Batch(int size_) : size(size_) {}  // NOLINT(google-explicit-constructor)
  /// \throws std::invalid_argument for what is neither a number nor auto.
  Batch(const std::string& text);                        // NOLINT(google-explicit-constructor)
  Batch(const char* text) : Batch(std::string(text)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_automatic() const { return size == 0; }
  [[nodiscard]] std::string text() const { return is_automatic() ? "auto" : std::to_string(size); }
};

}  // namespace surefoot
