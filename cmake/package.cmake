# SPDX-License-Identifier: BSD-3-Clause
# Install rules. One export set per component, so that a user of one needs the dependencies of that one only.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/hgrid")

install(DIRECTORY src/hgrid TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY kernels DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/hgrid" FILES_MATCHING PATTERN "*.cuh")
install(FILES "${PROJECT_BINARY_DIR}/include/hgrid/version.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/hgrid")

# For builds without CMake.
file(RELATIVE_PATH include_from_lib "${CMAKE_INSTALL_FULL_LIBDIR}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
function(hgrid_pkg_config name language needed)
  configure_file(cmake/package.pc.in "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()
set(needed "")
if(HGRID_LIBRARY_TYPE STREQUAL "STATIC")
  set(needed " ${OpenMP_CXX_FLAGS}")
endif()
hgrid_pkg_config(hgrid ", from C++20" "${needed}")
if(TARGET hgrid_c)
  hgrid_pkg_config(hgrid_c ", from C" "")
endif()

foreach(target hgrid_core hgrid hgrid_packing hgrid_c hgrid_cuda hgrid_kokkos hgrid_mpi)
  if(TARGET ${target})
    string(REPLACE hgrid_ "" component ${target})
    if(CMAKE_VERSION VERSION_LESS 3.23)
      install(TARGETS ${target} EXPORT hgrid_${component})
    else()
      install(TARGETS ${target} EXPORT hgrid_${component} FILE_SET HEADERS)
    endif()
    install(EXPORT hgrid_${component} FILE hgrid-${component}.cmake NAMESPACE hgrid:: DESTINATION ${package_dir})
  endif()
endforeach()

configure_package_config_file(cmake/hgridConfig.cmake.in "${PROJECT_BINARY_DIR}/hgridConfig.cmake"
  INSTALL_DESTINATION ${package_dir})
# Until 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/hgridConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/hgridConfig.cmake" "${PROJECT_BINARY_DIR}/hgridConfigVersion.cmake"
  cmake/cuda20.cmake cmake/FindZoltan.cmake DESTINATION ${package_dir})
