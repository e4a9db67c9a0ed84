#include "driver/setup.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/require_same.hpp"
#include "driver/thread_pool.hpp"

namespace surefoot {
namespace {

Matrix injected_points(const Domain& domain, const Options& options) {
  Matrix injected(domain.user_dimension(), static_cast<Index>(options.inject.size()));
  for (std::size_t i = 0; i < options.inject.size(); ++i) {
    const std::string name = "inject[" + text(i) + "]";
    injected.col(static_cast<Index>(i)) = domain.checked(name, options.inject[i]);
    if (!std::isfinite(options.inject[i].squaredNorm())) {
      reject(name, options.inject[i].cwiseAbs().maxCoeff(), "it is too large");
    }
  }
  return injected;
}

Setup with_domain(std::shared_ptr<const Domain> domain, Options options, std::unique_ptr<NormalSource> normals) {
  Setup setup;
  setup.left_open = left_open(options);
  setup.options = completed(std::move(options), {.dimension = domain->search_dimension(),
                                                 .choices = static_cast<Index>(domain->choice_sizes().size()),
                                                 .is_discrete = domain->is_discrete()});
  setup.rules = constraint_rules(setup.options);
  setup.injected = injected_points(*domain, setup.options);
  setup.domain = std::move(domain);
  setup.normals = std::move(normals);
  if (setup.options.threads > 1) setup.executor = std::make_shared<ThreadPool>(setup.options.threads);
  return setup;
}

/// A text that must be the same, or is adopted where the user left it open.
void adopt(StateVisitor& visitor, const char* name, bool is_open, std::string& ours) {
  if (!is_open) return require_same(visitor, name, ours);
  visitor.text(name, ours);
}

/// Only where there are any: a search without them is as it always was.
void visit_constraints(StateVisitor& visitor, const Setup& setup) {
  if (visitor.is_restoring() && visitor.has_next("constraints") == setup.rules.empty()) {
    throw std::invalid_argument(setup.rules.empty() ? "it has constraints, this search has none"
                                                    : "it has no constraints, here there are some");
  }
  if (setup.rules.empty()) return;
  require_same(visitor, "constraints", text(setup.rules.inequalities));
  require_same(visitor, "equalities", text(setup.rules.equalities));
  require_same(visitor, "equality_tolerance", text(setup.rules.tolerance));
  require_same(visitor, "constraints_mode", setup.options.constraints_mode);
}

double share_of(const std::string& text) {
  double share = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (error == std::errc{} && end == text.data() + text.size() && share > 0 && share < 1) return share;
  reject("checkpoint: mixing", "'" + text + "'", "it must be a number between 0 and 1");
}

/// Only where populations are mixed, so the format of all other searches is unchanged.
void visit_mixing(StateVisitor& visitor, Setup& setup) {
  std::optional<double>& mixing = setup.options.mixing;
  const bool is_other = visitor.is_restoring() && visitor.has_next("mixing") != (mixing.value_or(0) > 0);
  if (is_other && !setup.left_open.mixing) {
    throw std::invalid_argument(visitor.has_next("mixing")
                                    ? "it mixes populations, here mixing is 0"
                                    : "it does not mix populations, here mixing is " + text(*mixing));
  }
  if (is_other) mixing = visitor.has_next("mixing") ? 0.5 : 0;  // as the checkpoint has it
  if (mixing.value_or(0) == 0) return;
  std::string share = text(*mixing);
  adopt(visitor, "mixing", setup.left_open.mixing, share);
  mixing = share_of(share);
}

std::uint64_t seed_of(const std::string& text) {
  try {
    return std::stoull(text);
  } catch (const std::exception&) {
    reject("checkpoint: seed", "'" + text + "'", "it must be a number");
  }
}

}  // namespace

Vector Setup::known_point(Index i) const {
  if (options.evaluate_x0 && i == 0) return domain->user_start();
  return injected.col(i - (options.evaluate_x0 ? 1 : 0));
}

Setup set_up(const Vector& x0, const Sigma0& sigma0, Options options, std::unique_ptr<NormalSource> normals) {
  auto domain = make_domain(options.bounds, checked_start(x0), sigma0);
  return with_domain(std::move(domain), std::move(options), std::move(normals));
}

Setup set_up(const Start& start, Options options) {
  auto domain = make_domain(options.bounds, start);
  return with_domain(std::move(domain), std::move(options), nullptr);
}

Setup set_up(const Space& space, const NamedStart* warm_start, Options options) {
  if (!options.bounds.empty()) {
    throw std::invalid_argument("bounds: not together with a space, whose parameters have their own limits");
  }
  return with_domain(make_domain(space, warm_start), std::move(options), nullptr);
}

void visit_identity(StateVisitor& visitor, Setup& setup) {
  Options& options = setup.options;
  std::string learning_rate = options.learning_rate.text();
  std::string restarts = options.restarts.text();
  std::string seed = text(*options.seed);
  adopt(visitor, "method", setup.left_open.method, options.method);
  adopt(visitor, "learning_rate", setup.left_open.learning_rate, learning_rate);
  require_same(visitor, "popsize", text(*options.popsize));
  adopt(visitor, "model", setup.left_open.model, options.model);
  visit_mixing(visitor, setup);
  std::string batch = options.batch.text();
  adopt(visitor, "batch", setup.left_open.batch, batch);
  adopt(visitor, "restarts", setup.left_open.restarts, restarts);
  require_same(visitor, "noise", options.noise.text());
  adopt(visitor, "seed", setup.left_open.seed, seed);
  if (learning_rate != options.learning_rate.text()) options.learning_rate = learning_rate;
  if (restarts != options.restarts.text()) options.restarts = restarts;
  if (batch != options.batch.text()) options.batch = batch;
  options.seed = seed_of(seed);
  if (visitor.is_restoring() && visitor.has_next("space") == setup.domain->space().empty()) {
    throw std::invalid_argument(setup.domain->space().empty() ? "its parameters have names, here they have none"
                                                              : "its parameters have no names, here they have");
  }
  setup.domain->visit(visitor);
  visit_constraints(visitor, setup);
  require_same(visitor, "number of points from evaluate_x0 and inject", text(setup.known_count()));
  for (Index i = 0; i < setup.known_count(); ++i) require_same(visitor, "known point", setup.known_point(i));
}

}  // namespace surefoot
