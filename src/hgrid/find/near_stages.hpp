// SPDX-License-Identifier: BSD-3-Clause
// Nearest particles of points in a built grid, on devices: one thread per point. Keys, and the proof that no nearer particle is
// missed, are the same as on hosts (nearest_search.hpp), so the results are bit-identical. Each thread keeps the nearest
// particles found so far, and the farthest of these bounds the rest of the search. The stages:
//
// 1. By cells: around the point, as far as k particles are guessed to lie. If these were too few, or the cells too many, the
//    point goes into a queue, from which a second and a third launch take it with larger guesses.
// 2. By boxes, for the remaining points: the boxes over slots that hosts use (slot_boxes.hpp), the nearest first. A thread has
//    no stack: it returns to a node by its number, and continues with the child after the last one.
#pragma once

#include "hgrid/core/query.hpp"
#include "hgrid/find/near_asked.hpp"
#include "hgrid/find/near_heap.hpp"
#include "hgrid/find/slot_boxes.hpp"

namespace hgrid::inline v0_2::detail {

/// Items left for the next stage, in any order.
struct NearQueue {
  index_t* items;  ///< null: all items
  offset_t* count;
};

/// The view and the options, for all stages.
template <class View>
struct NearSought {
  static constexpr int D = View::dimension;
  View grid;
  NearAsked<D> asked;
  NearRows rows;
  const NearSpacing* spacing;  ///< of each world
  double limit;                ///< largest possible key of a nearest particle; finite

  template <bool surfaces>
  HGRID_HD index_t wanted(const NearPoint<surfaces, D>& p) const {
    const index_t others = spacing[p.world].particles - (p.itself < 0 ? 0 : 1);
    return rows.k < others ? rows.k : others;
  }

  template <bool surfaces>
  HGRID_HD void look_at(const NearPoint<surfaces, D>& p, const SlotRun& run, const Shift<D>& shift, NearHeap& heap) const {
    for (index_t q = run.begin; q < run.end; ++q) {
      double squared = 0;
      for (int k = 0; k < D; ++k) {
        const double d = separated(p.x[k], grid.x[k][q], shift.by[k]);
        squared = k == 0 ? mul_rn(d, d) : add_rn(squared, mul_rn(d, d));
      }
      const double key = p.key_of(squared, surfaces ? grid.radius[q] : 0);
      if (key > heap.bound() || q == p.itself) continue;
      if (grid.periodic && !p.is_nearest_image(grid, q, shift, key)) continue;
      Image image{};
      for (int k = 0; k < D; ++k) image[k] = shift.m[k];
      heap.add(key, q, image);
    }
  }
};

template <class Exec, bool surfaces, class View>
struct NearByCells {
  static constexpr int D = View::dimension;
  static constexpr offset_t most_runs = 64;  // in a range of cells; boxes take less time than more runs
  NearSought<View> sought;
  double guess;  ///< in spacings
  NearQueue from, left;

  HGRID_HD void operator()(offset_t i) const {
    if (from.items != nullptr && i >= *from.count) return;
    const offset_t item = from.items == nullptr ? i : from.items[i];
    const AskedPoint<D> at = sought.asked(sought.grid, item);
    const bool is_done = sought.grid.with_box(at.world, [&](const Box<D>& box) {
      const NearPoint<surfaces, D> p(box, at);
      const double bound = guessed_bound(p);
      NearHeap heap(sought.grid.id, sought.rows, p.row, 0, bound);
      const bool is_whole = look_around(p, heap);
      sought.rows.count[item] = heap.count();
      return is_whole && (heap.count() >= sought.wanted(p) || bound == sought.limit);
    });
    if (!is_done) left.items[Exec::atomic_add(left.count, offset_t{1})] = static_cast<index_t>(item);
  }

 private:
  using Point = NearPoint<surfaces, D>;

  // Returns the first bound. It is smaller if the cell of the point has far more particles than average.
  HGRID_HD double guessed_bound(const Point& p) const {
    constexpr double halved = D == 2 ? 0x1.6a09e667f3bcdp-1 : 0x1.965fea53d6e3dp-1;  // factor that halves the volume of a ball
    const View& g = sought.grid;
    const NearSpacing& s = sought.spacing[p.world];
    index_t hint = 0;
    const Vec<index_t, D> home = s.cell_of(g, p.world, p.x);
    const SlotRun run = s.particles == 0 ? SlotRun{0, 0} : g.run(s.level, home, home[0], hint);
    const double here = run.end - run.begin;
    double distance = s.distance * guess;
    if (here > 8 * s.usual + 8) {
      for (double each = here; each > s.usual; each *= 0.5) distance *= halved;
    }
    return std::fmin(sought.limit, Point::limit_of(surfaces ? distance - g.radius_max[s.level] : distance));
  }

