# A package for find_package(surefoot) and for pkg-config.
include(CMakePackageConfigHelpers)

set(SUREFOOT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/surefoot)

install(TARGETS surefoot EXPORT surefoot-targets)
install(DIRECTORY include/surefoot DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/surefoot/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/surefoot)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(SUREFOOT_BUILD_CLI)
  install(TARGETS surefoot_cli COMPONENT program)
endif()

# A component of its own: whoever does without it needs no MPI.
if(SUREFOOT_BUILD_MPI)
  install(TARGETS surefoot_mpi EXPORT surefoot-mpi-targets)
  install(DIRECTORY mpi/include/surefoot DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT surefoot-mpi-targets NAMESPACE surefoot:: DESTINATION ${SUREFOOT_CMAKE_DIR})
endif()

install(EXPORT surefoot-targets NAMESPACE surefoot:: DESTINATION ${SUREFOOT_CMAKE_DIR})
configure_package_config_file(cmake/surefoot-config.cmake.in ${PROJECT_BINARY_DIR}/surefoot-config.cmake
  INSTALL_DESTINATION ${SUREFOOT_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/surefoot-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/surefoot-config.cmake ${PROJECT_BINARY_DIR}/surefoot-config-version.cmake
  DESTINATION ${SUREFOOT_CMAKE_DIR})

configure_file(cmake/surefoot.pc.in ${PROJECT_BINARY_DIR}/surefoot.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/surefoot.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
