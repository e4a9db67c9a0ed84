#include "driver/tally.hpp"

#include <cmath>

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

bool Tally::is_narrowing() const { return is_finite(run_best) && barren == run_nit; }

void Tally::visit(StateVisitor& visitor) {
  auto begun = static_cast<std::int64_t>(is_begun);
  visitor.integer("nfev", nfev);
  visitor.integer("nfailed", nfailed);
  visitor.integer("nit", nit);
  visitor.integer("rounds", rounds);
  visitor.integer("barren generations", barren);
  visitor.scalar("best f", best_f);
  visitor.vector("best x", best_x);
  Vector constraints = Eigen::Map<const Vector>(best_constraints.data(), static_cast<Index>(best_constraints.size()));
  visitor.vector("best constraints", constraints);
  visitor.scalar("best sigma", best_sigma);
  visitor.scalar("generation best", generation_best);
  visitor.scalar("model seconds", model_seconds);
  visitor.integer("begun", begun);
  visitor.integer("run nit", run_nit);
  visitor.integer("run nfev", run_nfev);
  visitor.integer("closed at", closed_at);
  visitor.scalar("run best", run_best);
  best_constraints.assign(constraints.begin(), constraints.end());
  is_begun = begun != 0;
}

}  // namespace surefoot
