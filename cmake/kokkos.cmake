# SPDX-License-Identifier: BSD-3-Clause
# hgrid::kokkos, with the Kokkos of the parent project, else what find_package finds if a program built with it
# runs, else (HGRID_KOKKOS=ON only) a release from its home. HGRID_WITH_KOKKOS says whether.
set(HGRID_WITH_KOKKOS OFF)
if(NOT HGRID_KOKKOS)
  hgrid_note("kokkos: off")
  return()
endif()

# A separate project, because what find_package has loaded cannot be taken back, and a package can be broken:
# Debian 12's libtrilinos-kokkos-dev is found, but its target lacks its headers.
function(hgrid_try_kokkos works)
  set(folder "${PROJECT_BINARY_DIR}/kokkos_check")
  execute_process(RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log
    COMMAND ${CMAKE_COMMAND} -S "${PROJECT_SOURCE_DIR}/cmake/kokkos_check" -B "${folder}" -G "${CMAKE_GENERATOR}"
      "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" -DCMAKE_CXX_COMPILER_LAUNCHER= "-DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE}"
      "-DCMAKE_PREFIX_PATH=${CMAKE_PREFIX_PATH}" "-DKokkos_ROOT=${Kokkos_ROOT}" "-DKokkos_DIR=${Kokkos_DIR}")
  if(NOT failed)
    execute_process(RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log
      COMMAND ${CMAKE_COMMAND} --build "${folder}")
  endif()
  set(${works} ON PARENT_SCOPE)
  if(failed)
    set(${works} OFF PARENT_SCOPE)
    file(WRITE "${folder}/why_not.log" "${log}")
  endif()
endfunction()

# Needs the network, so only where Kokkos was asked for.
function(hgrid_fetch_kokkos)
  message(STATUS "No Kokkos was found that works (see kokkos_check/why_not.log); fetching 5.0.2. "
    "Without a network: bash cmake/get_kokkos.sh, or set Kokkos_ROOT")
  include(FetchContent)
  set(Kokkos_ENABLE_SERIAL ON CACHE BOOL "")
  set(Kokkos_ENABLE_OPENMP ON CACHE BOOL "")
  set(since_3_25 SYSTEM DOWNLOAD_EXTRACT_TIMESTAMP OFF)
  if(CMAKE_VERSION VERSION_LESS 3.25)
    set(since_3_25 "")
  endif()
  FetchContent_Declare(Kokkos ${since_3_25}
    URL https://github.com/kokkos/kokkos/releases/download/5.0.2/kokkos-5.0.2.tar.gz
    URL_HASH SHA256=188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e)
  FetchContent_MakeAvailable(Kokkos)
endfunction()

if(NOT TARGET Kokkos::kokkos)
  hgrid_try_kokkos(kokkos_works)
  if(kokkos_works)
    find_package(Kokkos CONFIG QUIET)
  endif()
endif()
if(NOT TARGET Kokkos::kokkos AND NOT HGRID_KOKKOS STREQUAL "AUTO")
  hgrid_fetch_kokkos()
endif()
if(NOT TARGET Kokkos::kokkos)
  hgrid_note("kokkos: off, for none was found that works (bash cmake/get_kokkos.sh, or set Kokkos_ROOT)")
  return()
endif()

# A Kokkos with CUDA hands files from g++ to nvcc by a launcher, which takes them only from a compiler that has no other, such
# as ccache.
get_property(kokkos_launcher GLOBAL PROPERTY RULE_LAUNCH_COMPILE)
if(kokkos_launcher)
  set(CMAKE_CXX_COMPILER_LAUNCHER "")
endif()

set(HGRID_WITH_KOKKOS ON)
if(Kokkos_DIR)
  hgrid_note("kokkos: on, ${Kokkos_VERSION} in ${Kokkos_DIR}")
else()
  hgrid_note("kokkos: on, built with the project")
endif()
add_library(hgrid_kokkos INTERFACE)
add_library(hgrid::kokkos ALIAS hgrid_kokkos)
set_target_properties(hgrid_kokkos PROPERTIES EXPORT_NAME kokkos)
target_link_libraries(hgrid_kokkos INTERFACE hgrid::hgrid Kokkos::kokkos)
if(Kokkos_ENABLE_CUDA)  # its CUDA instances are served by the CUDA executor
  if(NOT HGRID_WITH_CUDA)
    message(FATAL_ERROR "This Kokkos has CUDA, so hgrid needs it too. Remedy: configure with -DHGRID_CUDA=ON")
  endif()
  target_link_libraries(hgrid_kokkos INTERFACE hgrid::cuda)
  set(HGRID_KOKKOS_NEEDS cuda)  # of the package
endif()
target_compile_definitions(hgrid_kokkos INTERFACE HGRID_HAS_KOKKOS)
# A Kokkos added by add_subdirectory would show its warnings in every file that uses it.
target_include_directories(hgrid_kokkos SYSTEM INTERFACE
  "$<BUILD_INTERFACE:$<TARGET_PROPERTY:Kokkos::kokkos,INTERFACE_INCLUDE_DIRECTORIES>>")
hgrid_public_headers(hgrid_kokkos INTERFACE kokkos.hpp kokkos_exec.hpp)
