#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// Every option of a search with its names in C++, on the command line and in Python.

#include <string>
#include <vector>

namespace surefoot {

/// One row of the table that the command line, the Python package and docs/reference/options.md are made from.
struct OptionInfo {
  std::string name;
  std::string group;     // "objective", "start", "method", "stop", "failures" or "output"
  std::string takes;     // "number", "integer", "text", ...
  std::string standard;  // the default
  std::string meaning;
  std::string cpp;             // its name in C++; empty: C++ does not have it
  std::string cli;             // the same for the command line, without the dashes in front
  std::string python;          // and for Python
  std::string in_python;       // how Python differs
  bool repeats = false;        // the command line takes it any number of times
  bool may_change = false;     // a resumed search may have another value
  bool changes_course = true;  // what is evaluated depends on it, up to where a budget ends the search
};

const std::vector<OptionInfo>& option_table();

/// \throws std::invalid_argument for a name that is not in the table.
const OptionInfo& find_option(const std::string& name);

}  // namespace surefoot
