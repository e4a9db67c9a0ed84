#include "search/stop/history.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/invalid_option.hpp"
#include "core/visit_count.hpp"

namespace surefoot {

bool History::is_range_below(double bound) const {
  return std::abs(numbers_[0] - numbers_[numbers_.size() - 1]) < bound && range() < bound;
}

void History::visit(StateVisitor& visitor, const char* name) {
  if (!visitor.is_restoring()) {
    visitor.vector(name, numbers_);
    visitor.integer("count", count_);
    return;
  }
  History found(0);
  visitor.vector(name, found.numbers_);
  visit_count(visitor, "count", found.count_);
  if (found.count_ > 0 && found.numbers_.size() == 0) {
    reject("checkpoint: count of " + std::string(name), found.count_, "there are no numbers");
  }
  if (found.numbers_.size() == numbers_.size()) {
    *this = std::move(found);
    return;
  }
  // Of another length, because a tolerance is another one: the newest that there is room for.
  count_ = 0;
  for (std::int64_t i = std::min<std::int64_t>(found.count_, found.numbers_.size()); i-- > 0;) push(found.newest(i));
}

}  // namespace surefoot
