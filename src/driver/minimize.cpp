#include "surefoot/minimize.hpp"

#include <utility>

namespace surefoot {

Result run(Optimizer& search, Evaluator& evaluator, const std::function<void()>& after_generation) {
  const FailurePolicy& policy = search.options().failures;
  while (!search.stop()) {
    Generation& generation = search.generation();
    // What has attempts left is open also when nobody waits for them: otherwise a generation that uses up the budget
    // would end the search without them.
    do {
      evaluator.evaluate(generation);
    } while (generation.reopen_failures(policy.retry) && !generation.cancelled());
    if (policy.rethrow && generation.exception()) std::rethrow_exception(generation.exception());
    if (search.stop()) break;  // the objective said so
    search.tell();
    if (after_generation) after_generation();
  }
  return search.result();
}

Result minimize_with(Evaluator& evaluator, const Point& x0, const Sigma0& sigma0, Options options) {
  Optimizer search(x0, sigma0, std::move(options));
  return run(search, evaluator);
}

}  // namespace surefoot
