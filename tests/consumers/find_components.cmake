# SPDX-License-Identifier: BSD-3-Clause
# find_package gives each component to a project of any CMake that the one here takes, and fails with the remedy where one is
# missing: a copy of the installed package loses its CUDA part.

# find(NAME PREFIX VERSION COMPONENT): the result of a project that requests it, in `failed` and `log`.
function(find name prefix version component)
  file(WRITE "${work}/${name}/CMakeLists.txt" "cmake_minimum_required(VERSION ${version})\nproject(user C CXX)\n"
    "find_package(hgrid REQUIRED COMPONENTS ${component})\nadd_executable(user user.cpp)\n"
    "target_link_libraries(user hgrid::${component})\n")
  file(WRITE "${work}/${name}/user.cpp" "int main() {}\n")
  execute_process(RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log
    COMMAND ${CMAKE_COMMAND} -S "${work}/${name}" -B "${work}/${name}/build" -G "${generator}"
      "-DCMAKE_PREFIX_PATH=${prefix}" -Wno-deprecated)
  string(REGEX REPLACE "[ \n]+" " " log "${log}")
  set(failed "${failed}" PARENT_SCOPE)
  set(log "${log}" PARENT_SCOPE)
endfunction()

cmake_policy(VERSION 3.22)
file(REMOVE_RECURSE "${work}")
set(oldest 3.1)
if(CMAKE_VERSION VERSION_GREATER_EQUAL 4.0)  # it takes no project that asks for less
  set(oldest 3.5)
endif()
file(GLOB_RECURSE parts "${prefix}/*/cmake/hgrid/hgrid-*.cmake")
list(FILTER parts EXCLUDE REGEX "-(release|debug|relwithdebinfo|minsizerel|noconfig)\\.cmake$")
foreach(part IN LISTS parts)
  string(REGEX REPLACE ".*/hgrid-(.*)\\.cmake" "\\1" component "${part}")
  find(${component} "${prefix}" ${oldest} ${component})
  if(failed)
    message(FATAL_ERROR "component ${component} from a project of CMake ${oldest}:\n${log}")
  endif()
  list(APPEND found ${component})
endforeach()
if(NOT "hgrid" IN_LIST found)
  message(FATAL_ERROR "the package has these components: ${found}")
endif()

# Without COMPONENTS every component is there whose needs are found: here all but Kokkos, which the project has not found itself. A project
# without a build type is told of that once, and no other.
function(expect_plain name told)
  set(uses "")
  foreach(component IN LISTS found)
    if(NOT component STREQUAL "kokkos")
      string(APPEND uses "if(NOT TARGET hgrid::${component})\n  message(FATAL_ERROR \"no ${component}\")\nendif()\n")
    endif()
  endforeach()
  file(WRITE "${work}/${name}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)\nproject(user C CXX)\nfind_package(hgrid REQUIRED)\n"
    "find_package(hgrid REQUIRED)\n${uses}")
  execute_process(RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log
    COMMAND ${CMAKE_COMMAND} -S "${work}/${name}" -B "${work}/${name}/build" -G "${generator}" "-DCMAKE_PREFIX_PATH=${prefix}" ${ARGN})
  string(REGEX MATCHALL "CMAKE_BUILD_TYPE is not set" warnings "${log}")
  list(LENGTH warnings times)
  if(generator MATCHES "Multi|Xcode|Visual")
    set(told 0)
  endif()
  if(failed OR NOT times EQUAL told)
    message(FATAL_ERROR "${name}: expected ${told} warnings, got:\n${log}")
  endif()
endfunction()
expect_plain(plain 1 -DCMAKE_BUILD_TYPE=)
expect_plain(typed 0 -DCMAKE_BUILD_TYPE=Debug)
expect_plain(flagged 0 -DCMAKE_BUILD_TYPE= -DCMAKE_CXX_FLAGS=-O2)

function(expect_failure component message)
  find(without-${component} "${work}/prefix" 3.22 ${component})
  string(FIND "${log}" "${message}" place)
  if(NOT failed OR place EQUAL -1)
    message(FATAL_ERROR "component ${component}: expected a failure with '${message}', got:\n${log}")
  endif()
endfunction()

file(COPY "${prefix}/" DESTINATION "${work}/prefix")
file(GLOB_RECURSE part "${work}/prefix/*/hgrid-cuda*.cmake")
if(part)
  file(REMOVE ${part})
endif()
expect_failure(cuda "configure hgrid with -DHGRID_CUDA=ON")
expect_failure(nonsense "ask for core, hgrid, packing, c, cuda, kokkos or mpi")
