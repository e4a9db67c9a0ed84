// What a warm start takes from the state of an earlier search.

#include <stdexcept>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/state_bytes.hpp"
#include "driver/domain/domain.hpp"
#include "search/reached.hpp"
#include "surefoot/method.hpp"
#include "surefoot/optimizer.hpp"

namespace surefoot {
namespace {

/// That of the run that found the best point.
Start read_best(StateReader& reader, const std::string& method) {
  Start start;
  std::int64_t is_earlier = 0;
  reader.skip_to("best run is an earlier one");
  reader.integer("best run is an earlier one", is_earlier);
  if (is_earlier != 0) {
    visit_distribution(reader, start);
    return start;
  }
  reader.skip_to("m");
  return find_method(method).read_start(reader);
}

/// The distribution in the coordinates of the box; the reader stands after it.
Start read_distribution(StateReader& reader, const std::string& method) {
  Vector x0;
  Vector units;
  reader.skip_to("x0");
  reader.vector("x0", x0);
  reader.skip_to("units");
  reader.vector("units", units);
  if (units.size() > 0 && units.size() != x0.size()) {
    throw std::invalid_argument("checkpoint: a search with fixed coordinates cannot be the start of another one");
  }
  Start start = read_best(reader, method);
  if (start.mean.size() != x0.size() || start.deviations.size() != x0.size() ||
      (start.factor && start.factor->cols() != x0.size()) ||
      (start.direction && start.direction->size() != x0.size())) {
    throw std::invalid_argument("checkpoint: its distribution is of another dimension");
  }
  if (units.size() > 0) start.rescale(units);
  return start;
}

bool has_names(const std::string& state) {
  StateReader reader(state);
  reader.skip_to("seed");
  std::string seed;
  reader.text("seed", seed);
  return reader.has_next("space");
}

Space unnamed_space(const Start& start) {
  Space space;
  for (Index j = 0; j < start.dimension(); ++j) {
    space.real(std::string("x").append(text(j)), {.start = start.mean[j], .sigma = start.deviations[j]});
  }
  return space;
}

std::vector<Vector> read_probabilities(StateReader& reader, const Space& space) {
  std::vector<Vector> probabilities;
  for (const Parameter& p : space.parameters()) {
    if (p.kind != Parameter::Kind::choice || p.is_fixed()) continue;
    reader.skip_to("q");
    reader.vector("q", probabilities.emplace_back());
  }
  return probabilities;
}

}  // namespace

Start distribution_of_state(const std::string& state) {
  if (has_names(state)) {
    throw std::invalid_argument(
        "checkpoint: its parameters have names, so it is the start of searches with names only");
  }
  StateReader reader(state);
  std::string method;
  reader.text("method", method);
  return read_distribution(reader, method);
}

NamedStart named_start_of_state(const std::string& state) {
  StateReader reader(state);
  std::string method;
  reader.text("method", method);
  NamedStart named;
  if (has_names(state)) {
    std::string space;
    reader.skip_to("space");
    reader.text("space", space);
    named.space = Space::from_text(space);
  }
  named.start = read_distribution(reader, method);
  if (named.space.empty()) named.space = unnamed_space(named.start);
  named.probabilities = read_probabilities(reader, named.space);
  return named;
}

}  // namespace surefoot
