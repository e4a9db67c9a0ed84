#include "search/stop/run_criteria.hpp"

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

/// How many vectors a pass over the shape is worth: d for a full one, 1 for a diagonal.
std::int64_t passes(const Distribution& distribution) { return distribution.shape_size() / distribution.dimension(); }

/// How many generations must be without a better value before a search is settled. With the margin 1/(d popsize) each
/// discrete coordinate has then left its value about ten times, five times in each direction. After three times 3 of 20
/// searches of 20 integers had missed a better neighbour. Choices leave their values more often.
std::int64_t settled_length(const Domain& domain) {
  const Index d = domain.discrete().empty() ? 0 : domain.search_dimension();
  return 10 + 10 * static_cast<std::int64_t>(d) + 3 * static_cast<std::int64_t>(domain.choice_sizes().size());
}

}  // namespace

RunCriteria::RunCriteria(const Options& options, const Distribution& start, Index popsize, const Domain& domain)
    : options_(options),
      domain_(domain),
      // At this interval the inversion of a full shape, O(d^3), is one percent of a generation.
      rare_interval_(4 * (10 + passes(start))),
      // A pass over a full shape is a small part of a generation that makes 2 popsize of them.
      deviations_interval_(popsize < passes(start) ? 10 : 1 + passes(start) / 10),
      values_(options, domain, popsize),
      deviations_(options, domain, start) {}

Stop RunCriteria::test(const Strategy& strategy, const Vector& values, std::int64_t generation) {
  const Distribution& distribution = strategy.distribution();
  values_.remember(values, generation, strategy.pace());
  if (Stop stop = RunDeviations::non_finite(distribution)) return stop;
  if (Stop stop = deviations_.tolupsigma(distribution.sigma())) return stop;
  if (Stop stop = values_.tolflatfitness()) return stop;
  if (Stop stop = values_.tolfunhist()) return stop;
  if (Stop stop = values_.tolfun()) return stop;
  if (Stop stop = values_.unresolved()) return stop;
  if (Stop stop = settled(distribution)) return stop;
  if (Stop stop = deviations_.noeffectaxis(distribution, generation)) return stop;
  if (generation % deviations_interval_ == 0) {
    if (Stop stop = deviations_.test(distribution)) return stop;
  }
  if (generation % rare_interval_ == 0) {
    if (Stop stop = deviations_.condition(distribution)) return stop;
  }
  return values_.tolstagnation(generation);
}

/// Real parameters have converged by their standard deviations or by the best values, where they have any effect.
Stop RunCriteria::settled(const Distribution& distribution) {
  if (!domain_.is_discrete() || options_.tolx <= 0 || !is_settled_) return {};
  if (values_.unimproved() < settled_length(domain_)) return {};
  if (has_real_coordinate(domain_) && !values_.is_level() && !deviations_.has_shrunk(distribution)) return {};
  return {StopReason::settled, "settled: integers and choices keep their values, and " + text(values_.unimproved()) +
                                   " generations have found nothing better"};
}

}  // namespace surefoot
