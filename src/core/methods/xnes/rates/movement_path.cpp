#include "core/methods/xnes/rates/movement_path.hpp"

namespace surefoot {

MovementPath::MovementPath(Index dimension, PathFrame frame) : p_(Matrix::Zero(dimension, dimension)) {
  if (frame == PathFrame::symmetric_root) polar_.emplace(dimension);
}

void MovementPath::add(const AppliedStep& step, double log_scale, const Cumulation& cumulation) {
  if (polar_) {
    step.shape.add_rotated_movement((*polar_)(step.frame), log_scale, cumulation, p_);
  } else {
    step.shape.add_movement(log_scale, cumulation, p_);
  }
}

}  // namespace surefoot
