// SPDX-License-Identifier: BSD-3-Clause
// One world or many, known when device code is compiled: one box that every thread gets, or boxes in memory. If a thread could
// have either, a device would copy the box to each thread, which costs registers and memory. Hosts decide at run time.
#pragma once

#include <bit>

#include "hgrid/core/grid_view.hpp"

namespace hgrid::inline v0_2::detail {

/// All particles are of one world.
struct OneWorld : AnyGrid {
  static constexpr bool one_world = true, spheres = true;
};

/// Particles have worlds, and boxes lie in memory.
struct ManyWorlds : AnyGrid {
  static constexpr bool many_worlds = true, even = true, spheres = true;
};

/// Particles have extents and all are of one world; below, they have worlds.
struct ExtendedGrid : OneWorld {
  static constexpr bool spheres = false, extended = true, radii_add = true;
};
struct ExtendedWorlds : ManyWorlds {
  static constexpr bool spheres = false, extended = true, radii_add = true;
};

/// Calls f(view) with a view of the grid's kind, for work that does not depend on extents.
template <int D, class F>
void for_worlds(const GridView<D>& g, const F& f) {
  g.world == nullptr ? f(std::bit_cast<GridView<D, OneWorld>>(g)) : f(std::bit_cast<GridView<D, ManyWorlds>>(g));
}

/// The box of all particles.
template <int D>
struct OneBox {
  static constexpr bool has_worlds = false;
  Box<D> box;

  template <class F>
  HGRID_HD auto with_box(index_t, const F& f) const {
    return f(box);
  }
};

/// The open box of all particles; code that uses it is compiled without any wrapping.
template <int D>
struct OpenBox {
  static constexpr bool has_worlds = false;

  template <class F>
  HGRID_HD auto with_box(index_t, const F& f) const {
    return f(Box<D>{});
  }
};

/// The box of each world, in memory. Hosts also use it for a single world, because their memory is all alike.
template <int D>
struct BoxesOfWorlds {
  static constexpr bool has_worlds = true;
  const Box<D>* box;
  index_t step;  // 0 if all worlds share the first box

  template <class F>
  HGRID_HD auto with_box(index_t world, const F& f) const {
    return f(box[world * step]);
  }
  const Box<D>& operator[](index_t world) const { return box[world * step]; }
};

/// Returns the boxes of a view on a host. The view must outlive them.
template <int D>
BoxesOfWorlds<D> boxes_on_host(const GridView<D>& g) {
  return g.has_worlds() ? BoxesOfWorlds<D>{g.world_box, g.world_box_step} : BoxesOfWorlds<D>{&g.box, 0};
}

}  // namespace hgrid::inline v0_2::detail
