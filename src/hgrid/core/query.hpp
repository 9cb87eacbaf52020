// SPDX-License-Identifier: BSD-3-Clause
// One particle's search of one level: for each periodic image in reach, the cells that may hold partners and the slots that
// count. Every schedule of the search uses this geometry.
#pragma once

#include "hgrid/core/predicate.hpp"
#include "hgrid/core/reach.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr index_t slots_per_run = 256;  ///< for a level that is scanned because it has few particles

/// One image's part of a search. It is cut into runs: one for each row of cells, or equal parts of the whole level if they are
/// fewer, which bounds the work at any size ratio.
template <int D>
struct Query {
  Shift<D> shift;
  Vec<double, D> centre;  ///< the particle in the image's frame
  double reach;           ///< largest half-width of the box around it (contract, rule 3)
  CellRange<D> range;     ///< the cells that meet the box
  index_t world;
  index_t from;         ///< slots before it are not candidates: the partner's search reports the pair
  index_t passed_rows;  ///< rows at the begin of the range that hold only such slots
  bool scans_level;
  index_t runs;

  /// Returns the first cell of run i, if each run covers `covered` cells of a row.
  HGRID_HD Vec<index_t, D> cell(index_t i, index_t covered) const {
    Vec<index_t, D> at = range.first;
    const std::uint32_t per_row = covered == range.width(0) ? 1u : static_cast<std::uint32_t>(range.width(0));
    auto row = static_cast<std::uint32_t>(i);
    if (per_row > 1) at[0] += static_cast<index_t>(row % per_row), row /= per_row;
    row += static_cast<std::uint32_t>(passed_rows);
    if constexpr (D == 2) {
      at[1] += static_cast<index_t>(row);
    } else {
      const auto width = static_cast<std::uint32_t>(range.width(1));
      at[1] += static_cast<index_t>(row % width), at[2] += static_cast<index_t>(row / width);
    }
    return at;
  }
};

/// Returns how far from slot p partners on level j may lie along each axis, apart from rounding. All axes have one distance for
/// spheres.
template <int D, class Certain>
HGRID_HD inline Vec<double, D> query_distances(const GridView<D, Certain>& g, index_t p, int j) {
  Vec<double, D> distance;
  const double of_sphere = g.has_extents() ? 0 : listing_distance_in(g, g.radius[p], g.radius_max[j]);
  for (int k = 0; k < D; ++k) distance[k] = g.has_extents() ? listing_extent(g, g.extent[k][p], j, k) : of_sphere;
  return distance;
}

/// The position of slot p, and how far from it partners on level j may lie along each axis.
template <int D>
struct Surroundings {
  Vec<double, D> x, reach;
};

template <int D, class Certain>
HGRID_HD inline Surroundings<D> surroundings(const GridView<D, Certain>& g, index_t p, int j) {
  const Vec<double, D> distance = query_distances(g, p, j);
  return g.with_box(g.world_of(p), [&](const Box<D>& box) {
    Surroundings<D> s;
    for (int k = 0; k < D; ++k) s.x[k] = g.x[k][p], s.reach[k] = search_reach(distance[k], s.x[k], shift_scale(box, k));
    return s;
  });
}

