#include "driver/trace/json_params.hpp"

#include "driver/trace/json_line.hpp"

namespace surefoot {

std::string json_params(const Space& space, const Vector& x) {
  JsonLine line;
  for (Index j = 0; j < x.size(); ++j) {
    const std::string name = parameter_name(space, j);
    const auto kind = space.empty() ? Parameter::Kind::real : space[j].kind;
    if (kind == Parameter::Kind::choice) {
      line.add(name, std::string_view(space[j].choices[static_cast<std::size_t>(x[j])]));
    } else if (kind == Parameter::Kind::integer) {
      line.add(name, static_cast<std::int64_t>(x[j]));
    } else {
      line.add(name, x[j]);
    }
  }
  return line.text();
}

}  // namespace surefoot
