// SPDX-License-Identifier: BSD-3-Clause
// The product: a view of the built grid, which kernels take by value. Pointers are into the executor's memory space and stay
// valid until the grid is built again or destroyed.
#pragma once

#include "hgrid/core/cell_key.hpp"
#include "hgrid/core/child_boxes.hpp"
#include "hgrid/core/levels.hpp"
#include "hgrid/core/pair_filter.hpp"

namespace hgrid::inline v0_2 {

/// 64 cells of consecutive keys, at least one of them occupied.
struct Segment {
  static constexpr cell_key_t cells = 64;
  cell_key_t number;       ///< key / cells of all its cells
  std::uint64_t occupied;  ///< a bit for each cell
};

/// Finds the slots of a cell. A compacted table holds segments, so its memory grows with particles and not with cells.
struct CellTable {
  TableKind kind;
  const index_t* begin;     ///< dense row-major: [cells + 1]; dense Morton: [cells]; compacted: [slots], where the occupied
                            ///< cells of a segment are stored one by one from the segment's first slot on
  const index_t* end;       ///< dense Morton only: [cells]
  const Segment* segment;   ///< compacted only: [segments + 1], ascending; the last closes the table
  const index_t* first;     ///< compacted only: [segments + 1], first slot of each segment
  const index_t* segments;  ///< compacted only: number of segments
  cell_key_t cells;         ///< dense only: number of cells
};

/// Consecutive slots; empty if begin >= end.
struct SlotRun {
  index_t begin, end;
};

namespace detail {

/// A box of cells, including its first and last cell.
template <int D>
struct CellRange {
  Vec<index_t, D> first, last;

  HGRID_HD index_t width(int k) const { return last[k] - first[k] + 1; }
  HGRID_HD offset_t rows() const {
    offset_t n = 1;
    for (int k = 1; k < D; ++k) n *= width(k);
    return n;
  }
};

/// Slot arrays have room for this many elements after the last slot, which may be read: so vector loads need no tail.
inline constexpr offset_t slot_padding = 16;

struct FilterRecord;

}  // namespace detail

/// Grid properties that are known at compile time. Devices compile separate search kernels for some kinds of grid, because such
/// properties cost no registers.
struct AnyGrid {
  static constexpr bool open = false;         ///< no axis wraps
  static constexpr bool in_place = false;     ///< only image 0 is searched; other kernels search the other images
  static constexpr bool dense_rows = false;   ///< row-major keys and a dense table
  static constexpr bool unselective = false;  ///< all pairs that touch are reported
  static constexpr bool radii_add = false;    ///< pairs touch by the sum of their radii
  static constexpr bool top_down = false;     ///< coarse particles search finer levels
  static constexpr bool even = false;         ///< no islands
  static constexpr bool upright = false;      ///< the box is neither tilted nor turned
  static constexpr bool one_world = false;    ///< all particles are of one world
  static constexpr bool many_worlds = false;  ///< particles have worlds
  static constexpr bool spheres = false;      ///< particles have radii
  static constexpr bool extended = false;     ///< they have extents
};

template <int D, class Certain = AnyGrid>
struct GridView {
  static constexpr int dimension = D;
  using Known = Certain;

  // Particles in slot order: sorted by level, then cell, then id.
  const double* x[D];       ///< coordinates, wrapped into the box on periodic axes
  const double* radius;     ///< radius * radius_scale + extra; if particles have extents, a number that only the build needs
  const double* extent[D];  ///< half extents, as radii; null if particles are spheres
  const index_t* id;
  const Image* wraps;                  ///< periods that wrapping took off; null if it took none off
  const index_t* world;                ///< null if there is only one
  const detail::FilterRecord* filter;  ///< single-precision records of the slots (core/filter.hpp); null on hosts

  const Level<D>* level;             ///< [level_count]
  const double* radius_max;          ///< [level_count], actual largest radius on the level
  const Vec<double, D>* extent_max;  ///< [level_count], the largest half extents; null if particles are spheres
  const index_t* level_begin;        ///< [level_count + 1] first slot of each level; the last is the number of slots
  const Island* islands;             ///< of all levels; null if no level has islands, and always with worlds
  const index_t* world_begin;  ///< [level_count][worlds] first slot of each world on each level; null if there is only one
  const Vec<double, D>* world_origin;  ///< [worlds] origin of the levels' coordinates in each world; null if there is only one
  const Box<D>* world_box;             ///< box of world w at index w * world_box_step; null if there is only one world
  index_t worlds, world_box_step;      ///< the step is 0 if all worlds share one box
  int level_count;
  int bits;  ///< Morton bits per axis
  CellTable table;

