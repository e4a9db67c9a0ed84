#include "surefoot/minimize.hpp"

#include <utility>

namespace surefoot {

Result minimize_with(Evaluator& evaluator, const Point& x0, const Sigma0& sigma0, Options options) {
  Optimizer search(x0, sigma0, std::move(options));
  Vector values(search.popsize());
  while (!search.stop()) {
    evaluator.evaluate(search.ask(), values);
    search.tell(values);
  }
  return search.result();
}

}  // namespace surefoot
