#include "surefoot/result.hpp"

#include <ostream>

namespace surefoot {

std::ostream& operator<<(std::ostream& out, const Result& result) {
  if (!result.values.space().empty()) {
    return out << "f = " << result.fun << " at " << result.values << '\n'
               << result.message << '\n'
               << result.nfev << " evaluations, " << result.nit << " generations, seed " << result.seed;
  }
  const Eigen::IOFormat on_one_line(6, Eigen::DontAlignCols, ", ", ", ", "", "", "[", "]");
  return out << "f = " << result.fun << " at x = " << result.x.transpose().format(on_one_line) << '\n'
             << result.message << '\n'
             << result.nfev << " evaluations, " << result.nit << " generations, seed " << result.seed;
}

}  // namespace surefoot
