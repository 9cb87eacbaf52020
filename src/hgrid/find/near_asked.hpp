// SPDX-License-Identifier: BSD-3-Clause
// The points whose nearest particles are searched, and, for devices, how densely the particles lie.
#pragma once

#include <bit>

#include "hgrid/core/world_kinds.hpp"
#include "hgrid/find/near_point.hpp"

namespace hgrid::inline v0_2::detail {

/// A grid with all particles in one world, in a box that is neither tilted nor turned.
struct UprightWorld : OneWorld {
  static constexpr bool upright = true;
};

/// Calls f(view) with a view of the grid's kind.
template <int D, class F>
void for_near_kind(const GridView<D>& g, const F& f) {
  if (g.world != nullptr || g.box.tilted || g.box.turned) return for_worlds(g, f);
  f(std::bit_cast<GridView<D, UprightWorld>>(g));
}

/// Options of a search for nearest particles.
struct NearWanted {
  index_t k;
  bool surfaces;
  double within;
  bool images;
};

/// Points of a search for nearest particles: given points, or the particles themselves.
template <int D>
struct NearAsked {
  const Vec<double, D>* points;  ///< null: item q is the particle in slot q
  const index_t* worlds;         ///< worlds of the points, or null
  const index_t* order;          ///< the point or slot of each item; null: item q is number q

  HGRID_HD offset_t number_of(offset_t item) const { return order == nullptr ? item : offset_t{order[item]}; }

  /// Returns the position of an item, as it was given.
  template <class View>
  HGRID_HD Vec<double, D> position(const View& g, offset_t item) const {
    return points != nullptr ? points[number_of(item)] : g.position(static_cast<index_t>(number_of(item)));
  }

  template <class View>
  HGRID_HD AskedPoint<D> operator()(const View& g, offset_t item) const {
    return (*this)(g, item, position(g, item));
  }
  /// Returns the wrapped point of an item whose position is known.
  template <class View>
  HGRID_HD AskedPoint<D> operator()(const View& g, offset_t item, const Vec<double, D>& x) const {
    const offset_t q = number_of(item);
    if (points == nullptr) {
      const auto slot = static_cast<index_t>(q);
      Image wraps{};
      for (int k = 0; k < D; ++k) wraps[k] = g.periods(slot, k);
      return {g.id[slot], x, wraps, g.world_of(slot), slot};
    }
    const index_t world = worlds == nullptr ? 0 : worlds[q];
    const WrappedPosition<D> in = g.with_box(world, [&](const Box<D>& box) { return wrap(box, x); });
    return {q, in.inside, in.periods, world, -1};
  }
};

/// How densely the particles of a world lie, if they are spread evenly over its cells.
struct NearSpacing {
  double distance;  ///< side of a cube with the volume per particle
  double usual;     ///< particles in a cell of `level`
  index_t particles;
  int level;  ///< the level with the most particles

  /// Returns the cell of a position on that level.
  template <class View>
  HGRID_HD Vec<index_t, View::dimension> cell_of(const View& g, index_t world, const Vec<double, View::dimension>& x) const {
    Vec<index_t, View::dimension> cell;
    for (int k = 0; k < View::dimension; ++k) cell[k] = g.cell_of(g.level[level], world, k, x[k]);
    return cell;
  }
};

template <class View>
struct MeasureSpacing {
  static constexpr int D = View::dimension;
  View grid;
  NearSpacing* spacing;

  HGRID_HD void operator()(offset_t world) const {
    NearSpacing s{0, 0, 0, 0};
    index_t most = 0;
    for (int h = 0; h < grid.level_count; ++h) {
      const SlotRun there = grid.slots_on(h, static_cast<index_t>(world));
      const index_t here = there.end - there.begin;
      s.particles += here;
      if (here > most) most = here, s.level = h;
    }
    const Level<D>& level = grid.level[s.level];
    double volume = 1, cells = 1;
    for (int k = 0; k < D; ++k) volume *= level.cells[k] * level.cell_size[k], cells *= level.cells[k];
    s.usual = most / cells;
    volume /= s.particles > 0 ? s.particles : 1;
    s.distance = std::sqrt(volume);
    for (int step = 0; D == 3 && step < 16; ++step) s.distance = std::sqrt(std::sqrt(volume * s.distance));  // the cube root
    spacing[world] = s;
  }
};

/// Computes the cells of points, to sort points so that points in a row are near each other.
template <class View>
struct CellsOfPoints {
  View grid;
  NearAsked<View::dimension> asked;
  const NearSpacing* spacing;
  cell_key_t* key;
  index_t* point;

  HGRID_HD void operator()(offset_t q) const {
    const auto at = asked(grid, q);
    const NearSpacing& s = spacing[at.world];
    key[q] = grid.key_of_cell(s.level, s.cell_of(grid, at.world, at.x)), point[q] = static_cast<index_t>(q);
  }
};

}  // namespace hgrid::inline v0_2::detail
