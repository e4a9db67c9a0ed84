# What every target of this project is compiled with.
function(surefoot_compile_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # The same seed gives the same bits: never fuse a product and a sum behind the source's back.
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wcast-qual -Wdouble-promotion)
  # Nobody replaces single functions of the library at run time, which GCC otherwise allows for in position-independent
  # code: it would not inline them.
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  # Eigen splits sums by the sizes of the caches, which it would ask the processor for.
  target_compile_definitions(${target} PRIVATE EIGEN_NO_CPUID EIGEN_DEFAULT_L1_CACHE_SIZE=32768
    EIGEN_DEFAULT_L2_CACHE_SIZE=262144 EIGEN_DEFAULT_L3_CACHE_SIZE=2097152)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    target_compile_options(${target} PRIVATE "SHELL:-include core/linear_algebra/eigen_on_arm.hpp")
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../src)
  endif()
  if(SUREFOOT_DEVELOPMENT)  # Eigen checks indices unless told otherwise; so does the standard library then
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  endif()
  if(SUREFOOT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(SUREFOOT_NATIVE)
    # Eigen's alignment follows the instruction set, so users of the library need the same flag.
    target_compile_options(${target} PUBLIC -march=native)
  endif()
  if(SUREFOOT_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${SUREFOOT_SANITIZE} -fno-omit-frame-pointer
      -fno-sanitize-recover=all)
    # These five test every access through a pointer and more than double the build time with Eigen; AddressSanitizer sees
    # most of what they would.
    target_compile_options(${target} PUBLIC -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr)
    # GCC warns without cause where checks stand between a test and what it guards. Other builds have the warning.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    target_link_options(${target} PUBLIC -fsanitize=${SUREFOOT_SANITIZE})
    # Eigen puts 16 bytes before every matrix for AddressSanitizer, which hides accesses there and behind it and differs
    # from objects without the sanitizer. Its malloc aligns by 16 bytes, as the C library's does.
    if(NOT SUREFOOT_NATIVE)
      target_compile_definitions(${target} PUBLIC EIGEN_MALLOC_ALREADY_ALIGNED=1)
    endif()
  endif()
endfunction()

# For code that is not worth the compiler's time: parsing options and writing files. Halves the build of the program. Only
# a release gives up a little optimisation for it; other build types keep what they or their packagers ask for.
function(surefoot_compile_quickly target)
  if(SUREFOOT_DEVELOPMENT)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# Usage: surefoot_link_library_first(TARGET [LIBRARY]). For programs of unoptimised code: of Eigen's functions that both
# have, the linker takes those of the library, since it sees them first. Otherwise the library would run at a third of its
# speed, or without the sanitizer that it has and the program has not.
function(surefoot_link_library_first target)
  if(SUREFOOT_DEVELOPMENT AND NOT BUILD_SHARED_LIBS)
    set(library surefoot ${ARGN})
    list(GET library -1 library)
    target_link_options(${target} PRIVATE "LINKER:--whole-archive,$<TARGET_FILE:${library}>,--no-whole-archive")
  endif()
endfunction()

# For the few sources in which a search spends its time. They bring their own optimisation: at -O2, which RelWithDebInfo
# and Debian's packages ask for, GCC 12 does not unroll the loops over registers, and a product takes four times as long.
# Such a source is compiled outside of unity builds and without the precompiled header, which is for other options.
function(surefoot_compile_fully)
  set_property(SOURCE ${ARGN} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  if(NOT SUREFOOT_SANITIZE)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O3>)
    set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# Usage: surefoot_unite_subjects(TARGET). For work on Surefoot itself, a unity build of the library has a unit for every
# subject, so that a program can take some of them sanitized and the others as they are.
function(surefoot_unite_subjects target)
  if(SUREFOOT_DEVELOPMENT)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    foreach(subject ${surefoot_subjects})
      list(TRANSFORM surefoot_${subject}_sources PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
      set_property(SOURCE ${sources} PROPERTY UNITY_GROUP ${subject})
    endforeach()
  endif()
endfunction()
