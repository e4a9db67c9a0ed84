#include "driver/require_same.hpp"

#include <stdexcept>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/bytes.hpp"

namespace surefoot {
namespace {

/// The first numbers, enough for a sentence.
std::string described(const Vector& numbers) {
  if (numbers.size() == 0) return "none";
  std::string list;
  for (Index i = 0; i < numbers.size() && list.size() <= 60; ++i) {
    list.append(list.empty() ? "" : ",").append(text(numbers[i]));
  }
  return shown(list);
}

[[noreturn]] void tell_difference(const char* name, const std::string& found, const std::string& ours) {
  throw std::invalid_argument(std::string("its ") + name + " is " + found + ", here it is " + ours);
}

}  // namespace

void require_same(StateVisitor& visitor, const char* name, const std::string& ours) {
  std::string found = ours;
  visitor.text(name, found);
  if (found != ours) tell_difference(name, shown(found), shown(ours));
}

void require_same(StateVisitor& visitor, const char* name, const Vector& ours) {
  Vector found = visitor.is_restoring() ? Vector() : ours;
  visitor.vector(name, found);
  if (found.size() != ours.size()) {
    const std::string lengths = " (" + text(found.size()) + " and " + text(ours.size()) + " numbers)";
    tell_difference(name, described(found), described(ours) + lengths);
  }
  for (Index i = 0; i < ours.size(); ++i) {
    if (found[i] == ours[i]) continue;
    const std::string at = ours.size() > 1 ? std::string(name) + "[" + text(i) + "]" : name;
    tell_difference(at.c_str(), text(found[i]), text(ours[i]));
  }
}

}  // namespace surefoot
