# ctest reads this when it begins: one test for each suite of the GoogleTests of ${program}, with these ${labels}. A process
# for each of two thousand GoogleTests, as gtest_discover_tests has it, takes a minute and a half of the processor.
if(NOT EXISTS "${program}")
  get_filename_component(name "${program}" NAME)
  add_test(${name}_is_not_built "${program}")
  set_tests_properties(${name}_is_not_built PROPERTIES LABELS "${labels}")
  return()
endif()
execute_process(COMMAND "${program}" --gtest_list_tests OUTPUT_VARIABLE list RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${program} does not list its tests: ${status}")
endif()
string(REGEX MATCHALL "(^|\n)[^ \n]+\\." suites "${list}")  # a suite ends with a dot, and its tests are indented
foreach(suite ${suites})
  string(STRIP ${suite} suite)
  string(REGEX REPLACE "\\.$" "" name ${suite})
  add_test(${name} "${program}" --gtest_filter=${suite}*)
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS "${labels}")
endforeach()
