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

/// Calls f(begin, end) for the parts of a run of slots in near boxes, and returns how many boxes it tested. It looks at the
/// lowest node that holds the run, or the lowest two, and then at the nodes of near children. `near_children(height, node)`
/// returns a bit for each child that may hold partners.
template <class NearChildren, class F>
HGRID_HD index_t for_each_near_part(SlotRun run, const NearChildren& near_children, F&& f) {
  constexpr int children = ChildBoxes<3>::children;
  unsigned left[SlotBoxesView<3>::most_heights];  // children to look at, on each height
  index_t looked = 0;
  const auto shift = [](int height) { return 3 * height + 3; };  // of slots in a child
  const auto look = [&](int height, offset_t node) {
    const offset_t first = node * children, from = (offset_t{run.begin} >> shift(height)) - first;
    const offset_t to = ((offset_t{run.end} - 1) >> shift(height)) - first;
    const unsigned of_run = (0xffU << (from > 0 ? from : 0)) & (0xffU >> (to < children - 1 ? children - 1 - to : 0));
    left[height] = near_children(height, node) & of_run;
    looked += children;
  };
  int top = 0;
  while ((offset_t{run.end} - run.begin) > offset_t{1} << shift(top + 1)) ++top;
  SlotRun part{run.begin, run.begin};
  const offset_t last = (offset_t{run.end} - 1) >> shift(top + 1);
  for (offset_t root = offset_t{run.begin} >> shift(top + 1); root <= last; ++root) {
    int height = top;
    offset_t node = root;
    look(height, node);
    for (;;) {
      if (left[height] == 0) {
        if (height++ == top) break;
        node /= children;
        continue;
      }
      const offset_t child = node * children + lowest_bit(left[height]);
      left[height] &= left[height] - 1;
      if (height > 0) {
        look(--height, node = child);
        continue;
      }
      const offset_t begin = child * children, end = begin + children;
      if (begin > part.end) {
        if (part.begin < part.end) f(part.begin, part.end);
        part.begin = static_cast<index_t>(begin);
      }
      part.end = end < run.end ? static_cast<index_t>(end) : run.end;
    }
  }
  if (part.begin < part.end) f(part.begin, part.end);
  return looked;
}

/// Returns whether the filter rejects slot p with every slot in the box of a child: all are of p's group, or all are ghosts and
/// p is one.
HGRID_HD inline bool holds_back(const PairFilter& of_p, const index_t* id_of_p, index_t p, const PairFilter& of_box,
                                const ChildFacts& facts, int child) {
  if (of_p.group != nullptr && of_p.group[p] >= 0 && of_p.group[p] == facts.group[child]) return true;
  return facts.least_id[child] >= of_box.owned && id_of_p[p] >= of_p.owned;
}

/// Finds the children of nodes of g that may hold partners of slot p of `asking` under a shift. All slots of the run are of one
/// level. Each operation of the predicate is monotone, also in its rounding, so a result for a box is true for all its slots.
template <int D, class Certain>
struct NearChildren {
  const GridView<D, Certain>&asking, &grid;
  index_t p;
  int level;
  const Shift<D>& shift;
  Asker<D> own;

  HGRID_HD NearChildren(const GridView<D, Certain>& of_p, const GridView<D, Certain>& g, index_t slot, index_t begin,
                        const Shift<D>& by)
      : asking(of_p), grid(g), p(slot), level(g.level_of_slot(begin)), shift(by), own(asker(of_p, slot)) {}

  HGRID_HD unsigned operator()(int height, offset_t node) const {
    unsigned bits = 0;
    for (int c = 0; c < ChildBoxes<D>::children; ++c) bits |= unsigned{may_touch(height, node, c)} << c;
    return reported(height, node, bits);
  }

  HGRID_HD bool may_touch(int height, offset_t node, int c) const {
    const ChildBoxes<D>& box = grid.boxes.node(height, node);
    double away[D];
    bool apart = false;
    for (int k = 0; k < D; ++k) {
      const double below = separated(own.x[k], box.lo[k][c], shift.by[k]);
      const double above = separated(own.x[k], box.hi[k][c], shift.by[k]);
      away[k] = larger_of(larger_of(-below, above), 0.0);
      apart = apart || (grid.has_extents() && away[k] > listing_extent(grid, own.extent[k], level, k));
    }
    if (grid.has_extents()) return !apart;
    const double largest = mul_rn(grid.boxes.radius_scale, grid.boxes.facts_of(height, node).radius[c]);
    return is_within<D>(away, listing_distance_in(grid, own.a, largest));
  }

  /// Clears the bits of children whose slots the filter rejects.
  HGRID_HD unsigned reported(int height, offset_t node, unsigned bits) const {
    if (!asking.is_selective() || !grid.is_selective()) return bits;
    for (int c = 0; c < ChildBoxes<D>::children; ++c) {
      const bool held = holds_back(asking.pair_filter, asking.id, p, grid.pair_filter, grid.boxes.facts_of(height, node), c);
      bits &= ~(unsigned{held} << c);
    }
    return bits;
  }
};

/// Passes runs on to f(begin, end, shift): short runs whole, of long runs the near parts.
template <int D, class Certain, class F>
struct NearRuns {
  const GridView<D, Certain>&asking, &grid;
  index_t p;
  F& f;

  HGRID_HD void operator()(index_t begin, index_t end, const Shift<D>& shift) const {
    if (!has_near_parts(grid.boxes, begin, end)) return f(begin, end, shift);
    const auto on = [&](index_t from, index_t to) { f(from, to, shift); };
    const NearChildren<D, Certain> near(asking, grid, p, begin, shift);
    const index_t looked = for_each_near_part({begin, end}, near, on);
    if constexpr (requires { f.looked(looked); }) f.looked(looked);
  }
};

}  // namespace hgrid::inline v0_2::detail
