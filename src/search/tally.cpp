#include "search/tally.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/visit_count.hpp"

namespace surefoot {
namespace {

/// What there is among the candidates of a generation.
struct Count {
  Best of_generation;
  Best of_all;
  Index evaluated = 0;
  Index failed = 0;
  Index best_of_generation = -1;  // the candidate that is so; -1 if it is none of these
  Index best = -1;                // of all, likewise
};

/// Given the best before. A function for each kind of violation: a call in the loop would keep nothing in registers.
template <class Violation>
Count count_candidates(const Generation& generation, const Best& of_generation, const Best& of_all,
                       const Violation& violation_of) {
  Count count = {of_generation, of_all};
  const Index size = generation.size();
  for (Index i = 0; i < size; ++i) {
    const Outcome& outcome = generation.outcome(i);
    const bool is_evaluated = outcome.state != Outcome::State::predicted;
    const ValueKind kind = kind_of(outcome.f);
    count.evaluated += is_evaluated ? 1 : 0;
    count.failed += kind == ValueKind::failed ? 1 : 0;
    if (kind != ValueKind::finite) continue;
    const double violation = violation_of(outcome);
    if (!is_finite(violation)) continue;
    if (count.of_generation.take(violation, outcome.f)) count.best_of_generation = i;
    if (is_evaluated && count.of_all.take(violation, outcome.f)) count.best = i;
  }
  return count;
}

}  // namespace

void Tally::begin_run(std::int64_t number) {
  run = number;
  run_nit = run_nfev = run_repeats = closed_at = 0;
  run_best = nan;
  run_violation = 0;
}

void Tally::set_apart() {
  run_nfev -= last_nfev;
  run_repeats += last_nfev;
}

void Tally::count(const Generation& generation, const Matrix& points, double sigma, const ConstraintRules& rules,
                  bool begins) {
  if (begins) generation_best = nan;
  is_ended = false;
  const Best of_generation(generation_violation, generation_best);
  const Best of_all(best_violation, best_f);
  const auto none = [](const Outcome& /*o*/) { return 0.0; };
  const auto violation_of = [&rules](const Outcome& o) {
    return o.constraints.empty() ? 0.0 : rules.violation(o.constraints);
  };
  const Count counted = rules.empty() ? count_candidates(generation, of_generation, of_all, none)
                                      : count_candidates(generation, of_generation, of_all, violation_of);
  last_nfev = counted.evaluated;
  nfev += last_nfev;
  run_nfev += last_nfev;
  last_failed = counted.failed;
  if (counted.best_of_generation >= 0) {
    generation_violation = counted.of_generation.violation();
    generation_best = counted.of_generation.f();
  }
  if (const Index best = counted.best; best >= 0) {
    best_violation = counted.of_all.violation();
    best_f = counted.of_all.f();
    best_x = points.col(best);
    best_constraints = generation.outcome(best).constraints;
    best_sigma = sigma;
    best_run = run;
  }
  if (std::isnan(best_f) && last_failed < generation.size()) best_f = std::numeric_limits<double>::infinity();
  if (!std::isnan(generation_best) && is_better(generation_violation, generation_best, run_violation, run_best)) {
    run_best = generation_best;
    run_violation = generation_violation;
  }
  nfailed += last_failed;
  note_failures(generation, points);
}

void Tally::note_kept(double f) {
  if (!is_finite(f) || generation_best <= f) return;
  generation_best = f;
  generation_violation = 0;
}

/// By candidate, whatever the order in which they came, each with its last attempt.
void Tally::note_failures(const Generation& generation, const Matrix& points) {
  last_kinds = {};
  if (last_failed == 0 && generation.failures().empty()) return;
  std::vector<const Failure*> last_of(static_cast<std::size_t>(generation.size()), nullptr);
  for (const Failure& failure : generation.failures()) {
    const Failure*& last = last_of[static_cast<std::size_t>(failure.candidate)];
    if (last == nullptr || failure.attempt > last->attempt) last = &failure;
  }
  for (Index i = 0; i < generation.size(); ++i) {
    const Failure* last = last_of[static_cast<std::size_t>(i)];
    if (last != nullptr) {
      last_failure = std::string(name(last->kind)) + ", " + last->reason;
      last_failure_x = points.col(i);
    }
    if (kind_of(generation.value(i)) != ValueKind::failed) continue;
    const auto kind = static_cast<std::size_t>(last == nullptr ? FailureKind::nan : last->kind);
    ++last_kinds[kind];
    kinds[kind] = {kinds[kind].count + 1, last == nullptr ? "" : last->reason, points.col(i)};
  }
}

void Tally::end_generation(const Counting& counting) {
  is_ended = true;
  if (counting.is_generation) ++nit;
  if (counting.is_of_run) ++run_nit;
  if (counting.has_mean) closed_at = run_nit;
  barren_before = barren;
  if (counting.is_generation) barren = std::isnan(generation_best) ? barren + 1 : 0;
}

Tally Tally::without_last(const Counting& counting) const {
  Tally before = *this;
  if (is_ended && counting.is_generation) --before.nit;
  if (is_ended && counting.is_of_run) --before.run_nit;
  if (is_ended) before.barren = barren_before;
  before.nfev -= last_nfev;
  (counting.is_in_run ? before.run_nfev : before.run_repeats) -= last_nfev;
  before.nfailed -= last_failed;
  for (std::size_t k = 0; k < kinds.size(); ++k) before.kinds[k].count -= last_kinds[k];
  return before;
}

void Tally::forgive() {
  excused_nfev = nfev;
  excused_nfailed = nfailed;
}

bool Tally::is_narrowing() const { return is_finite(run_best) && barren == run_nit; }

void Tally::visit(StateVisitor& visitor, bool is_constrained) {
  auto begun = static_cast<std::int64_t>(is_begun);
  visit_count(visitor, "nfev", nfev);
  visit_count(visitor, "nfailed", nfailed);
  visit_count(visitor, "excused nfev", excused_nfev);
  visit_count(visitor, "excused nfailed", excused_nfailed);
  visitor.text("last failure", last_failure);
  visitor.vector("last failure x", last_failure_x);
  for (FailureCount& kind : kinds) {
    visit_count(visitor, "failures of a kind", kind.count);
    visitor.text("reason", kind.reason);
    visitor.vector("failed x", kind.x);
  }
  visit_count(visitor, "nit", nit);
  visit_count(visitor, "rounds", rounds);
  visit_count(visitor, "barren generations", barren);
  visitor.scalar("best f", best_f);
  visitor.vector("best x", best_x);
  Vector constraints = Eigen::Map<const Vector>(best_constraints.data(), static_cast<Index>(best_constraints.size()));
  visitor.vector("best constraints", constraints);
  visitor.scalar("best sigma", best_sigma);
  visit_count(visitor, "best run", best_run);
  visitor.scalar("generation best", generation_best);
  visitor.scalar("model seconds", model_seconds);
  visitor.integer("begun", begun);
  visitor.scalar("noisy", noise);
  visit_count(visitor, "run nit", run_nit);
  visit_count(visitor, "run nfev", run_nfev);
  visit_count(visitor, "run repeats", run_repeats);
  visit_count(visitor, "closed at", closed_at);
  visitor.scalar("run best", run_best);
  if (is_constrained) {
    visitor.scalar("best violation", best_violation);
    visitor.scalar("generation violation", generation_violation);
    visitor.scalar("run violation", run_violation);
    visitor.vector("multipliers", multipliers);
  }
  best_constraints.assign(constraints.begin(), constraints.end());
  is_begun = begun != 0;
}

}  // namespace surefoot
