#pragma once

namespace surefoot {

/// The quantile of Student's t distribution with `freedom` > 0 degrees of freedom, for 1/2 <= p < 1.
double student_quantile(double p, double freedom);

}  // namespace surefoot
