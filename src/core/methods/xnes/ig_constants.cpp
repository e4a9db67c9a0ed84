#include "core/methods/xnes/ig_constants.hpp"

#include <algorithm>
#include <cmath>

#include "core/ranking/rank_information.hpp"
#include "surefoot/method.hpp"

namespace surefoot {

IgConstants ig_constants(Index dimension, const RankWeights& weights) {
  const auto d = static_cast<double>(dimension);
  const double mu = weights.mu_w;
  const RankInformation ranks = rank_information(weights.w);
  const auto popsize = static_cast<double>(weights.w.size());
  const double rho = std::max(1.0, popsize / static_cast<double>(default_popsize(dimension)));
  IgConstants c{};
  c.A = ranks.A;
  c.b = 1 / (10 + 2 * d);
  c.beta = 0.05 * d / (d + 2);
  c.threshold = 0.1;
  c.range = 0.6 * d / (d + 1);
  c.kappa_min = std::min(1.0, 0.01 * rho);

  c.eta_m_min = 0.01;
  c.eta_sigma_max = std::min(2.0, 0.23 * (1 + 4 / (d * d)) * ranks.c_w * mu / std::sqrt(2 * d));
  c.sigma_gate_min = std::min(1.0, 0.02 * std::sqrt(rho) * (1 + (rho / 20) * (rho / 20)));
  c.c_sigma = (mu + 2) / (d + mu + 5);
  c.d_sigma = 1 + 2 * std::max(0.0, std::sqrt((mu - 1) / (d + 1)) - 1) + c.c_sigma;
  c.significant = 1 / std::sqrt(2 * d);
  c.long_path = 1.8 + 2 / (d + 1);

  c.c_c = (4 + mu / d) / (d + 4 + 2 * mu / d);
  c.c_1 = 2 / ((d + 3) * (d + 3) + mu);
  c.eta_B_max = 1.5;
  c.eta_B_min = std::min(c.eta_B_max, 0.6 * mu / (d * std::sqrt(d)));
  c.alpha_B = 0.05;
  c.speed_B = 0.2;

  c.urgent_budget = 200;
  c.urgency_offset = 0.02;
  c.urgent_sigma = 0.75;
  c.urgent_sigma_max = 3;
  c.path_decay = 0.3;
  c.patience = 1000;
  c.shut_gate = 0.05;
  c.standstill = 0.1;
  c.doubtful_gate = 0.1;
  c.probe_scale = 1.0 / 16;
  c.sure = 4;
  c.fewest_to_probe = 200;
  return c;
}

}  // namespace surefoot
