# SPDX-License-Identifier: BSD-3-Clause
# Highway, for the vectors of the search. What pip builds has it on any machine: if the system has none, pip fetches the headers.
find_path(HGRID_HIGHWAY_INCLUDE hwy/highway.h PATHS "${PROJECT_SOURCE_DIR}/.deps/highway")  # which an sdist carries
mark_as_advanced(HGRID_HIGHWAY_INCLUDE)
if(SKBUILD AND HGRID_HIGHWAY_INCLUDE MATCHES "-NOTFOUND$")
  find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND "${Python_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/cmake/get_highway.py" "${PROJECT_SOURCE_DIR}/.deps/highway"
    RESULT_VARIABLE failed)
  find_path(HGRID_HIGHWAY_INCLUDE hwy/highway.h PATHS "${PROJECT_SOURCE_DIR}/.deps/highway")
  if(failed OR NOT HGRID_HIGHWAY_INCLUDE)
    message(FATAL_ERROR "There is no Highway, and pip cannot fetch its headers.\n"
      "Remedy: on Debian and Ubuntu, apt install libhwy-dev; elsewhere -C cmake.define.HGRID_HIGHWAY_INCLUDE=FOLDER with hwy/highway.h, "
      "or =OFF for a search without vectors, which is slower")
  endif()
endif()