  // Looks at the cells around the point. Returns whether these were few enough to look at all.
  HGRID_HD bool look_around(const Point& p, NearHeap& heap) const {
    bool is_whole = true;
    for (int h = 0; h < sought.grid.level_count && is_whole; ++h) {
      const double squared = Point::squared_reach(heap.bound(), sought.grid.radius_max[h]);
      if (squared < 0) continue;
      const double distance = std::sqrt(squared);
      p.for_each_image_within(p.x, p.x, distance, [&](const Shift<D>& shift) {
        is_whole = is_whole && look_at_level(p, h, shift, distance, heap);
      });
    }
    return is_whole;
  }

  HGRID_HD bool look_at_level(const Point& p, int h, const Shift<D>& shift, double distance, NearHeap& heap) const {
    const View& g = sought.grid;
    const SlotRun there = g.slots_on(h, p.world);
    const index_t population = there.end - there.begin;
    if (population <= 0) return true;
    Vec<double, D> centre;
    CellRange<D> range;
    for (int k = 0; k < D; ++k) {
      centre[k] = p.x[k] - shift.by[k];
      const CellSpan cells = cells_in_reach(centre[k], centre[k], p.reach(k, distance),
                                            [&](double at) { return g.cell_of(g.level[h], p.world, k, at); });
      range.first[k] = cells.first, range.last[k] = cells.last;
    }
    const offset_t runs = g.runs(range);
    const bool takes_all = runs >= population;
    if (runs > most_runs && population > most_runs) return false;
    index_t hint = 0;
    Vec<index_t, D> row = range.first;
    for (offset_t i = 0, rows = takes_all ? 1 : range.rows(); i < rows; ++i) {
      const CellSpan cells = takes_all ? CellSpan{0, 0} : clip(p, h, centre, range, row, distance, heap);
      const index_t step = takes_all ? 1 : g.cells_per_run(cells.last - cells.first + 1);
      for (row[0] = cells.first; row[0] <= cells.last; row[0] += step) {
        sought.look_at(p, takes_all ? there : g.run(h, row, row[0] + step - 1, hint), shift, heap);
      }
      for (int k = 1; k < D && ++row[k] > range.last[k]; ++k) row[k] = range.first[k];
    }
    return true;
  }

  // Returns the cells of a row that may hold a particle within the bound, if the bounds of cells are known. These are exact
  // except for rounding: the margins of `distance_to_cell` and of the point's reach are subtracted twice for it.
  HGRID_HD CellSpan clip(const Point& p, int h, const Vec<double, D>& centre, const CellRange<D>& range,
                         const Vec<index_t, D>& row, double distance, const NearHeap& heap) const {
    const View& g = sought.grid;
    CellSpan cells{range.first[0], range.last[0]};
    if (!g.is_even() || g.has_worlds()) return cells;
    const Level<D>& level = g.level[h];
    double rest = Point::squared_reach(heap.bound(), g.radius_max[h]) * (1 + 0x1p-46);
    for (int k = 1; k < D; ++k) {
      const double d = larger_of(distance_to_cell(level, k, row[k], centre[k]) - 2 * p.margin(k, distance), 0.0);
      rest -= d * d;
    }
    if (rest < 0) return {0, -1};
    const CellSpan clipped = cells_in_reach(centre[0], centre[0], p.reach(0, std::sqrt(rest)),
                                            [&](double at) { return cell_coordinate(level, 0, at); });
    if (clipped.first > cells.first) cells.first = clipped.first;
    if (clipped.last < cells.last) cells.last = clipped.last;
    return cells;
  }
};

template <bool surfaces, class View>
struct NearByBoxes {
  static constexpr int D = View::dimension;
  NearSought<View> sought;
  SlotBoxesView<D> boxes;
  NearQueue from;

