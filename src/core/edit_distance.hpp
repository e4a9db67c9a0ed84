#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace surefoot {

/// How many letters must be added, removed, replaced or swapped with their neighbour to make one word of the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name that somebody who wrote `word` has probably meant: the nearest one, if it is near, or the only one that
/// begins with the word. Capitals do not count.
std::optional<std::string> meant_by(const std::string& word, const std::vector<std::string>& names);

/// "; did you mean 'NAME'?", or nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& names);

}  // namespace surefoot
