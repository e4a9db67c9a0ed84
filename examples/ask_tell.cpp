// The caller owns the loop: evaluate the population wherever and however you like, repair candidates, watch the rates.

#include <cmath>
#include <iostream>
#include <surefoot/surefoot.hpp>

int main() {
  surefoot::Optimizer search({2, 2, 2, 2}, 0.5, {.ftarget = 1e-8, .learning_rate = "lra", .popsize = 20, .seed = 1});
  while (!search.stop()) {
    surefoot::Matrix candidates = search.ask();  // a copy that may be changed
    candidates = candidates.cwiseMax(0.0);       // this model allows no negative numbers
    surefoot::Vector values(candidates.cols());
    for (surefoot::Index i = 0; i < candidates.cols(); ++i) {
      values[i] = (candidates.col(i).array().sqrt() - 1).square().sum();
    }
    search.tell(candidates, values);
  }
  std::cout << search.result() << '\n'
            << "final rate eta_sigma = " << search.strategy().measures()["eta_sigma"] << '\n';
  return search.result().success ? 0 : 1;
}
