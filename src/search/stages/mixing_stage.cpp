#include "search/stages/mixing_stage.hpp"

#include <cmath>
#include <numeric>

#include "search/run.hpp"

namespace surefoot {

MixingStage::MixingStage(Run& run, double least_new) : run_(run), mixing_(least_new) {}

Index MixingStage::least() const { return run_.strategy().popsize() - mixing_.kept().x.cols(); }

/// The numbers of a candidate are the first ones of its column, so the first generation is that of a search without
/// mixing.
const Matrix& MixingStage::ask(Index /*count*/, const Tally& tally, Matrix& room) {
  const auto generation = static_cast<std::uint64_t>(tally.run_nit);
  if (mixing_.has_kept()) {
    fresh_ = mixing_.draw(run_.strategy().popsize(), run_.distribution(),
                          [&](Matrix& block) { run_.fill(generation, block); });
  } else {
    fresh_ = run_.sample(generation);
  }
  return run_.domain().to_user(fresh_, room);
}

void MixingStage::replace(const Matrix& points, std::span<const Index> changed) {
  for (const Index i : changed) fresh_.col(i) = run_.domain().to_search(points.col(i));
}

double MixingStage::best_kept() const { return mixing_.kept().f.size() > 0 ? mixing_.kept().f.minCoeff() : Tally::nan; }

/// Kept points first.
ImportanceMixing::Points MixingStage::population(const Vector& values) const {
  const auto& [x, f] = mixing_.kept();
  ImportanceMixing::Points all{Matrix(fresh_.rows(), x.cols() + fresh_.cols()), Vector(f.size() + values.size())};
  if (f.size() > 0) all.x.leftCols(x.cols()) = x;
  all.x.rightCols(fresh_.cols()) = fresh_;
  all.f << f, values;
  return all;
}

/// The strategy has not sampled the population itself, unless all of it is new: every column is another one to it.
/// Tests for the end see new values only: that a best point is kept for many generations is no plateau.
Consequence MixingStage::learn(const GenerationValues& told, const Tally& tally) {
  const ImportanceMixing::Points all = population(told.values);
  std::vector<Index> changed(static_cast<std::size_t>(mixing_.has_kept() ? all.f.size() : 0));
  std::iota(changed.begin(), changed.end(), Index{0});
  const Start before = run_.distribution().snapshot();
  run_.learn(told.generation, all.x, all.f, mixing_.has_kept() ? changed : told.changed, tally);
  decide(all, before, told.changed, static_cast<std::uint64_t>(tally.run_nit));
  return {run_.test(told.values, tally)};
}

/// Forgets after a correction, whose distribution is none of the strategy's own. What lies beyond bounds or was given
/// by the caller was not drawn from the distribution.
void MixingStage::decide(const ImportanceMixing::Points& population, const Start& before,
                         std::span<const Index> changed, std::uint64_t generation) {
  const Index popsize = population.f.size();
  if (run_.was_corrected() || !run_.distribution().is_finite() || run_.strategy().popsize() != popsize) {
    return mixing_.forget();
  }
  Vector squares = Vector::Zero(popsize);
  if (run_.domain().has_bounds()) run_.domain().excess(population.x, before.deviations, squares);
  std::vector<bool> may_stay(static_cast<std::size_t>(popsize));
  for (Index i = 0; i < popsize; ++i) {
    may_stay[static_cast<std::size_t>(i)] = is_finite(population.f[i]) && squares[i] == 0;
  }
  const Index kept = popsize - fresh_.cols();
  for (const Index i : changed) may_stay[static_cast<std::size_t>(kept + i)] = false;

  Matrix block(ImportanceMixing::rows(fresh_.rows()), popsize);
  run_.fill(generation, block);
  mixing_.keep(population, may_stay, before, run_.distribution(),
               block.row(ImportanceMixing::row_of_kept(fresh_.rows())).transpose());
}

void MixingStage::visit(StateVisitor& visitor) {
  mixing_.visit(visitor, run_.domain().search_dimension(), run_.strategy().popsize());
}

}  // namespace surefoot
