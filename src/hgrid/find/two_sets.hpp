// SPDX-License-Identifier: BSD-3-Clause
// Whether a grid can be queried by another grid, or by a mesh.
#pragma once

#include <string>

#include "hgrid/grid.hpp"
#include "hgrid/inputs/input_error.hpp"
#include "hgrid/memory/access.hpp"

namespace hgrid::inline v0_2::detail {

/// Throws `invalid_argument` or `size_mismatch` unless both grids are on one device, and were built in equal boxes with equal
/// numbers of worlds.
template <class Exec, int D>
void require_one_space(const Grid<Exec, D>& asking, const Grid<Exec, D>& asked) {
  const GridView<D> a = asking.view(), b = asked.view();
  const auto refuse = [](const char* what) { throw Error(ErrorCode::invalid_argument, what, {.argument = "asking"}); };
  if constexpr (requires { asking.exec().device(); }) {
    if (asking.exec().device() != asked.exec().device()) refuse("the grids are on different devices");
  }
  if (a.worlds != b.worlds || (a.world == nullptr) != (b.world == nullptr))
    throw Error(
        ErrorCode::size_mismatch,
        "the grid that asks has " + counted(a.worlds, "world") + ", and the one that is asked " + std::to_string(b.worlds),
        {.argument = "asking", .count = a.worlds, .needed = b.worlds});
  const auto& of_a = Access::engine(asking).built_boxes();
  const auto& of_b = Access::engine(asked).built_boxes();
  if (of_a != of_b || (of_a.empty() && !(a.box == b.box))) refuse("the grids were built in different boxes");
}

/// Throws `invalid_argument`, `size_mismatch` or `unsupported` unless both grids fit: in one space, with equal rules, both
/// spheres or both extents, and equal numbers of types, if any.
template <class Exec, int D>
void require_comparable(Grid<Exec, D>& asking, Grid<Exec, D>& asked) {
  const GridView<D> a = asking.view(), b = asked.view();
  const auto refuse = [](ErrorCode code, const std::string& what) { throw Error(code, what, {.argument = "asking"}); };
  if (a.has_extents() != b.has_extents() && asking.particle_count() > 0 && asked.particle_count() > 0)
    refuse(ErrorCode::unsupported, "the particles of one grid have extents, and the particles of the other one have radii");
  if (a.rule != b.rule) refuse(ErrorCode::invalid_argument, "the grids have different rules");
  const index_t types = a.pair_filter.cutoffs.types, needed = b.pair_filter.cutoffs.types;
  if (types != needed && asking.particle_count() > 0 && asked.particle_count() > 0)
    throw Error(ErrorCode::size_mismatch,
                "the query particles have cut-offs of " + counted(types, "type") + ", and the target particles of " +
                    std::to_string(needed),
                {.argument = "asking", .count = types, .needed = needed});
  require_one_space(asking, asked);
}

/// Throws if `particles` cannot be used with a mesh of this box: `size_mismatch` for another number than the build's,
/// `unsupported` or `invalid_argument` for another box.
template <class Exec, class Real>
void require_mesh_of(const Grid<Exec, 3>& grid, const Box<3>& of_mesh, const Particles<Real, 3>& particles) {
  const GridView<3> g = grid.view();
  check_arguments(particles, 0);
  if (particles.count != grid.particle_count())
    throw Error(ErrorCode::size_mismatch,
                "the build had " + counted(grid.particle_count(), "particle") + ", not " + std::to_string(particles.count),
                {.argument = "particles", .count = particles.count, .needed = grid.particle_count()});
  if (g.has_worlds() && g.world_box_step > 0)
    throw Error(ErrorCode::unsupported, "a mesh is of one box, and worlds have boxes of their own", {.argument = "mesh"});
  if (g.periodic && !(used_part(of_mesh) == used_part(g.box)))
    throw Error(ErrorCode::invalid_argument, "the mesh has another box than the grid", {.argument = "mesh"});
}

}  // namespace hgrid::inline v0_2::detail
