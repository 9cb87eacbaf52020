// SPDX-License-Identifier: BSD-3-Clause
// Finds the parts of a run of slots that may hold partners, from boxes over the slots (child_boxes.hpp). Hosts build these
// boxes if cells hold many particles that are far smaller than the cell, or if most rows that a search visits are empty.
#pragma once

#include "hgrid/core/predicate.hpp"

namespace hgrid::inline v0_2::detail {

/// Longer runs are cut to their near parts.
inline constexpr index_t longest_plain_run = 48;

/// Returns the number of runs from which on a search takes all `population` slots of a level instead. With boxes over slots
/// this pays sooner.
template <int D, class Certain>
HGRID_HD inline index_t runs_worth_asking(const GridView<D, Certain>& g, index_t population) {
  return g.boxes.heights > 0 && population > 32 ? 32 + population / 64 : population;
}

/// Returns whether a run is cut to its near parts.
template <int D>
HGRID_HD inline bool has_near_parts(const CrowdBoxesView<D>& boxes, index_t begin, index_t end) {
  return boxes.heights > 0 && end - begin > longest_plain_run;
}

/// Calls f(begin, end) for the parts of a run of slots whose boxes are not `is_beyond(height, child)`, and returns how many
/// boxes it tested. It tests boxes that begin within the run, the largest first.
template <int D, class Beyond, class F>
HGRID_HD index_t for_each_near_part(const CrowdBoxesView<D>& boxes, SlotRun run, const Beyond& is_beyond, F&& f) {
  constexpr int children = ChildBoxes<D>::children;
  index_t looked = 0;
  offset_t near = run.begin;  // slots [near, at) may hold partners
  offset_t at = (near + children - 1) / children * children;
  while (at < run.end) {
    int height = 0;
    while (height + 1 < boxes.heights && at % boxes.slots_of_child(height + 1) == 0 &&
           boxes.slots_of_child(height) < run.end - at)
      ++height;
    for (;; --height) {
      const offset_t child = at / boxes.slots_of_child(height);
      ++looked;
      if (is_beyond(height, child)) {
        if (near < at) f(static_cast<index_t>(near), static_cast<index_t>(at));
        near = at + boxes.slots_of_child(height);
        break;
      }
      if (height == 0) break;
    }
    at += boxes.slots_of_child(height);
  }
  if (near < run.end) f(static_cast<index_t>(near), run.end);
  return looked;
}

/// Returns whether no slot in the box of a child touches `own` under a shift. All slots of the box are of one level. Each
/// operation of the predicate is monotone, also in its rounding, so a result for the box is true for all its slots.
template <int D, class Certain>
HGRID_HD inline bool is_apart(const GridView<D, Certain>& g, const Asker<D>& own, int level, const Shift<D>& shift, int height,
                              offset_t child) {
  const ChildBoxes<D>& node = g.boxes.node(height, child / ChildBoxes<D>::children);
  const auto c = static_cast<int>(child % ChildBoxes<D>::children);
  double away[D];
  bool apart = false;
  for (int k = 0; k < D; ++k) {
    const double below = separated(own.x[k], node.lo[k][c], shift.by[k]);
    const double above = separated(own.x[k], node.hi[k][c], shift.by[k]);
    away[k] = larger_of(larger_of(-below, above), 0.0);
    apart = apart || (g.has_extents() && away[k] > listing_extent(g, own.extent[k], level, k));
  }
  return g.has_extents() ? apart : !is_within<D>(away, listing_distance_in(g, own.a, g.boxes.facts_of(height, child).radius));
}

/// Returns whether the filter rejects slot p with every slot in the box of a child: all are of p's group, or all are ghosts and
/// p is one.
HGRID_HD inline bool holds_back(const PairFilter& of_p, const index_t* id_of_p, index_t p, const PairFilter& of_box,
                                const BoxFacts& box) {
  if (of_p.group != nullptr && of_p.group[p] >= 0 && of_p.group[p] == box.group) return true;
  return box.least_id >= of_box.owned && id_of_p[p] >= of_p.owned;
}

/// Calls f(begin, end) for the parts of a run of slots of g on a level that may touch slot p of `asking` under a shift, and
/// returns how many boxes it tested.
template <int D, class Certain, class F>
HGRID_HD index_t for_each_near_part(const GridView<D, Certain>& asking, const GridView<D, Certain>& g, index_t p, int level,
                                    const Shift<D>& shift, SlotRun run, F&& f) {
  const Asker<D> own = asker(asking, p);
  const bool selective = asking.is_selective() && g.is_selective();
  const auto is_beyond = [&](int height, offset_t child) {
    return is_apart(g, own, level, shift, height, child) ||
           (selective && holds_back(asking.pair_filter, asking.id, p, g.pair_filter, g.boxes.facts_of(height, child)));
  };
  return for_each_near_part(g.boxes, run, is_beyond, f);
}

/// Passes runs on to f(begin, end, shift): short runs whole, of long runs the near parts.
template <int D, class Certain, class F>
struct NearRuns {
  const GridView<D, Certain>&asking, &grid;
  index_t p;
  int level;
  F& f;

  HGRID_HD void operator()(index_t begin, index_t end, const Shift<D>& shift) const {
    if (!has_near_parts(grid.boxes, begin, end)) return f(begin, end, shift);
    const auto on = [&](index_t from, index_t to) { f(from, to, shift); };
    const index_t looked = for_each_near_part(asking, grid, p, level, shift, {begin, end}, on);
    if constexpr (requires { f.looked(looked); }) f.looked(looked);
  }
};

}  // namespace hgrid::inline v0_2::detail
