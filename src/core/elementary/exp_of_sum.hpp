#pragma once

namespace surefoot {

/// e^(high + low), error below 0.6 ulp; |low| must be small beside 1.
[[nodiscard]] double exp_of_sum(double high, double low);

}  // namespace surefoot
