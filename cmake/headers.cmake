# The headers that take longest, compiled once for all targets that call surefoot_compile_quickly or
# surefoot_compile_for_tests. Not CLI11's: it has objects of its own for every unit that includes it, and they take the
# compiler four seconds.
set(surefoot_header_libraries nlohmann_json::nlohmann_json
  $<IF:$<BOOL:${SUREFOOT_STANDALONE}>,fmt::fmt-header-only,fmt::fmt>)
file(CONFIGURE OUTPUT headers.cpp CONTENT "// Nothing but what is included before it.\n")
add_library(surefoot_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/headers.cpp)
# Not linked with surefoot: whatever includes these headers would wait for the library, and the pages' data with it.
target_include_directories(surefoot_headers PRIVATE $<TARGET_PROPERTY:surefoot,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_features(surefoot_headers PRIVATE cxx_std_20)
target_link_libraries(surefoot_headers PRIVATE Eigen3::Eigen ${surefoot_header_libraries})
surefoot_compile_options(surefoot_headers)
surefoot_compile_quickly(surefoot_headers)
target_precompile_headers(surefoot_headers PRIVATE <Eigen/Core> <fmt/format.h> <nlohmann/json.hpp> <surefoot/surefoot.hpp>)

# For programs that only tests run, once surefoot_compile_options are set: where Surefoot is developed they are compiled
# without optimisation and with these headers. GCC takes them only if they were compiled with the same definitions, so
# the libraries that bring such definitions belong to them.
function(surefoot_compile_for_tests target)
  if(SUREFOOT_DEVELOPMENT)
    target_compile_options(${target} PRIVATE -O0)
    target_link_libraries(${target} PRIVATE ${surefoot_header_libraries})
    target_precompile_headers(${target} REUSE_FROM surefoot_headers)
  endif()
endfunction()
