# SPDX-License-Identifier: BSD-3-Clause
# A project that adds hgrid as a subdirectory installs its own program and nothing of hgrid, and the program runs.
file(REMOVE_RECURSE "${prefix}")
execute_process(COMMAND ${CMAKE_COMMAND} --install "${build}" --prefix "${prefix}" RESULT_VARIABLE failed
  OUTPUT_VARIABLE log ERROR_VARIABLE log)
file(GLOB_RECURSE installed RELATIVE "${prefix}" "${prefix}/*")
if(failed OR NOT installed STREQUAL "bin/consumer")
  message(FATAL_ERROR "expected bin/consumer and nothing else, got ${installed}:\n${log}")
endif()
execute_process(COMMAND "${prefix}/bin/consumer" RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the installed program fails: ${failed}")
endif()
