#include "report/assets.hpp"

#include <stdexcept>

namespace surefoot {

std::string embedded_text(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name != name) continue;
    std::string text;
    for (std::string_view part : file.parts) text += part;
    return text;
  }
  throw std::logic_error("no embedded file is called " + std::string(name));
}

}  // namespace surefoot
