# SPDX-License-Identifier: BSD-3-Clause
# How the GoogleTest programs are compiled, and which tests they are.

# hgrid_test_settings(target level): how a test is compiled, at O0, Og or O3.
function(hgrid_test_settings target level)
  hgrid_settings(${target})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE hgrid::hgrid hgrid::io hgrid::packing hgrid::papers GTest::gtest GTest::gtest_main)
  # Tests of real data run where that data is.
  target_compile_definitions(${target} PRIVATE HGRID_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data"
    HGRID_KEPT_SYSTEMS="${CMAKE_CURRENT_SOURCE_DIR}/systems"
    HGRID_KEPT_SEQUENCES="${CMAKE_CURRENT_SOURCE_DIR}/sequences")
  target_compile_options(${target} PRIVATE "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-${level}>")
endfunction()

# Headers that most tests begin with are compiled once for each level of optimisation: reading them is up to half of the time of a
# test. ccache keeps such objects only with these options, and the headers by their whole text only when told (precompiled.sh); a build
# with sanitizers has too few programs for it.
set(precompiled <gtest/gtest.h> <hgrid/hgrid.hpp> <random> <sstream>)
set(launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
if(HGRID_CCACHE AND CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${HGRID_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_test(NAME precompiled COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/precompiled.sh" ${launcher} "${CMAKE_CXX_COMPILER}")
  endif()
endif()
function(hgrid_precompiled target level)
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>")
  if(target STREQUAL "test_headers_${level}")
    target_precompile_headers(${target} PRIVATE ${precompiled})
  else()
    target_precompile_headers(${target} REUSE_FROM test_headers_${level})
  endif()
endfunction()
file(CONFIGURE OUTPUT headers.cpp CONTENT "" @ONLY)
foreach(level O0 Og O3)
  add_executable(test_headers_${level} EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/headers.cpp")
  hgrid_test_settings(test_headers_${level} ${level})
  hgrid_precompiled(test_headers_${level} ${level})
endforeach()

# hgrid_test(name [LEVEL level] [NEEDS targets...]): a GoogleTest program of the file of that name. It links its needs, and is left out
# where that was not found. Without a level it is Og: optimising is nine tenths of what a test takes to compile, and at O0 tests of hosts
# run five times as long. One that needs hgrid::cuda is a GPU test, which skips with a reason where there is no device.
function(hgrid_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "LEVEL" "NEEDS")
  hgrid_test_program(${name} "${test_LEVEL}" "${test_NEEDS}" ${name})
  if(TARGET test_${name})
    hgrid_runs_file(${name} test_${name})
  endif()
endfunction()

# hgrid_tests(group names... [LEVEL level] [NEEDS targets...]): a test for each of these files. A release build compiles several files at a time,
# into one program: their needs of the grids and of support/ are mostly equal, and compiling these for each alone takes more than twice as
# long. Other builds, in which one file is changed and tried or few are wanted, make a program of each.
function(hgrid_tests group)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "LEVEL" "NEEDS")
  set(names ${test_UNPARSED_ARGUMENTS})
  if(HGRID_SANITIZE OR NOT CMAKE_BUILD_TYPE STREQUAL Release)
    foreach(name IN LISTS names)
      hgrid_test(${name} LEVEL "${test_LEVEL}" NEEDS ${test_NEEDS})
    endforeach()
    return()
  endif()
  hgrid_test_program(${group} "${test_LEVEL}" "${test_NEEDS}" ${names})
  if(NOT TARGET test_${group})
    return()
  endif()
  target_sources(test_${group} PRIVATE support/chosen_file.cpp)
  foreach(name IN LISTS names)
    hgrid_runs_file(${name} test_${group} ${name})
  endforeach()
  set_target_properties(test_${group} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 33)
  set_source_files_properties(support/chosen_file.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_compile_options(test_${group} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>")  # a name of another file
endfunction()

# The program test_NAME of the files of these names, if its needs are here.
function(hgrid_test_program name level needs)
  if(NOT level)
    set(level Og)
  endif()
  set_property(DIRECTORY APPEND PROPERTY hgrid_named ${ARGN})
  foreach(need IN LISTS needs)
    if(NOT TARGET ${need})
      return()
    endif()
  endforeach()
  set(sources "")
  set(cuda "")
  foreach(file IN LISTS ARGN)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${file}.cu")
      string(APPEND cuda "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${file}.cu\"\n")
    else()
      list(APPEND sources ${file}.cpp)
    endif()
  endforeach()
  if(cuda)  # CMake unites files of C++ only
    file(CONFIGURE OUTPUT ${name}.cu CONTENT "${cuda}" @ONLY)
    list(APPEND sources "${CMAKE_CURRENT_BINARY_DIR}/${name}.cu")
  endif()
  if("hgrid::cuda" IN_LIST needs)
    list(APPEND sources support/host_reference.cpp)
  endif()
  add_executable(test_${name} ${sources})
  hgrid_test_settings(test_${name} ${level})
  target_link_libraries(test_${name} PRIVATE ${needs})
  if(NOT needs MATCHES "hgrid::(cuda|kokkos)" AND NOT HGRID_SANITIZE)
    hgrid_precompiled(test_${name} ${level})
  endif()
endfunction()

# The test of that name, which runs the program with these arguments.
function(hgrid_runs_file name program)
  add_test(NAME ${name} COMMAND ${program} ${ARGN})
  set_property(GLOBAL PROPERTY hgrid_command_of_${name} ${program} ${ARGN})
  # More threads than cores are part of the tests; waiting ones must not spin.
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive;OMP_PROC_BIND=false" TIMEOUT ${hang})
  get_target_property(needs ${program} LINK_LIBRARIES)
  if("hgrid::cuda" IN_LIST needs)
    add_dependencies(gpu_tests ${program})
    set_tests_properties(${name} PROPERTIES LABELS gpu SKIP_REGULAR_EXPRESSION "no CUDA device")
  endif()
endfunction()
