#pragma once

/// \file
/// Reports in one sentence that the compiler uses an older standard. Every header includes it first.

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 201709L
#error "Surefoot needs C++20: compile with -std=c++20 or, in CMake, target_compile_features(... cxx_std_20)"
#include "Surefoot needs C++20"  // no such file: compilers stop here, without a page of other errors
#endif