  Box<D> box;
  double skin;
  Rule rule;
  Vec<double, D> filter_origin;    ///< origin of the positions in filter records
  bool exact_records;              ///< filter records hold the coordinates themselves, and the origin is 0
  detail::PairFilter pair_filter;  ///< decides which touching pairs are reported
  bool periodic;                   ///< some axis wraps, so that pairs have images
  KeyOrder keys;
  Direction direction;
  detail::CrowdBoxesView<D> boxes;  ///< over the slots; only on hosts, if some cells are crowded

  HGRID_HD index_t slots() const { return level_begin[level_count]; }

  /// Returns whether some touching pairs may not be reported.
  HGRID_HD bool is_selective() const { return !Certain::unselective && pair_filter.selective; }
  /// Returns whether pairs touch by the sum of their radii. Otherwise they touch by the larger radius.
  HGRID_HD bool adds_radii() const { return Certain::radii_add || rule == Rule::sum; }
  /// Returns whether j may be a neighbor of i although i is not a neighbor of j.
  HGRID_HD bool is_one_sided() const { return !Certain::radii_add && rule == Rule::gather; }
  HGRID_HD bool has_images() const { return !Certain::in_place && periodic; }
  HGRID_HD bool has_wraps() const { return !Certain::open && wraps != nullptr; }
  HGRID_HD bool in_rows() const { return Certain::dense_rows || keys == KeyOrder::row_major; }
  HGRID_HD bool is_top_down() const { return Certain::top_down || direction == Direction::top_down; }
  HGRID_HD bool is_dense() const { return Certain::dense_rows || table.kind == TableKind::dense; }

  /// Returns whether particles are boxes with extents. Otherwise they are spheres.
  HGRID_HD bool has_extents() const { return Certain::extended || (!Certain::spheres && extent[0] != nullptr); }

  HGRID_HD bool is_even() const { return Certain::even || islands == nullptr; }
  HGRID_HD bool has_worlds() const { return Certain::many_worlds || (!Certain::one_world && world != nullptr); }

  HGRID_HD index_t world_of(index_t slot) const { return has_worlds() ? world[slot] : 0; }
  /// Returns the box of a world. For hosts only.
  const Box<D>& box_of(index_t its_world) const { return has_worlds() ? world_box[its_world * world_box_step] : box; }
  /// Calls f(box) with the box of a world. Also for devices (core/world_kinds.hpp).
  template <class F>
  HGRID_HD auto with_box(index_t its_world, const F& f) const {
    if constexpr (Certain::upright) {
      Box<D> upright = box;
      upright.tilted = upright.turned = false;  // it is so already; this tells the compiler
      return f(upright);
    }
    return has_worlds() ? f(world_box[its_world * world_box_step]) : f(box);
  }

  /// Returns the cell of a coordinate along axis k of a level. Along the last axis the cells of a world follow the cells of
  /// earlier worlds. Inlined by force, because searches do little else and compilers would emit a call.
  [[gnu::always_inline]] HGRID_HD index_t cell_of(const Level<D>& of, index_t its_world, int k, double coordinate) const {
    if (has_worlds()) {
      const index_t cell = detail::cell_coordinate(of, k, detail::sub_rn(coordinate, world_origin[its_world][k]));
      return k < D - 1 ? cell : cell + its_world * of.cells[k];
    }
    return is_even() ? detail::cell_coordinate(of, k, coordinate) : detail::cell_coordinate(of, islands, k, coordinate);
  }

  /// Returns the slots of a world on a level.
  HGRID_HD SlotRun slots_on(int h, index_t its_world) const {
    const index_t* const begin = has_worlds() ? world_begin + (offset_t{h} * worlds + its_world) : level_begin + h;
    return {begin[0], begin[1]};
  }

  HGRID_HD int level_of_slot(index_t slot) const {
    int h = 0;
    while (slot >= level_begin[h + 1]) ++h;
    return h;
  }

  HGRID_HD Vec<double, D> position(index_t slot) const {
    Vec<double, D> p;
    for (int k = 0; k < D; ++k) p[k] = x[k][slot];
    return p;
  }

  HGRID_HD Vec<double, D> extents(index_t slot) const {
    Vec<double, D> h;
    for (int k = 0; k < D; ++k) h[k] = extent[k][slot];
    return h;
  }

  /// Returns how many periods wrapping took off coordinate k of a slot.
  HGRID_HD std::int32_t periods(index_t slot, int k) const { return wraps == nullptr ? 0 : wraps[slot][k]; }

