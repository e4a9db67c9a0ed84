# A package for find_package(surefoot) and for pkg-config. The components of `cmake --install build --component NAME`:
# runtime (shared libraries), development (headers, archives, files for CMake and pkg-config), mpi (the same for
# surefoot_mpi), program (with man pages and completions) and python.
include(CMakePackageConfigHelpers)

set(SUREFOOT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/surefoot)
set(SUREFOOT_PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# The prefix is found from where the file lies, so that what is installed may be moved. Folders that are given as
# absolute paths stay where they are.
set(SUREFOOT_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  file(RELATIVE_PATH pc_to_prefix /prefix/${SUREFOOT_PC_DIR} /prefix)
  set(SUREFOOT_PC_PREFIX "\${pcfiledir}/${pc_to_prefix}")
endif()
set(SUREFOOT_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
if(IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(SUREFOOT_PC_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
endif()
set(development COMPONENT development)

# Usage: surefoot_install_library(TARGET EXPORT): shared ones have a link for the linker, which only developers need.
function(surefoot_install_library target export)
  install(TARGETS ${target} EXPORT ${export}
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development)
endfunction()

function(surefoot_install_pc name)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${SUREFOOT_PC_DIR} COMPONENT development)
endfunction()

# Each component may be installed alone, and holds what others have written. Debian's packages have copies of their own.
function(surefoot_install_licences component)
  if(NOT SUREFOOT_DEBIAN)
    install(FILES LICENSE THIRD_PARTY DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${component})
  endif()
endfunction()

include(cmake/eigen_memory.cmake)
target_compile_definitions(surefoot INTERFACE "$<INSTALL_INTERFACE:${SUREFOOT_EIGEN_DEFINITIONS}>")
list(TRANSFORM SUREFOOT_EIGEN_DEFINITIONS PREPEND -D OUTPUT_VARIABLE SUREFOOT_EIGEN_FLAGS)
list(JOIN SUREFOOT_EIGEN_FLAGS " " SUREFOOT_EIGEN_FLAGS)
surefoot_install_library(surefoot surefoot-targets)
install(DIRECTORY include/surefoot DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${development})
install(FILES include/surefoot.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${development})
install(FILES ${PROJECT_BINARY_DIR}/include/surefoot/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/surefoot
  ${development})
surefoot_install_licences(runtime)
surefoot_install_licences(development)
surefoot_install_pc(surefoot)
if(SUREFOOT_BUILD_CLI)
  install(TARGETS surefoot_cli COMPONENT program)
  surefoot_install_licences(program)
endif()
if(SUREFOOT_BUILD_PYTHON)
  surefoot_install_licences(python)
endif()

# For programs in C and other languages: no C++ and no Eigen, so it has a file of targets of its own.
if(TARGET surefoot_c)
  surefoot_install_library(surefoot_c surefoot-c-targets)
  surefoot_install_pc(surefoot_c)
  install(EXPORT surefoot-c-targets NAMESPACE surefoot:: DESTINATION ${SUREFOOT_CMAKE_DIR} ${development})
endif()

# A component of its own: whoever does without it needs no MPI.
if(SUREFOOT_BUILD_MPI)
  install(TARGETS surefoot_mpi EXPORT surefoot-mpi-targets LIBRARY COMPONENT mpi ARCHIVE COMPONENT mpi)
  install(DIRECTORY mpi/include/surefoot DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT mpi)
  surefoot_install_licences(mpi)
  install(EXPORT surefoot-mpi-targets NAMESPACE surefoot:: DESTINATION ${SUREFOOT_CMAKE_DIR} COMPONENT mpi)
endif()

install(EXPORT surefoot-targets NAMESPACE surefoot:: DESTINATION ${SUREFOOT_CMAKE_DIR} ${development})
configure_package_config_file(cmake/surefoot-config.cmake.in ${PROJECT_BINARY_DIR}/surefoot-config.cmake
  INSTALL_DESTINATION ${SUREFOOT_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/surefoot-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/surefoot-config.cmake ${PROJECT_BINARY_DIR}/surefoot-config-version.cmake
  DESTINATION ${SUREFOOT_CMAKE_DIR} ${development})

include(cmake/packages.cmake)
