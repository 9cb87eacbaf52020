# SPDX-License-Identifier: BSD-3-Clause
# What a user may choose. AUTO: build it if what it needs is there. ON: fail, with the remedy, if it is not.
include(GNUInstallDirs)

function(hgrid_choice name default text)
  set(${name} ${default} CACHE STRING "${text}: AUTO, ON or OFF")
  set_property(CACHE ${name} PROPERTY STRINGS AUTO ON OFF)
endfunction()

# A project that adds hgrid by add_subdirectory gets the libraries and nothing else.
set(own OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(own AUTO)
endif()
hgrid_choice(HGRID_CUDA AUTO "The CUDA library, hgrid::cuda")
hgrid_choice(HGRID_KOKKOS AUTO "The Kokkos executor, hgrid::kokkos")
hgrid_choice(HGRID_MPI ${own} "Grids over ranks, hgrid::mpi")
option(HGRID_C "The C library, hgrid::c" ON)
option(HGRID_PYTHON_MODULE "The Python module, as pip builds it" OFF)
hgrid_choice(HGRID_BUILD_TOOL ${own} "The command-line tool")
hgrid_choice(HGRID_BUILD_TESTS ${own} "The tests")
hgrid_choice(HGRID_BUILD_BENCH ${own} "The benchmarks")
hgrid_choice(HGRID_BUILD_EXAMPLES ${own} "The examples")
# A parent's BUILD_SHARED_LIBS is about the parent's own libraries: hgrid is part of what links it, and there is nothing to install.
set(shared OFF)
if(PROJECT_IS_TOP_LEVEL AND BUILD_SHARED_LIBS)
  set(shared ON)
endif()
option(HGRID_SHARED "Shared libraries instead of static ones" ${shared})
set(HGRID_LIBRARY_TYPE STATIC)
set(installed ${PROJECT_IS_TOP_LEVEL})
if(HGRID_SHARED)
  set(HGRID_LIBRARY_TYPE SHARED)
  set(installed ON)
endif()
option(HGRID_INSTALL "Install rules and the CMake package" ${installed})
option(HGRID_DRAFT "Compile benchmarks and examples without optimisation, to see only that they work" OFF)
option(HGRID_WERROR "Treat warnings as errors" OFF)
set(HGRID_SANITIZE "" CACHE STRING "Sanitizers for hgrid's own targets, such as address,undefined")

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  set(hgrid_glob CONFIGURE_DEPENDS)  # files come and go; builds of others need not look
  # cmake/setup.sh puts here what the system lacks.
  list(APPEND CMAKE_PREFIX_PATH "${PROJECT_SOURCE_DIR}/.deps/kokkos")
  find_program(HGRID_CCACHE ccache)
  mark_as_advanced(HGRID_CCACHE)
  if(HGRID_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${HGRID_CCACHE})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${HGRID_CCACHE})
  endif()
endif()

# A parent without a build type gets no optimisation from CMake, and a library several times slower.
get_property(hgrid_many_types GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT hgrid_many_types AND NOT CMAKE_CXX_FLAGS MATCHES "(^| )-O")
  set(hgrid_optimise -O3)
  message(WARNING "CMAKE_BUILD_TYPE is not set. hgrid's own libraries are compiled with -O3, your files, hgrid's templates "
    "in them, without optimisation. Remedy: configure with -DCMAKE_BUILD_TYPE=Release")
endif()

# hgrid_settings(target): what every target of hgrid is compiled with, and what no user of it inherits.
function(hgrid_settings target)
  set(warnings -Wall -Wextra)
  if(HGRID_WERROR)
    list(APPEND warnings -Werror)
  endif()
  list(JOIN warnings "," for_nvcc)
  set(nvcc "-Xcompiler=${for_nvcc}" $<$<BOOL:${HGRID_WERROR}>:-Werror=all-warnings>)
  # Products and sums are rounded separately. In files of clients core/macros.hpp sees to it, at the cost of vectors.
  target_compile_definitions(${target} PRIVATE HGRID_NO_CONTRACTION)
  target_compile_options(${target} PRIVATE ${hgrid_optimise}
    "$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>"
    "$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;-Xcompiler=-ffp-contract=off>"
    "$<$<COMPILE_LANGUAGE:CXX>:${warnings};-Wshadow;-Wfloat-conversion>"
    # GCC 12 sees overlapping copies in std::string where there are none.
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${nvcc}>")
  if(HGRID_SANITIZE)
    set(sanitize -fsanitize=${HGRID_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${sanitize}>")
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)  # bounds of the standard containers
    target_link_options(${target} PRIVATE ${sanitize})
  endif()
  target_include_directories(${target} PRIVATE "${hgrid_SOURCE_DIR}")  # internals are included by their folder
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
endfunction()

# hgrid_part(NAME folder packages remedy): adds the folder if HGRID_BUILD_<NAME> says so and its packages are found.
function(hgrid_part name folder packages remedy)
  set(missing "")
  if(HGRID_BUILD_${name})
    foreach(package IN LISTS packages)
      find_package(${package} QUIET)
      if(NOT ${package}_FOUND)
        list(APPEND missing ${package})
      endif()
    endforeach()
  endif()
  list(JOIN missing ", " missing)

  string(TOLOWER ${name} label)
  if(NOT HGRID_BUILD_${name})
    hgrid_note("${label}: off")
  elseif(NOT missing)
    hgrid_note("${label}: on")
    if(HGRID_DRAFT AND name MATCHES "BENCH|EXAMPLES")
      hgrid_note("${label}: without optimisation, so measure nothing with them (HGRID_DRAFT)")
      string(REPLACE "-O3" "-O0" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
      string(REPLACE "-O3" "-O0" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
      string(APPEND CMAKE_CUDA_FLAGS_RELEASE " -Werror=all-warnings")  # nor may nvcc warn in clients' files
    endif()
    add_subdirectory(${folder})
  elseif(HGRID_BUILD_${name} STREQUAL "AUTO")
    hgrid_note("${label}: off, for ${missing} was not found (Debian, Ubuntu: apt install ${remedy})")
  else()
    message(FATAL_ERROR "HGRID_BUILD_${name} is ON, but ${missing} was not found.\n"
      "Remedy: on Debian and Ubuntu, apt install ${remedy}")
  endif()
endfunction()

# hgrid_note(text): a line of the summary that ends configuring.
function(hgrid_note text)
  set_property(GLOBAL APPEND PROPERTY hgrid_notes "${text}")
endfunction()

function(hgrid_summary)
  get_property(notes GLOBAL PROPERTY hgrid_notes)
  list(JOIN notes "\n--   " notes)
  message(STATUS "hgrid ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\n"
    "--   ${notes}")
endfunction()