  HGRID_HD cell_key_t key_of_cell(int h, const Vec<index_t, D>& cell) const {
    return in_rows() ? detail::linear_cell(level[h], cell) : morton_key(h, cell);
  }

  /// Returns how many of the `row` cells of a row one run covers: all of them, or one if they are not consecutive slots.
  HGRID_HD index_t cells_per_run(index_t row) const { return in_rows() ? row : 1; }

  HGRID_HD offset_t runs(const detail::CellRange<D>& range) const {
    return range.rows() * (range.width(0) / cells_per_run(range.width(0)));
  }

  /// Returns the slots of the cells from `cell` to the cell at `last` along x. One run must cover them (`cells_per_run`).
  /// `hint` is where a nearby cell was found in a compacted table, and is updated.
  HGRID_HD SlotRun run(int h, const Vec<index_t, D>& cell, index_t last, index_t& hint) const {
    if (in_rows() || is_dense()) {
      const cell_key_t first = detail::linear_cell(level[h], cell), end = first + static_cast<cell_key_t>(last - cell[0]);
      return in_rows() ? run_of_row(first, end, hint) : SlotRun{table.begin[first], table.end[first]};
    }
    const cell_key_t key = morton_key(h, cell);
    return run_of_keys(key, key, hint);
  }

  /// Calls f(begin, end) for the runs of slots that hold all particles of one row of cells, from cell `row` to the cell at
  /// `last` along x: one run with row-major keys, one per cell with Morton keys. Runs may be empty. `hint` is where a similar
  /// row was found in a compacted table, and is updated.
  template <class F>
  HGRID_HD void for_each_run(int h, Vec<index_t, D> row, index_t last, index_t& hint, F&& f) const {
    const index_t step = cells_per_run(last - row[0] + 1);
    for (; row[0] <= last; row[0] += step) {
      const SlotRun r = run(h, row, row[0] + step - 1, hint);
      f(r.begin, r.end);
    }
  }

  /// Returns the slots of consecutive cells of a row, given their first and last key.
  HGRID_HD SlotRun run_of_row(cell_key_t first, cell_key_t last, index_t& hint) const {
    return is_dense() ? SlotRun{table.begin[first], table.begin[last + 1]} : run_of_keys(first, last, hint);
  }

  /// Returns the slots of all cells with keys first .. last, in a compacted table.
  HGRID_HD SlotRun run_of_keys(cell_key_t first, cell_key_t last, index_t& hint) const {
    const index_t begin = first_slot_from(first, hint);
    index_t behind = hint;
    return {begin, first_slot_from(last + 1, behind)};
  }

  /// Returns the first segment whose number is at least `number`. Searches from `hint` in both directions by growing steps.
  HGRID_HD index_t first_segment_from(cell_key_t number, index_t hint) const {
    index_t begin = 0, end = *table.segments;  // the answer is in [begin, end]
    for (index_t step = 1, i = hint; i < end; i += step, step *= 2) {
      if (table.segment[i].number >= number) {
        end = i;
        break;
      }
      begin = i + 1;
      if (step > end - i) break;
    }
    for (index_t step = 1, i = hint - 1; i >= begin; i -= step, step *= 2) {
      if (table.segment[i].number < number) {
        begin = i + 1;
        break;
      }
      end = i;
      if (step > i) break;
    }
    while (begin < end) {
      const index_t middle = begin + (end - begin) / 2;
      if (table.segment[middle].number < number) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

 private:
  HGRID_HD cell_key_t morton_key(int h, Vec<index_t, D> cell) const {
    if (!has_worlds()) return detail::morton_cell(h, bits, cell);
    const index_t of_world = level[h].cells[D - 1], its_world = cell[D - 1] / of_world;
    cell[D - 1] -= its_world * of_world;
    return detail::morton_cell(h * worlds + its_world, bits, cell);
  }

  /// Returns the first slot of the cells with keys from `key` on.
  HGRID_HD index_t first_slot_from(cell_key_t key, index_t& hint) const {
    const cell_key_t number = key / Segment::cells;
    if (table.segment[hint].number != number) hint = first_segment_from(number, hint);
    if (table.segment[hint].number != number) return table.first[hint];
    const std::uint64_t occupied = table.segment[hint].occupied, rest = occupied >> (key % Segment::cells);
    if (rest == 0) return table.first[hint + 1];
    return table.begin[table.first[hint] + detail::count_bits(occupied) - detail::count_bits(rest)];
  }
};

}  // namespace hgrid::inline v0_2
