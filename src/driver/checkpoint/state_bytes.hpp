#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// Serialises visited state into bytes: named, typed fields in order, little-endian, doubles bit for bit.
class StateWriter final : public StateVisitor {
 public:
  void scalar(std::string_view name, double& value) override;
  void vector(std::string_view name, Vector& value) override;
  void matrix(std::string_view name, Matrix& value) override;
  void integer(std::string_view name, std::int64_t& value) override;
  void text(std::string_view name, std::string& value) override;

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void field(char type, std::string_view name);
  void words(std::string_view characters);
  void doubles(std::span<const double> values);

  std::string bytes_;
};

/// Restores visited state from bytes, which must outlive the reader. Every member throws
/// std::invalid_argument("checkpoint: ...") if a field's name, type or size is not that of the visited object, or if
/// bytes are missing; what was visited before the error stays restored. A vector or matrix of size 0 takes any size
/// that the remaining bytes can hold, so that no claimed size allocates more than the bytes that are really there.
class StateReader final : public StateVisitor {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}

  void scalar(std::string_view name, double& value) override;
  void vector(std::string_view name, Vector& value) override;
  void matrix(std::string_view name, Matrix& value) override;
  void integer(std::string_view name, std::int64_t& value) override;
  /// Accepts any length, because the visited object cannot know the size of a text.
  void text(std::string_view name, std::string& value) override;
  [[nodiscard]] bool is_restoring() const override { return true; }
  [[nodiscard]] bool has_next(std::string_view name) const override;

  /// Skips fields until the next one has this name.
  /// \throws std::invalid_argument if there is none.
  void skip_to(std::string_view name);

  /// \throws std::invalid_argument if bytes are left over.
  void finish() const;

 private:
  void field(char type, std::string_view name);
  std::string_view take(std::uint64_t count, std::string_view name);
  std::uint64_t number(std::string_view name);
  void require_room(std::uint64_t rows, std::uint64_t columns, std::string_view name) const;
  void doubles(std::span<double> values, std::string_view name);

  std::string_view rest_;
};

}  // namespace surefoot
