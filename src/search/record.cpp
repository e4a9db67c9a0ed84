#include "search/record.hpp"

#include <algorithm>
#include <utility>

#include "search/search.hpp"

namespace surefoot {
namespace {

Measures measures_of(const Search& search) {
  const RunStage& stage = search.run().stage();
  const Present& present = search.present();
  Measures measures = search.run().strategy().measures();
  if (stage.has_model()) stage.report(measures, &present.stage() == &stage, present.generation().size());
  if (const auto noise = search.noise()) {
    measures.add("noise", noise->deviation);
    if (noise->frame != nullptr) measures.add("noise_loss", noise->expected_loss);
  }
  if (search.setup().rules.empty()) return measures;
  measures.add("violation", search.tally().best_violation);
  search.run().merit().report(measures);
  return measures;
}

/// Of what samples now: under noise that may be the search by regression.
double sigma_of(const Search& search) {
  const auto noise = search.noise();
  return noise && noise->frame != nullptr ? noise->frame->scale() : search.run().distribution().sigma();
}

std::vector<Failure> sorted_failures(const Present& present) {
  std::vector<Failure> failures = present.stage().failures(present.generation());
  std::sort(failures.begin(), failures.end(), [](const Failure& a, const Failure& b) {
    return std::pair(a.candidate, a.attempt) < std::pair(b.candidate, b.attempt);
  });
  return failures;
}

}  // namespace

Record record_of(const Search& search, double condition) {
  const Tally& tally = search.tally();
  Measures measures = measures_of(search);
  Record record{.generation = tally.nit,
                .nfev = tally.nfev,
                .best = tally.best_f,
                .generation_best = tally.generation_best,
                .sigma = sigma_of(search),
                .eta_m = measures["eta_m"],
                .eta_sigma = measures["eta_sigma"],
                .eta_B = measures["eta_B"],
                .l_theta = measures["l_theta"],
                .gamma = measures["gamma"],
                .condition = condition,
                .run = search.run().number() + 1,
                .popsize = search.run().strategy().popsize(),
                .failures = sorted_failures(search.present()),
                .measures = {}};
  record.measures = std::move(measures);
  return record;
}

}  // namespace surefoot
