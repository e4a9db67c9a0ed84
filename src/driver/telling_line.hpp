#pragma once

#include <string>
#include <string_view>

namespace surefoot {

/// What one line of a message has room for: of several lines the first, which says what happened, and the last, which
/// says why; of a very long line its beginning and its end, with control characters as \x1b. "exit status 1: ...
/// OverflowError: math range error".
[[nodiscard]] std::string telling_line(std::string_view text);

}  // namespace surefoot
