#pragma once

#include "core/rank_weights.hpp"

namespace surefoot {

/// Constants of the information gate; docs/learning-rates.md derives them or shows what they were chosen by.
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
};

IgConstants ig_constants(Index dimension, const RankWeights& weights);

}  // namespace surefoot
