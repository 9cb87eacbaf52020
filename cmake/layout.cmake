# SPDX-License-Identifier: BSD-3-Clause
# The headers of host/ and kernels/ are included as <hgrid/host/...> and <hgrid/kernels/...>. Installing puts them
# there; in the build tree two links do.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include/hgrid")
foreach(room host kernels)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${room}" "${PROJECT_BINARY_DIR}/include/hgrid/${room}" SYMBOLIC)
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/cmake/version.hpp.in" "${PROJECT_BINARY_DIR}/include/hgrid/version.hpp" @ONLY)
