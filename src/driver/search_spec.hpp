#pragma once

#include <memory>
#include <optional>
#include <string>

#include "surefoot/options.hpp"
#include "surefoot/session.hpp"
#include "surefoot/space.hpp"
#include "surefoot/start.hpp"

namespace surefoot {

/// What evaluates points.
enum class ObjectiveKind {
  function,  // one point a call
  batch,     // a function of whole populations
  program,   // another program
};

/// A search as a front end has read it. Front ends translate words; `resolved` decides what they mean.
struct SearchSpec {
  Vector x0 = {};  // empty: not given
  Sigma0 sigma0 = {};
  Space space = {};  // empty: coordinates have no names
  // A warm start, by one of these:
  std::string warm_file = {};                   // a checkpoint
  std::string warm_state = {};                  // the state of a search
  std::optional<Start> warm_distribution = {};  // a distribution
  ObjectiveKind objective = ObjectiveKind::function;
  Options options = {};
  SessionFiles files = {};

  [[nodiscard]] bool is_warm() const { return !warm_file.empty() || !warm_state.empty() || warm_distribution; }
};

/// The same with every default that depends on how a search begins and on what it minimises, and with the distribution
/// or state of a warm start in place of its file.
/// \throws std::invalid_argument for what does not go together, and for what is missing.
SearchSpec resolved(SearchSpec spec);

/// The session of a spec, resolved or not.
std::unique_ptr<Session> make_session(SearchSpec spec);

}  // namespace surefoot
