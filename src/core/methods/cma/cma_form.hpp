#pragma once

namespace surefoot {

/// Whose program of a method is meant where they differ: its authors', or the cmaes library's.
enum class CmaForm { authors, cmaes };

}  // namespace surefoot