  HGRID_HD void operator()(offset_t i) const {
    if (i >= *from.count) return;
    const offset_t item = from.items[i];
    const AskedPoint<D> at = sought.asked(sought.grid, item);
    sought.grid.with_box(at.world, [&](const Box<D>& box) {
      const Point p(box, at);
      NearHeap heap(sought.grid.id, sought.rows, p.row, 0, sought.limit);
      for (int h = 0; h < sought.grid.level_count; ++h) {
        const double squared = Point::squared_reach(heap.bound(), sought.grid.radius_max[h]);
        if (squared < 0) continue;
        p.for_each_image_within(p.x, p.x, std::sqrt(squared), [&](const Shift<D>& shift) { look_at_level(p, h, shift, heap); });
      }
      sought.rows.count[item] = heap.count();
    });
  }

 private:
  using Point = NearPoint<surfaces, D>;
  static constexpr int children = ChildBoxes<D>::children;

  HGRID_HD void look_at_level(const Point& p, int h, const Shift<D>& shift, NearHeap& heap) const {
    const SlotRun there = sought.grid.slots_on(h, p.world);
    if (there.begin >= there.end) return;
    const double radius = sought.grid.radius_max[h];
    int height = boxes.heights - 1, last = -1;  // child of the node that was visited last
    for (offset_t node = 0; height < boxes.heights;) {
      const offset_t slots = boxes.slots_of_child(height), first = node * children;
      const double last_key = last < 0 ? -HUGE_VAL : key_of_box(p, boxes.node(height, node), last, shift, radius);
      double key = HUGE_VAL;
      int next = -1;
      for (int c = 0; c < children; ++c) {
        if ((first + c) * slots >= there.end || (first + c + 1) * slots <= there.begin) continue;
        const double its_key = key_of_box(p, boxes.node(height, node), c, shift, radius);
        if (its_key < last_key || (its_key == last_key && c <= last)) continue;
        if (its_key < key) key = its_key, next = c;
      }
      if (next < 0 || key > heap.bound()) {
        ++height, last = static_cast<int>(node % children), node /= children;
      } else if (height > 0) {
        --height, last = -1, node = first + next;
      } else {
        const offset_t begin = first + next, end = begin + 1;
        last = next;
        sought.look_at(p,
                       {static_cast<index_t>(begin * slots > there.begin ? begin * slots : there.begin),
                        static_cast<index_t>(end * slots < there.end ? end * slots : there.end)},
                       shift, heap);
      }
    }
  }
};

/// Fills rows without particles, for particles that take no part.
struct ClearNearest {
  NearRows rows;
  index_t none;  ///< number of particles

  HGRID_HD void operator()(offset_t e) const {
    rows.id[e] = none, rows.distance[e] = HUGE_VAL;
    if (rows.image != nullptr) rows.image[e] = {};
  }
};

/// Turns the rows into results.
template <bool surfaces, class View>
struct FinishNearest {
  static constexpr int D = View::dimension;
  NearSought<View> sought;
  double within;
  index_t none;

  HGRID_HD void operator()(offset_t item) const {
    const View& g = sought.grid;
    const NearRows& rows = sought.rows;
    const AskedPoint<D> at = sought.asked(g, item);
    NearHeap heap(g.id, rows, at.row, rows.count[item], sought.limit);
    heap.sort();
    for (index_t place = 0; place < rows.k; ++place) {
      const offset_t e = at.row * rows.k + place;
      const double distance = place < heap.count() ? NearPoint<surfaces, D>::distance_of(rows.distance[e]) : HUGE_VAL;
      if (place >= heap.count() || distance > within) {
        ClearNearest{rows, none}(e);
        continue;
      }
      const index_t slot = rows.id[e];
      rows.id[e] = g.id[slot], rows.distance[e] = distance;
      if (rows.image != nullptr) rows.image[e] = g.periodic ? user_image_of(at, slot, rows.image[e]) : Image{};
    }
  }

 private:
  HGRID_HD Image user_image_of(const AskedPoint<D>& at, index_t slot, const Image& of_search) const {
    Shift<D> shift{};
    for (int k = 0; k < D; ++k) shift.m[k] = of_search[k];
    Image image = sought.grid.with_box(at.world, [&](const Box<D>& box) { return image_of(box, shift); });
    for (int k = 0; k < D; ++k) image[k] += at.wraps[k] - sought.grid.periods(slot, k);
    return image;
  }
};

}  // namespace hgrid::inline v0_2::detail
