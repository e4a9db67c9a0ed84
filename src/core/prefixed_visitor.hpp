#pragma once

#include <string>

#include "surefoot/state_visitor.hpp"

namespace surefoot {

/// Gives the state of a part names of its own: prefix and name.
class PrefixedVisitor final : public StateVisitor {
 public:
  PrefixedVisitor(std::string prefix, StateVisitor& visitor) : prefix_(std::move(prefix)), visitor_(visitor) {}

  void scalar(std::string_view name, double& value) override { visitor_.scalar(prefix_ + std::string(name), value); }
  void vector(std::string_view name, Vector& value) override { visitor_.vector(prefix_ + std::string(name), value); }
  void matrix(std::string_view name, Matrix& value) override { visitor_.matrix(prefix_ + std::string(name), value); }
  void integer(std::string_view name, std::int64_t& value) override {
    visitor_.integer(prefix_ + std::string(name), value);
  }
  void text(std::string_view name, std::string& value) override { visitor_.text(prefix_ + std::string(name), value); }

 private:
  std::string prefix_;
  StateVisitor& visitor_;
};

}  // namespace surefoot
