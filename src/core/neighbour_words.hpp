#pragma once

#include <string>
#include <string_view>

namespace surefoot {

/// The option of Surefoot that has the meaning of one of SciPy, scikit-learn, pycma, Nevergrad, Optuna or NLopt, such
/// as "seed" for "random_state". Dashes, underscores and capitals do not count. Empty if there is none.
std::string_view option_for(std::string_view their_word);

/// A word without what its writers do as they please: capitals, dashes, underscores and blanks.
std::string letters_of(std::string_view word);

}  // namespace surefoot
