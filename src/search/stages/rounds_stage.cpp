#include "search/stages/rounds_stage.hpp"

#include "core/invalid_option.hpp"
#include "search/run.hpp"

namespace surefoot {

RoundsStage::RoundsStage(Run& run, const SurrogateRules& rules)
    : run_(run), rounds_(run.domain(), run.strategy().popsize(), rules) {}

/// Only a generation that begins is sampled: its later rounds are other candidates of the same population.
const Matrix& RoundsStage::ask(Index count, const Tally& tally, Matrix& room) {
  if (!rounds_.is_within()) {
    rounds_.begin(run_.sample(static_cast<std::uint64_t>(tally.run_nit)), run_.distribution());
  }
  points_ = rounds_.points(count);
  return run_.domain().to_user(points_, room);
}

void RoundsStage::resume(const Tally& tally) {
  if (rounds_.is_within()) run_.sample(static_cast<std::uint64_t>(tally.run_nit));
}

void RoundsStage::replace(const Matrix& points, std::span<const Index> changed) {
  for (const Index k : changed) rounds_.replace(k, run_.domain().to_search(points.col(k)));
}

bool RoundsStage::take(const Vector& values, const std::vector<Failure>& failures) {
  rounds_.take(values, failures);
  return !rounds_.is_within();
}

void RoundsStage::keep() {
  if (!kept_) kept_ = rounds_;
}

void RoundsStage::take_back() {
  if (kept_) rounds_ = *std::move(kept_);
  kept_.reset();
}

/// Tests see true values only: the strategy alone learns what the model makes of the others.
Consequence RoundsStage::learn(const GenerationValues& /*told*/, const Tally& tally) {
  Generation generation;
  rounds_.write_outcomes(generation);
  run_.learn(generation, rounds_.population(), rounds_.surrogate().values(), rounds_.changed(), tally);
  return {test(tally)};
}

Stop RoundsStage::test(const Tally& tally) {
  if (Stop stop = run_.test(rounds_.surrogate().true_values(), tally)) return stop;
  if (Stop stop = met_promise()) return stop;
  return met_resolution();
}

Stop RoundsStage::met_promise() const {
  if (!rounds_.surrogate().has_converged()) return {};
  return {StopReason::model, "converged: the model promises no improvement above " +
                                 short_text(10 * run_.options().tolfun) + ", 10 tolfun"};
}

/// A model learns conditions that a strategy alone does not: where the objective has an edge it narrows the
/// distribution across it, down to rounding, while the other directions stay wide and no criterion of single
/// coordinates sees it. What moves the search from then on is chance.
Stop RoundsStage::met_resolution() const {
  if (!run_.options().noeffectcoord) return {};
  const std::optional<Index> j = rounds_.surrogate().frame().rounded_coordinate();
  if (!j) return {};
  const std::string who = run_.domain().space().empty() ? "coordinate " + text(*j) : run_.domain().name(*j);
  return {StopReason::noeffectcoord, "converged: a fifth of the standard deviation of " + who +
                                         ", with all others given, does not change its mean"};
}

/// How many candidates of the generation were evaluated, and how well the model ranks.
void RoundsStage::report(Measures& measures, bool is_present, Index size) const {
  const Surrogate& surrogate = rounds_.surrogate();
  const Index before = is_present ? surrogate.evaluated() : 0;
  const bool is_last_missing = !is_present || rounds_.is_within();  // the end of the search came first
  measures.add("evaluated", static_cast<double>(before + (is_last_missing ? size : 0)));
  measures.add("tau", is_present ? surrogate.tau() : Tally::nan);
  measures.add("fit_condition", is_present ? surrogate.model().condition() : Tally::nan);
}

Index RoundsStage::number_of(Index candidate) const {
  return rounds_.is_within() ? rounds_.surrogate().wanted()[static_cast<std::size_t>(candidate)] : candidate;
}

bool RoundsStage::has_value(Index number) const {
  return rounds_.is_within() && number < run_.strategy().popsize() && rounds_.surrogate().is_evaluated(number);
}

std::vector<Failure> RoundsStage::failures(const Generation& present) const {
  std::vector<Failure> all = rounds_.failures();
  if (!rounds_.is_within()) return all;
  const std::vector<Failure> last = rounds_.in_population(present.failures());
  all.insert(all.end(), last.begin(), last.end());
  return all;
}

void RoundsStage::visit(StateVisitor& visitor) {
  if (kept_ && !rounds_.is_within()) return kept_->visit(visitor);
  rounds_.visit(visitor);
}

}  // namespace surefoot
