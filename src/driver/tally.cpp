#include "driver/tally.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/visit_count.hpp"

namespace surefoot {

void Tally::begin_run() {
  run_nit = run_nfev = closed_at = 0;
  run_best = nan;
}

void Tally::count(const Generation& generation, const Matrix& points, double sigma, bool begins) {
  last_nfev = generation.size() - generation.count(Outcome::State::predicted);
  nfev += last_nfev;
  run_nfev += last_nfev;
  if (begins) generation_best = nan;
  is_ended = false;
  last_failed = 0;
  for (Index i = 0; i < generation.size(); ++i) {
    const double f = generation.value(i);
    if (kind_of(f) == ValueKind::failed) ++last_failed;
    if (!is_finite(f)) continue;
    if (!(generation_best <= f)) generation_best = f;
    if (best_f <= f || generation.outcome(i).state == Outcome::State::predicted) continue;
    best_f = f;
    best_x = points.col(i);
    best_constraints = generation.outcome(i).constraints;
    best_sigma = sigma;
  }
  if (std::isnan(best_f) && last_failed < generation.size()) best_f = std::numeric_limits<double>::infinity();
  if (!(run_best <= generation_best) && !std::isnan(generation_best)) run_best = generation_best;
  nfailed += last_failed;
  note_last_failure(generation.failures());
}

/// The last by candidate and attempt, whatever the order in which they came.
void Tally::note_last_failure(const std::vector<Failure>& failures) {
  const auto last = std::max_element(failures.begin(), failures.end(), [](const Failure& a, const Failure& b) {
    return std::pair(a.candidate, a.attempt) < std::pair(b.candidate, b.attempt);
  });
  if (last != failures.end()) last_failure = std::string(name(last->kind)) + ", " + last->reason;
}

void Tally::end_generation(Stage stage) {
  is_ended = true;
  if (stage != Stage::known) ++nit;
  if (stage == Stage::population) ++run_nit;
  if (stage == Stage::closing) closed_at = run_nit;
  barren_before = barren;
  if (stage != Stage::known) barren = std::isnan(generation_best) ? barren + 1 : 0;
}

Tally Tally::without_last(Stage stage) const {
  Tally before = *this;
  if (is_ended && stage != Stage::known) --before.nit;
  if (is_ended && stage == Stage::population) --before.run_nit;
  if (is_ended) before.barren = barren_before;
  before.nfev -= last_nfev;
  before.run_nfev -= last_nfev;
  before.nfailed -= last_failed;
  return before;
}

void Tally::forgive() {
  excused_nfev = nfev;
  excused_nfailed = nfailed;
}

bool Tally::is_narrowing() const { return is_finite(run_best) && barren == run_nit; }

void Tally::visit(StateVisitor& visitor) {
  auto begun = static_cast<std::int64_t>(is_begun);
  visit_count(visitor, "nfev", nfev);
  visit_count(visitor, "nfailed", nfailed);
  visit_count(visitor, "excused nfev", excused_nfev);
  visit_count(visitor, "excused nfailed", excused_nfailed);
  visitor.text("last failure", last_failure);
  visit_count(visitor, "nit", nit);
  visit_count(visitor, "rounds", rounds);
  visit_count(visitor, "barren generations", barren);
  visitor.scalar("best f", best_f);
  visitor.vector("best x", best_x);
  Vector constraints = Eigen::Map<const Vector>(best_constraints.data(), static_cast<Index>(best_constraints.size()));
  visitor.vector("best constraints", constraints);
  visitor.scalar("best sigma", best_sigma);
  visitor.scalar("generation best", generation_best);
  visitor.scalar("model seconds", model_seconds);
  visitor.integer("begun", begun);
  visit_count(visitor, "run nit", run_nit);
  visit_count(visitor, "run nfev", run_nfev);
  visit_count(visitor, "closed at", closed_at);
  visitor.scalar("run best", run_best);
  best_constraints.assign(constraints.begin(), constraints.end());
  is_begun = begun != 0;
}

}  // namespace surefoot
