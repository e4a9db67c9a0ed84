#include "core/methods/xnes/rates/movement_path.hpp"

namespace surefoot {

MovementPath::MovementPath(const LearningRateContext& context, PathFrame frame)
    : p_(Matrix::Zero(context.dimension, context.columns())) {
  if (frame == PathFrame::symmetric_root && !context.diagonal) polar_.emplace(context.dimension);
}

void MovementPath::add(const AppliedStep& step, double log_scale, const Cumulation& cumulation) {
  if (polar_) {
    step.shape.add_rotated_movement((*polar_)(step.frame), log_scale, cumulation, p_);
  } else {
    step.shape.add_movement(log_scale, cumulation, p_);
  }
}

}  // namespace surefoot
