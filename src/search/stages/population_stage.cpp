#include "search/stages/population_stage.hpp"

#include "search/run.hpp"

namespace surefoot {

Index PopulationStage::least() const { return run_.strategy().popsize(); }

const Matrix& PopulationStage::ask(Index /*count*/, const Tally& tally, Matrix& room) {
  const Domain& domain = run_.domain();
  population_ = &run_.sample(static_cast<std::uint64_t>(tally.run_nit));
  const Matrix& points = domain.to_user(*population_, room);
  domain.put_choices(run_.choices(), room);
  return points;
}

void PopulationStage::replace(const Matrix& points, std::span<const Index> changed) {
  replaced_ = *population_;
  for (const Index i : changed) replace(i, points.col(i));
}

/// A discrete value that differs from the mean's lies in the middle of its cell. Otherwise the sample stays: its place
/// within the cell means nothing.
void PopulationStage::replace(Index i, const Vector& user) {
  const Domain& domain = run_.domain();
  Vector x = domain.to_search(user);
  const Vector& mean = run_.distribution().mean();
  for (const auto& [j, unit, grid] : domain.discrete()) {
    const std::int64_t cell = grid.cell(unit * x[j]);
    if (cell != grid.cell(unit * mean[j])) continue;
    const double sampled = (*population_)(j, i);
    x[j] = grid.cell(unit * sampled) == cell ? sampled : mean[j];
  }
  replaced_.col(i) = x;
  run_.replace_choices(i, domain.choices_of(user).col(0));
}

Consequence PopulationStage::learn(const GenerationValues& told, const Tally& tally) {
  run_.learn(told.generation, told.changed.empty() ? *population_ : replaced_, told.values, told.changed, tally);
  return {run_.test(told.values, tally)};
}

}  // namespace surefoot
