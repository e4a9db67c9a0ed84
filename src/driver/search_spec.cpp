#include "driver/search_spec.hpp"

#include <initializer_list>
#include <stdexcept>
#include <utility>

#include "driver/checkpoint/checkpointer.hpp"

namespace surefoot {
namespace {

constexpr double seconds_of_a_program = 1;  // to start another program is expensive

struct Given {
  const char* option;
  bool is_given;
};

void refuse(std::initializer_list<Given> all, const std::string& because) {
  for (const auto& [option, is_given] : all) {
    if (is_given) throw std::invalid_argument(std::string(option) + ": not together with " + because);
  }
}

void require_one_origin(const SearchSpec& spec) {
  const bool has_x0 = spec.x0.size() > 0;
  const bool has_sigma0 = spec.sigma0.is_given();
  if (!spec.space.empty()) {
    refuse({{"x0", has_x0}, {"sigma0", has_sigma0}, {"bounds", !spec.options.bounds.empty()}},
           "named parameters, which have a start, sigma and limits of their own, as in 'a=real(0,1,start=0.3)'");
    refuse({{"warm_start", spec.warm_distribution.has_value()}},
           "named parameters unless it is a result or a checkpoint");
  } else if (spec.is_warm()) {
    refuse({{"x0", has_x0}, {"sigma0", has_sigma0}}, "warm_start, which gives it");
  } else if (!has_x0) {
    throw std::invalid_argument("x0 is missing: give a start point, named parameters or a warm start");
  }
}

/// A batch would be evaluated one candidate at a time by a model.
void resolve_options(ObjectiveKind kind, Options& options) {
  if (kind == ObjectiveKind::batch && options.model == "auto") options.model = "none";
  if (kind == ObjectiveKind::program && !options.evaluation_seconds) options.evaluation_seconds = seconds_of_a_program;
}

}  // namespace

SearchSpec resolved(SearchSpec spec) {
  require_one_origin(spec);
  resolve_options(spec.objective, spec.options);
  if (!spec.warm_file.empty()) spec.warm_state = read_checkpoint(std::exchange(spec.warm_file, {})).state;
  if (spec.space.empty() && !spec.warm_state.empty()) {
    spec.warm_distribution = distribution_of_state(std::exchange(spec.warm_state, {}));
  }
  return spec;
}

std::unique_ptr<Session> make_session(SearchSpec given) {
  SearchSpec spec = resolved(std::move(given));
  Options& options = spec.options;
  SessionFiles& files = spec.files;
  if (!spec.warm_state.empty()) {
    return std::make_unique<Session>(spec.space, spec.warm_state, std::move(options), std::move(files));
  }
  if (!spec.space.empty()) return std::make_unique<Session>(spec.space, std::move(options), std::move(files));
  if (spec.warm_distribution) {
    return std::make_unique<Session>(*spec.warm_distribution, std::move(options), std::move(files));
  }
  return std::make_unique<Session>(spec.x0, spec.sigma0, std::move(options), std::move(files));
}

}  // namespace surefoot
