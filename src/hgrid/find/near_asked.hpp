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

/// Points of a search for nearest particles: given points, the particles themselves, or the particles of another grid.
template <int D>
struct NearAsked {
  /// The slots of a grid.
  struct Slots {
    Vec<const double*, D> x;
    const index_t* id;
    const index_t* world;  ///< null: all are in one
    const Image* wraps;    ///< null: all were inside
    bool are_own;          ///< of the grid that is searched, so that none is its own nearest
  };

  const Vec<double, D>* points;    ///< null: item q is the particle in slot q
  const index_t* worlds;           ///< worlds of the points, or null
  const index_t* order = nullptr;  ///< the point or slot of each item; null: item q is number q
  Slots slots = {};

  static NearAsked of_points(const Vec<double, D>* points, const index_t* worlds) { return {points, worlds}; }
  static NearAsked of_slots(const GridView<D>& g, bool are_own) {
    NearAsked asked{nullptr, nullptr, nullptr, {{}, g.id, g.has_worlds() ? g.world : nullptr, g.wraps, are_own}};
    for (int k = 0; k < D; ++k) asked.slots.x[k] = g.x[k];
    return asked;
  }

  /// Returns how many particles must be looked at for k nearest ones.
  HGRID_HD index_t with_itself(index_t k) const { return slots.are_own ? k + 1 : k; }

  HGRID_HD offset_t number_of(offset_t item) const { return order == nullptr ? item : offset_t{order[item]}; }

  /// Returns the position of an item, as it was given.
  HGRID_HD Vec<double, D> position(offset_t item) const {
    const offset_t q = number_of(item);
    if (points != nullptr) return points[q];
    Vec<double, D> x;
    for (int k = 0; k < D; ++k) x[k] = slots.x[k][q];
    return x;
  }

  template <class View>
  HGRID_HD AskedPoint<D> operator()(const View& g, offset_t item) const {
    return (*this)(g, item, position(item));
  }
  /// Returns the wrapped point of an item whose position is known.
  template <class View>
  HGRID_HD AskedPoint<D> operator()(const View& g, offset_t item, const Vec<double, D>& x) const {
    const offset_t q = number_of(item);
    if (points == nullptr) {
      Image wraps{};
      if (slots.wraps != nullptr) wraps = slots.wraps[q];
      return {slots.id[q], x, wraps, slots.world == nullptr ? 0 : slots.world[q], slots.are_own ? static_cast<index_t>(q) : -1};
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
