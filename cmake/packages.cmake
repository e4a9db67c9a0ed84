# Packages by CPack: `cpack -G DEB` makes four of Debian, `cpack -G TGZ` an archive of the program that runs from any
# folder. scripts/test_packages builds, installs, uses and removes them.
set(CPACK_PACKAGE_NAME surefoot)
set(CPACK_PACKAGE_VENDOR "The Surefoot developers")
set(CPACK_PACKAGE_CONTACT "${SUREFOOT_MAINTAINER}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_THREADS 0)

if(NOT SUREFOOT_DEBIAN)
  set(CPACK_GENERATOR TGZ)
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
  set(CPACK_COMPONENTS_ALL program)
  set(CPACK_PACKAGE_FILE_NAME surefoot-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
  set(CPACK_ARCHIVE_PROGRAM_FILE_NAME ${CPACK_PACKAGE_FILE_NAME})
  include(CPack)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(about "Surefoot minimises functions of real numbers that can only be evaluated, such
as simulations: no derivatives are needed. Noise, bounds, many local optima and
evaluations that crash are dealt with.")

# A changelog as Debian wants it; what changed stands in the project's own.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(debian_dir ${PROJECT_BINARY_DIR}/debian)
file(WRITE ${debian_dir}/changelog.Debian "surefoot (${PROJECT_VERSION}-1) unstable; urgency=low\n\n"
  "  * Built from the project's sources by CPack.\n\n -- ${SUREFOOT_MAINTAINER}  ${now}\n")
foreach(file ${debian_dir}/changelog.Debian ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
  execute_process(COMMAND gzip -9nc ${file} OUTPUT_FILE ${debian_dir}/packed COMMAND_ERROR_IS_FATAL ANY)
  get_filename_component(name ${file} NAME)
  string(REPLACE CHANGELOG.md changelog name ${name})
  file(RENAME ${debian_dir}/packed ${debian_dir}/${name}.gz)
endforeach()
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
file(READ ${PROJECT_SOURCE_DIR}/THIRD_PARTY third_party)
file(WRITE ${debian_dir}/copyright "Surefoot, by the Surefoot developers.\n\n${license}\n\n${third_party}")

# Usage: surefoot_debian_package(COMPONENT NAME SECTION "what it has" "what it depends on"). What lintian says, and why it
# is so, stands in cmake/debian/all.overrides and NAME.overrides.
macro(surefoot_debian_package component name section has depends)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${about}\n.\nThis package has ${has}.")
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${name})
  install(FILES ${debian_dir}/copyright ${debian_dir}/changelog.Debian.gz ${debian_dir}/changelog.gz DESTINATION ${doc}
    COMPONENT ${component})
  set(overrides "")
  foreach(file all ${name})
    if(EXISTS ${PROJECT_SOURCE_DIR}/cmake/debian/${file}.overrides)
      file(READ ${PROJECT_SOURCE_DIR}/cmake/debian/${file}.overrides lines)
      string(APPEND overrides "${lines}")
    endif()
  endforeach()
  file(WRITE ${debian_dir}/overrides/${name} "${overrides}")
  install(FILES ${debian_dir}/overrides/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
    COMPONENT ${component})
endmacro()

surefoot_debian_package(runtime libsurefoot libs "the shared library for C and other languages" "")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
surefoot_debian_package(development libsurefoot-dev libdevel "headers and libraries for programs in C++, C and Fortran"
  "libsurefoot (= ${PROJECT_VERSION}-1), libeigen3-dev (>= 3.4)")
if(SUREFOOT_BUILD_CLI)
  list(APPEND CPACK_COMPONENTS_ALL program)
  surefoot_debian_package(program surefoot math "the program, which minimises what other programs compute" "")
endif()
if(SUREFOOT_BUILD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  surefoot_debian_package(python python3-surefoot python "the module surefoot for Python 3"
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy (>= 1:1.21)")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-scipy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-optuna, surefoot")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/cmake/debian/python/postinst;${PROJECT_SOURCE_DIR}/cmake/debian/python/prerm")
endif()
include(CPack)
