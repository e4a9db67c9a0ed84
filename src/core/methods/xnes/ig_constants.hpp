#pragma once

#include "core/ranking/rank_weights.hpp"

namespace surefoot {

/// Constants of the information gate; docs/explanation/information-gate.md derives them or shows what they were chosen
/// by.
struct IgConstants {
  // Information in the ranking, and the gate.
  double A;          // information of a linear function
  double b;          // cumulation of the path of the shape
  double beta;       // averaging of the information
  double threshold;  // information at which the gate is shut
  double range;      // above it, until the gate is wide open
  double kappa_min;  // it never shuts entirely

  // Mean and step size.
  double eta_m_min;
  double eta_sigma_max;
  double sigma_gate_min;  // eta_sigma never falls below this part of its largest value
  double c_sigma;         // cumulation of the path of the mean [Hansen2016]
  double d_sigma;         // its damping [Hansen2016]
  double significant;     // relative excess of the path's length that lets sigma grow
  double long_path;       // relative length beyond which the rank-one term waits

  // Shape.
  double c_c;  // cumulation of the path of the rank-one term [Hansen2016]
  double c_1;  // its rate
  double eta_B_min;
  double eta_B_max;
  double alpha_B;  // eta_B settles at the squared signal-to-noise ratio over alpha_B
  double speed_B;  // largest change of ln eta_B in a generation

  // Patience.
  double urgent_budget;          // urgency is 1 with this many evaluations remaining, in multiples of d
  double urgency_offset;         // what is subtracted, so that large budgets have none
  double urgent_sigma;           // factor of the largest rate of sigma, times the root of the urgency
  double urgent_sigma_max;       // its limit
  double path_decay;             // of the path's factor at urgency 1
  double patience;               // evaluations that the gate may be shut, in multiples of d
  double shut_gate, standstill;  // what is meant by shut, and the fall of ln sigma by then that counts as movement
  double doubtful_gate;          // where a plan wants to know whether there is noise
  double probe_scale;            // of sigma in a probe
  double sure;                   // sum of information at which a probe is over
  double fewest_to_probe;        // generations of a plan that can spare a probe
};

IgConstants ig_constants(Index dimension, const RankWeights& weights);

}  // namespace surefoot