/// Returns the query of slot p to level j under an image in reach. With `once`, p is of level j: a search of its own level
/// takes the later slots under shift 0, all slots under lexicographically positive shifts, and none under the others. Loops
/// over axes one at a time to save registers. Inlined by force, because compilers would emit calls for each image.
template <int D, class Certain>
[[gnu::always_inline]] HGRID_HD inline Query<D> make_query(const GridView<D, Certain>& g, index_t p, int j, bool once,
                                                           const Shift<D>& shift) {
  const Vec<double, D> distance = query_distances(g, p, j);
  Query<D> query{};
  Vec<index_t, D> home{};  // the particle's own cell
  if (g.has_images()) query.shift = shift;
  const index_t world = g.world_of(p);
  query.world = world;
  for (int k = 0; k < D; ++k) {
    const index_t axis_before = k == 0 ? 0 : query.range.last[k - 1];
    const Level<D>& level = g.level[known_after(axis_before, j)];
    const double x = query.centre[k] = g.x[k][known_after(axis_before, p)];
    const auto scale_in = [k](const Box<D>& box) { return shift_scale(box, k); };
    const double reach = search_reach(distance[k], x, g.has_images() ? g.with_box(world, scale_in) : 0.0);
    query.reach = larger_of(query.reach, reach);
    if (g.has_images()) query.centre[k] = x - query.shift.by[k];
    const auto cell_of = [&](double at) { return g.cell_of(level, world, k, at); };
    const CellSpan cells = cells_in_reach(query.centre[k], query.centre[k], reach, cell_of);
    query.range.first[k] = cells.first, query.range.last[k] = cells.last;
    if (once) home[k] = cell_of(query.centre[k]);
  }
  const SlotRun there = g.slots_on(j, world);
  const index_t population = there.end - there.begin;
  const int sign = once ? lexicographic_sign(query.shift.m) : 1;
  query.from = there.begin;
  if (sign < 0 || population == 0) return query;
  if (sign == 0) {
    query.from = p + 1;
    if (g.in_rows()) {  // slots ascend by layer, then row: later slots are in no earlier row
      query.range.first[D - 1] = home[D - 1];
      if (D == 3) query.passed_rows = home[1] - query.range.first[1];
    }
  }
  const index_t width = query.range.width(0);
  const offset_t runs = (query.range.rows() - query.passed_rows) * (width / g.cells_per_run(width));
  query.scans_level = runs > population;
  query.runs = query.scans_level ? (population + slots_per_run - 1) / slots_per_run : static_cast<index_t>(runs);
  return query;
}

/// Returns the image with this number among the images under which slot p may have partners on level j. Sets `images` to how
/// many there are. With `once`, p is of level j; then only images other than shift 0 under which its search has pairs are
/// counted.
template <int D, class Certain>
HGRID_HD inline Shift<D> image_of_query(const GridView<D, Certain>& g, index_t p, int j, bool once, int number, int& images) {
  images = once ? 0 : 1;
  if (!g.has_images()) return {};
  const Surroundings<D> s = surroundings(g, p, j);
  return g.with_box(g.world_of(p), [&](const Box<D>& box) {
    return once ? positive_image_in_reach(box, s.x, s.reach, number, images)
                : image_in_reach(box, s.x, s.x, s.reach, number, images);
  });
}

/// Returns the candidates of the i-th run.
template <int D, class Certain>
HGRID_HD inline SlotRun run_of_query(const GridView<D, Certain>& g, int j, const Query<D>& query, index_t i, index_t& hint) {
  SlotRun run;
  if (query.scans_level) {
    const SlotRun there = g.slots_on(j, query.world);
    run.begin = there.begin + i * slots_per_run;
    run.end = there.end - run.begin < slots_per_run ? there.end : run.begin + slots_per_run;
  } else {
    const index_t covered = g.cells_per_run(query.range.width(0));
    const Vec<index_t, D> cell = query.cell(i, covered);
    run = g.run(j, cell, cell[0] + covered - 1, hint);
  }
  if (run.begin < query.from) run.begin = query.from;
  return run;
}

/// The rows of a query from number `first` on, for queries whose runs are rows of cells (`in_rows`, and not `scans_level`). The
/// key of each row is computed from the row before it, because a division and multiplications per row are slow on devices.
template <class View>
class RowsOfQuery {
  static constexpr int D = View::dimension;

