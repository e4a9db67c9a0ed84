// Where evaluations stand in a search, and how far they can be trusted.

#include <algorithm>

#include "search/search.hpp"

namespace surefoot {

Place Search::place_of(Index candidate) const {
  return {.run = run().number() + 1,
          .generation = tally_.is_begun ? tally_.nit + 1 : 0,
          .candidate = present_.stage().number_of(candidate),
          .attempt = std::max(1, present_.generation().outcome(candidate).attempts)};
}

bool Search::has_counted(const Place& place) const {
  const std::int64_t generation = tally_.is_begun ? tally_.nit + 1 : 0;
  if (place.generation != generation) return place.generation < generation;
  if (run().stage().has_value(static_cast<Index>(place.candidate))) return true;  // in an earlier part
  for (Index i = 0; is_asked() && i < present_.generation().size(); ++i) {
    if (place_of(i).candidate == place.candidate) return present_.generation().outcome(i).attempts >= place.attempt;
  }
  return false;
}

double Search::found_noise() const {
  const std::optional<NoiseFound> found = noise();
  return found ? found->deviation : 0;
}

}  // namespace surefoot
