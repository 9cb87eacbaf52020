# SPDX-License-Identifier: BSD-3-Clause
# A project that adds hgrid and names no build type gets an optimised library and is told so; one that says what it wants
# gets that.
file(REMOVE_RECURSE "${work}")

# Without Highway a parent is told, whose output has no summary of hgrid's.
execute_process(OUTPUT_QUIET ERROR_VARIABLE log COMMAND ${CMAKE_COMMAND} -S "${project}" -B "${work}/plain" -G "${generator}"
  "-DCMAKE_CXX_COMPILER=${compiler}" "-DHGRID_SOURCE=${source}" -DHGRID_KOKKOS=OFF -DHGRID_CUDA=OFF -DHGRID_HIGHWAY_INCLUDE=OFF)
if(NOT log MATCHES "apt install libhwy-dev")
  message(FATAL_ERROR "a parent without Highway is not told: ${log}")
endif()

# expect(name optimised options...)
function(expect name optimised)
  execute_process(RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log
    COMMAND ${CMAKE_COMMAND} -S "${project}" -B "${work}/${name}" -G "${generator}" "-DCMAKE_CXX_COMPILER=${compiler}"
      "-DHGRID_SOURCE=${source}" -DHGRID_KOKKOS=OFF -DHGRID_CUDA=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ${ARGN})
  if(failed)
    message(FATAL_ERROR "${name}: ${log}")
  endif()
  file(STRINGS "${work}/${name}/compile_commands.json" command REGEX "\"command\".*/unity_threads_cxx.cxx\"")
  list(LENGTH command times)
  string(FIND "${command}" " -O3 " o3)
  string(FIND "${log}" "CMAKE_BUILD_TYPE is not set" told)
  if(NOT times EQUAL 1 OR (optimised AND (o3 EQUAL -1 OR told EQUAL -1)) OR
     (NOT optimised AND NOT (o3 EQUAL -1 AND told EQUAL -1)))
    message(FATAL_ERROR "${name}: expected -O3 and a warning ${optimised}, got ${command}\n${log}")
  endif()
endfunction()

expect(none ON -DCMAKE_BUILD_TYPE=)
expect(debug OFF -DCMAKE_BUILD_TYPE=Debug)
expect(flags OFF -DCMAKE_BUILD_TYPE= -DCMAKE_CXX_FLAGS=-O2)