 public:
  HGRID_HD RowsOfQuery(const View& g, int j, const Query<D>& query, index_t first)
      : g_(g), from_(query.from), width_(query.range.width(0)), first_(query.range.first[1]), last_(query.range.last[1]) {
    Vec<index_t, D> cell = query.range.first;
    if (first > 0) {
      cell = query.cell(first, width_);
    } else {
      cell[1] += query.passed_rows;
    }
    const Level<D>& level = g.level[j];
    row_ = static_cast<std::uint32_t>(cell[1]), cell[1] = 0;
    cells_ = static_cast<std::uint32_t>(level.cells[0]);
    layer_ = linear_cell(level, cell);
    cells_of_layer_ = cell_key_t{cells_} * static_cast<std::uint32_t>(level.cells[1]);
  }

  HGRID_HD SlotRun next() {
    const cell_key_t key = layer_ + cell_key_t{cells_} * row_;
    SlotRun run = g_.run_of_row(key, key + static_cast<cell_key_t>(width_ - 1), hint_);
    if (run.begin < from_) run.begin = from_;
    if (row_++ == last_) row_ = first_, layer_ += cells_of_layer_;
    return run;
  }

 private:
  const View& g_;
  index_t from_, width_, hint_ = 0;
  std::uint32_t first_, last_, row_, cells_;  // rows of a layer, the next row, and the cells per row
  cell_key_t layer_, cells_of_layer_;         // the key of row 0 of the layer, and the cells per layer
};

/// Calls f(query) for each image under which slot p may have partners on level j.
template <Visit visit, int D, class Certain, class F>
HGRID_HD void for_each_query(const GridView<D, Certain>& g, index_t p, int own_level, int j, F&& f) {
  const bool once = visit == Visit::once && j == own_level;
  if (!g.has_images()) return f(make_query(g, p, j, once, Shift<D>{}));
  const Surroundings<D> s = surroundings(g, p, j);
  g.with_box(g.world_of(p), [&](const Box<D>& box) {
    for_each_image(box, s.x, s.x, s.reach, [&](const Shift<D>& shift) { f(make_query(g, p, j, once, shift)); });
  });
}

/// Returns a lower bound of the distance along axis k from c to any coordinate stored in a cell. Border cells also hold
/// everything that lies beyond them. A stored coordinate may exceed its cell's edges by a few u of its distance from the
/// origin.
template <int D>
HGRID_HD inline double distance_to_cell(const Level<D>& level, int k, index_t cell, double c) {
  const double lower = cell * level.cell_size[k], upper = (cell + 1.0) * level.cell_size[k];
  const double below = cell == 0 ? -1 : (level.origin[k] + lower) - c;
  const double above = cell == level.cells[k] - 1 ? -1 : c - (level.origin[k] + upper);
  const double margin = (std::fabs(level.origin[k]) + upper + std::fabs(c)) * 0x1p-48;
  return larger_of(larger_of(below, above) - margin, 0.0);
}

/// Returns the cells along x of one row that the sphere around the particle may meet. The sphere has the largest half-width as
/// radius, so the margins of `search_reach` are included: 32 u of the distance, which exceed the rounding of the squares below.
/// The root is taken in single precision, because double would need many registers; it errs by less than 2^-23 of itself, or
/// 2^-62 if it is tiny.
template <int D>
HGRID_HD inline CellSpan clip_to_sphere(const Level<D>& level, const Query<D>& query, const Vec<index_t, D>& row) {
  double squared = 0;
  for (int k = 1; k < D; ++k) {
    const double d = distance_to_cell(level, k, row[k], query.centre[k]);
    squared += d * d;
  }
  const double rest = query.reach * query.reach - squared;
  if (rest < 0) return {0, -1};
  const float root = std::sqrt(static_cast<float>(rest)) * (1 + 0x1p-22f);
  const double half = root + std::fabs(query.centre[0]) * 0x1p-50 + 0x1p-62;
  const CellSpan cells =
      cells_in_reach(query.centre[0], query.centre[0], half, [&](double at) { return cell_coordinate(level, 0, at); });
  return {cells.first > query.range.first[0] ? cells.first : query.range.first[0],
          cells.last < query.range.last[0] ? cells.last : query.range.last[0]};
}

}  // namespace hgrid::inline v0_2::detail
