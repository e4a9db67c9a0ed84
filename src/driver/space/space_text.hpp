#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/space.hpp"

namespace surefoot {

/// The number that a whole word is, with or without a sign.
std::optional<double> number_in(std::string_view word);

/// The same with a suffix of engineering: f, p, n, u, m, k, meg, g or t, as in 4.7k, 10n and 1meg. Letters may be
/// capitals where they mean nothing else: K, MEG, G and T.
std::optional<double> engineering_number(std::string_view word);

/// The parts between separators that are neither in quotes nor in parentheses.
std::vector<std::string> split_outside_quotes(const std::string& text, char separator);

/// The parameter that a text such as rate=real(1e-5,1e-1,log) describes.
/// \throws std::invalid_argument naming the parameter, the text and what is allowed.
Parameter parameter_from_text(const std::string& text);

}  // namespace surefoot
