#include "surefoot/noise.hpp"

#include <cmath>
#include <optional>

#include "core/invalid_option.hpp"
#include "driver/space/space_text.hpp"

namespace surefoot {
namespace {

constexpr const char* allowed_noise = "it must be auto, none or a standard deviation above 0";

}  // namespace

Noise::Noise(double deviation_) : kind(Kind::known), deviation(deviation_) {
  if (!(deviation > 0) || !std::isfinite(deviation)) reject("noise", deviation, allowed_noise);
}

Noise::Noise(const std::string& text) {
  if (text == "auto") return;
  if (text == "none") {
    kind = Kind::none;
    return;
  }
  const std::optional<double> number = number_in(text);
  if (!number || !(*number > 0) || !std::isfinite(*number)) reject("noise", "'" + text + "'", allowed_noise);
  *this = Noise(*number);
}

std::string Noise::text() const {
  if (kind == Kind::known) return surefoot::text(deviation);
  return kind == Kind::none ? "none" : "auto";
}

}  // namespace surefoot
