#include "core/edit_distance.hpp"

#include <algorithm>
#include <cctype>

namespace surefoot {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::optional<std::string> meant_by(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 64;  // nobody misspells a longer name
  if (word.empty() || word.size() > longest) return std::nullopt;
  const std::string plain = lower_case(word);
  std::optional<std::string> nearest;
  std::size_t least = 1 + word.size() / 3;  // a third of the letters may be wrong
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(plain, lower_case(name));
    if (distance > least || (distance == least && nearest) || distance >= name.size()) continue;
    nearest = name;
    least = distance;
  }
  if (nearest || word.size() < 3) return nearest;
  const auto begins = [&](const std::string& name) { return lower_case(name).starts_with(plain); };
  if (std::count_if(names.begin(), names.end(), begins) != 1) return std::nullopt;
  return *std::find_if(names.begin(), names.end(), begins);
}

std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  const auto meant = meant_by(word, names);
  return meant ? "; did you mean '" + *meant + "'?" : "";
}

}  // namespace surefoot
