# SPDX-License-Identifier: BSD-3-Clause
# find_package fails with the remedy where a component is missing: a copy of the installed package loses its CUDA part.
file(REMOVE_RECURSE "${work}")
file(COPY "${prefix}/" DESTINATION "${work}/prefix")
file(GLOB_RECURSE part "${work}/prefix/*/hgrid-cuda*.cmake")
if(part)
  file(REMOVE ${part})
endif()

function(expect_failure component message)
  file(WRITE "${work}/${component}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)\nproject(user CXX)\n"
    "find_package(hgrid REQUIRED COMPONENTS ${component})\n")
  execute_process(RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log
    COMMAND ${CMAKE_COMMAND} -S "${work}/${component}" -B "${work}/${component}/build" -G "${generator}"
      "-DCMAKE_PREFIX_PATH=${work}/prefix")
  string(REGEX REPLACE "[ \n]+" " " log "${log}")
  string(FIND "${log}" "${message}" place)
  if(NOT failed OR place EQUAL -1)
    message(FATAL_ERROR "component ${component}: expected a failure with '${message}', got:\n${log}")
  endif()
endfunction()

expect_failure(cuda "configure hgrid with -DHGRID_CUDA=ON")
expect_failure(nonsense "ask for core, hgrid, packing, c, cuda, kokkos or mpi")
