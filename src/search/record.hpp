#pragma once

#include "surefoot/record.hpp"

namespace surefoot {

class Search;

/// What observers get at the end of the present generation, with the covariance's condition as last measured.
Record record_of(const Search& search, double condition);

}  // namespace surefoot
