#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/session.hpp"

namespace surefoot {

/// A search that is described option by option, as text, before it begins.
class SearchRequest {
 public:
  SearchRequest(std::vector<double> x0, std::optional<double> sigma0);

  /// Sets an option of the table; - may stand for _ in its name.
  /// \throws std::invalid_argument naming the option, the text and what is allowed.
  void set(std::string option, const std::string& text);

  /// \throws std::invalid_argument if the options do not go together.
  [[nodiscard]] std::unique_ptr<Session> begin(std::function<bool()> interrupt) const;

  [[nodiscard]] const std::vector<double>& x0() const { return x0_; }

  /// All names that `set` knows, in alphabetical order.
  static std::vector<std::string> names();

 private:
  struct Row;
  static const std::vector<Row>& rows();

  std::vector<double> x0_;
  std::vector<double> sigma0_;
  Space space_;
  std::string warm_start_;
  Options options_;
  SessionFiles files_{.about = "surefoot.h"};
};

}  // namespace surefoot
