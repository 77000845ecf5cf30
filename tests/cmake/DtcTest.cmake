#===- DtcTest.cmake - How a test is added ---------------------------------===#
#
# Two kinds of test, one way for each: gtest programs for what has a C++
# interface, lit suites for what has a command line. Both leave their results as
# JSON in build/results, from which tests/run.sh counts single cases.
#
#===----------------------------------------------------------------------===#

include_guard(GLOBAL)
include(DtcRuntime)

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(DTC_RESULTS_DIR ${CMAKE_BINARY_DIR}/results)
file(MAKE_DIRECTORY ${DTC_RESULTS_DIR})
set(DTC_LABELS unit lit equiv e2e gpu multigpu)

# Where the data sets of the tests and models stand.
set(DTC_FASHION_DIR /usr/share/datasets/fashion-mnist CACHE PATH
  "Folder of the Fashion-MNIST files (package dataset-fashion-mnist)")

if(NOT TARGET check-dtc)
  add_custom_target(check-dtc
    COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    USES_TERMINAL)
endif()

# What the sanitizers must be told in every test. LLVM's allocators mark free
# memory for the address sanitizer, but MLIR's own half of them is not built with
# it and never unmarks what it hands out.
set(DTC_TEST_ENVIRONMENT "")
if(DTC_SANITIZE MATCHES "address")
  set(DTC_TEST_ENVIRONMENT "ASAN_OPTIONS=allow_user_poisoning=0")
elseif(DTC_SANITIZE STREQUAL "thread")
  set(DTC_TEST_ENVIRONMENT "TSAN_OPTIONS=suppressions=${DTC_SOURCE_DIR}/tests/tsan.supp")
endif()

# dtc_check_label(<test> <label>): stops at a label that nobody selects by.
function(dtc_check_label test label)
  if(NOT label IN_LIST DTC_LABELS)
    message(FATAL_ERROR "${test}: no label \"${label}\"; the labels are: ${DTC_LABELS}")
  endif()
endfunction()

# dtc_add_gtest(<name> SRCS <file>... [DEPS <target>...] [LABEL <label>])
#
# One test program of a folder: a source for each unit, linked with gtest's
# main. It runs as one ctest entry, since starting a program that loads MLIR for
# every case would cost more than the cases. LABEL is unit unless said.
#
#   dtc_add_gtest(DtcRuntimeBaseTests
#     SRCS StatusTest.cpp DeadlineTest.cpp
#     DEPS DtcRuntimeBase
#   )
function(dtc_add_gtest name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "LABEL" "SRCS;DEPS")
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  dtc_check_label(${name} ${ARG_LABEL})
  find_package(GTest REQUIRED)
  dtc_add_tool(${name} LAYER tests SRCS ${ARG_SRCS}
    DEPS ${ARG_DEPS} GTest::gmock GTest::gtest GTest::gtest_main
    ${ARG_UNPARSED_ARGUMENTS})
  set_property(TARGET ${name} PROPERTY RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  add_test(NAME ${name}
    COMMAND ${name} --gtest_brief=1 --gtest_output=json:${DTC_RESULTS_DIR}/${name}.json)
  set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 300
    ENVIRONMENT "${DTC_TEST_ENVIRONMENT}")
  dtc_run_with_check(${name} ${name} ${name})
endfunction()

# dtc_add_lit_suite(<folder> [LABEL <label>] [DEPS <target>...])
#
# The lit tests of tests/<folder>, as one ctest entry. DEPS are the programs
# they run. LABEL is lit unless said.
#
#   dtc_add_lit_suite(passes DEPS dtc-opt)
function(dtc_add_lit_suite folder)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "LABEL" "DEPS")
  dtc_refuse_rest(${folder} "${ARG_UNPARSED_ARGUMENTS}")
  if(NOT ARG_LABEL)
    set(ARG_LABEL lit)
  endif()
  dtc_check_label(${folder} ${ARG_LABEL})
  set(DTC_SUITE ${folder})
  set(DTC_SUITE_SOURCE ${DTC_SOURCE_DIR}/tests/${folder})
  set(DTC_SUITE_BINARY ${CMAKE_BINARY_DIR}/tests/${folder})
  configure_file(${DTC_SOURCE_DIR}/tests/lit.site.cfg.py.in
    ${DTC_SUITE_BINARY}/lit.site.cfg.py @ONLY)
  add_test(NAME lit-${folder}
    COMMAND ${Python3_EXECUTABLE} ${LLVM_TOOLS_BINARY_DIR}/../build/utils/lit/lit.py
      -sv --output ${DTC_RESULTS_DIR}/lit-${folder}.json ${DTC_SUITE_BINARY})
  set_tests_properties(lit-${folder} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 1200
    ENVIRONMENT "${DTC_TEST_ENVIRONMENT}")
  dtc_run_with_check(${folder} lit-${folder} "${ARG_DEPS}")
endfunction()

# dtc_run_with_check(<name> <test> <targets>)
#
# Makes check-<folder> of the calling folder of tests run <test> after <targets>
# are built, and check-dtc build them.
function(dtc_run_with_check name test targets)
  file(RELATIVE_PATH folder ${DTC_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT folder)
    set(folder ${name})
  endif()
  string(REPLACE "/" "-" folder "${folder}")
  if(NOT TARGET check-${folder})
    # Named by folder, so that its gtest programs and its lit suite run together.
    add_custom_target(check-${folder}
      COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error
        -R "$<JOIN:$<TARGET_PROPERTY:check-${folder},DTC_TESTS>,|>"
      WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
      USES_TERMINAL VERBATIM)
  endif()
  set_property(TARGET check-${folder} APPEND PROPERTY DTC_TESTS "^${test}$")
  if(targets)
    add_dependencies(check-${folder} ${targets})
    add_dependencies(check-dtc ${targets})
  endif()
endfunction()
