#include "core/invalid_option.hpp"
#include "simulators/line_pattern.hpp"

namespace surefoot {

struct LinePattern::Matcher {};

LinePattern::LinePattern(const std::string& output, const std::string& /*pattern*/) {
  reject("output", "'" + output + "'", "this program was built without RE2, which matches regular expressions");
}

std::string LinePattern::read(const std::string& /*content*/, std::vector<double>& /*values*/) const { return {}; }

}  // namespace surefoot
