# SPDX-License-Identifier: BSD-3-Clause
# The public headers: docs/headers.md says what each offers. What they include is installed beside them (package.cmake), and all
# of its names are in hgrid::detail. In a build of hgrid itself the target all_verify_interface_header_sets compiles each public
# header alone, as a client does.
function(hgrid_public_headers target scope)
  if(CMAKE_VERSION VERSION_LESS 3.23)
    return()
  endif()
  list(TRANSFORM ARGN PREPEND "${hgrid_SOURCE_DIR}/src/hgrid/")
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${hgrid_SOURCE_DIR}/src" FILES ${ARGN})
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ${hgrid_IS_TOP_LEVEL})
endfunction()

hgrid_public_headers(hgrid_core INTERFACE
  hgrid.hpp grid.hpp options.hpp plan.hpp lists.hpp
  core/types.hpp core/error.hpp core/names.hpp core/contact.hpp core/packed_neighbour.hpp core/lattice.hpp core/tilt.hpp core/turn.hpp
  core/levels.hpp core/grid_view.hpp
  core/search.hpp core/region.hpp core/triangle.hpp core/mesh_view.hpp core/function_ref.hpp
  inputs/as_particles.hpp inputs/built_particles.hpp inputs/validity.hpp
  threads/host_exec.hpp threads/serial_exec.hpp threads/openmp_exec.hpp threads/simd_target.hpp
  loop.hpp loop/checkpoint.hpp loop/copies.hpp loop/history.hpp loop/loop_status.hpp loop/pair_array.hpp loop/reordering.hpp
  loop/verlet_list.hpp loop/verlet_options.hpp queries.hpp find/askers.hpp find/excluding.hpp find/insertions.hpp find/mesh.hpp find/nearest.hpp)
