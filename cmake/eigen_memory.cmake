# How Eigen aligns and frees memory follows the compiler's options, and library and program must agree. So the installed
# package tells its users how the library does it: their programs then may have any -march and any sanitizer.
# Gives SUREFOOT_EIGEN_DEFINITIONS.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES Eigen3::Eigen)
set(CMAKE_REQUIRED_FLAGS "")
if(SUREFOOT_NATIVE)
  set(CMAKE_REQUIRED_FLAGS "-march=native")
endif()
set(SUREFOOT_EIGEN_DEFINITIONS "")
foreach(bytes 16 32 64 128)
  check_cxx_source_compiles("#include <Eigen/Core>
    static_assert((EIGEN_MAX_ALIGN_BYTES > 16 ? EIGEN_MAX_ALIGN_BYTES : 16) == ${bytes}, \"\");
    int main() {}" SUREFOOT_EIGEN_ALIGNS_BY_${bytes})
  if(SUREFOOT_EIGEN_ALIGNS_BY_${bytes})
    list(APPEND SUREFOOT_EIGEN_DEFINITIONS EIGEN_MAX_ALIGN_BYTES=${bytes})
    break()
  endif()
endforeach()
check_cxx_source_compiles("#include <Eigen/Core>
  static_assert(EIGEN_MALLOC_ALREADY_ALIGNED || EIGEN_DEFAULT_ALIGN_BYTES == 0, \"\");
  int main() {}" SUREFOOT_EIGEN_TAKES_MALLOC)
if(SUREFOOT_EIGEN_TAKES_MALLOC)
  list(APPEND SUREFOOT_EIGEN_DEFINITIONS EIGEN_MALLOC_ALREADY_ALIGNED=1)
else()
  list(APPEND SUREFOOT_EIGEN_DEFINITIONS EIGEN_MALLOC_ALREADY_ALIGNED=0)
endif()
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_FLAGS)
