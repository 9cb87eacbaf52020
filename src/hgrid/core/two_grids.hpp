// SPDX-License-Identifier: BSD-3-Clause
// Two sets of particles, each in a grid of its own: which query particles touch which target particles. Predicate and geometry
// are those for pairs within one grid.
#pragma once

#include "hgrid/core/near_runs.hpp"
#include "hgrid/core/region.hpp"

namespace hgrid::inline v0_2::detail {

/// One grid as both query and target, with the interface of `TwoGrids`. For hosts.
template <int D>
struct OneGrid {
  const GridView<D>&asking, &asked;

  explicit OneGrid(const GridView<D>& g) : asking(g), asked(g) {}

  static constexpr bool is_one() { return true; }
  bool is_selective() const { return asked.is_selective() || asked.is_one_sided(); }
  bool knows_by_ids() const { return !asked.is_one_sided() && asked.pair_filter.knows_by_ids(); }
  bool reports(index_t p, index_t q, const Shift<D>& shift) const {
    return detail::reports(asked, p, q, shift) && has_neighbour(asked, p, q, shift);
  }
  bool reports_ids(index_t i, index_t j) const { return asked.pair_filter.reports_ids(i, j); }
};

/// The slots of the grid `asking` look for partners in the grid `asked`, in the same box and by the same rule. The skin of
/// `asked` is the half skins of both grids added, so a list stays valid until particles of either grid have moved farther than
/// their own grid allows.
template <int D, class Certain = AnyGrid>
struct TwoGrids {
  GridView<D, Certain> asking, asked;
  ExclusionTable excluded = {};  ///< lists by query id, with target ids

  /// Returns whether some touching pairs may not be reported. Under `Rule::gather`, the query particles gather.
  HGRID_HD bool is_selective() const {
    return asking.pair_filter.selective || asked.pair_filter.selective || asked.is_one_sided() || excluded.listed != nullptr;
  }

  static constexpr bool is_one() { return false; }
  HGRID_HD bool knows_by_ids() const { return false; }
  HGRID_HD bool reports_ids(index_t, index_t) const { return true; }

  /// Returns whether slots that touch are reported: not if both are ghosts, of one group, excluded, or beyond the cut-off of
  /// their types. Each set's exclusions hold ids of that set.
  HGRID_HD bool reports(index_t p, index_t q, const Shift<D>& shift) const {
    if (!is_selective()) return true;
    const PairFilter &of_p = asking.pair_filter, &of_q = asked.pair_filter;
    const index_t i = asking.id[p], j = asked.id[q];
    if (i >= of_p.owned && j >= of_q.owned) return false;
    if (excluded.listed != nullptr && excluded.has(i, j)) return false;
    if (of_p.group != nullptr && of_q.group != nullptr && of_p.group[p] >= 0 && of_p.group[p] == of_q.group[q]) return false;
    if (asked.is_one_sided()) return are_within(asked, asker(asking, p), q, shift, add_rn(asking.radius[p], asked.skin));
    if (of_p.cutoffs.type == nullptr || of_q.cutoffs.type == nullptr) return true;
    const double cutoff = smaller_cutoff(of_p.cutoffs, of_q.cutoffs, of_p.cutoffs.type[i], of_q.cutoffs.type[j]);
    return cutoff > 0 && are_within(asked, asker(asking, p), q, shift, add_rn(cutoff, asked.skin));
  }

  /// Returns the image of a pair for the positions as the user passed them.
  HGRID_HD Image image(index_t p, index_t q, const Shift<D>& shift) const {
    Image m = asked.with_box(world_of(p), [&](const Box<D>& box) { return image_of(box, shift); });
    for (int k = 0; k < D; ++k) m[k] += asking.periods(p, k) - asked.periods(q, k);
    return m;
  }

  /// Returns the smaller cut-off of both sets' tables, which may differ. It is at most twice either radius, so the search
  /// reaches every contact.
  HGRID_HD static double smaller_cutoff(const CutoffTable& a, const CutoffTable& b, index_t of_i, index_t of_j) {
    const double first = a.between(of_i, of_j), second = b.between(of_i, of_j);
    return first < second ? first : second;
  }

  HGRID_HD index_t world_of(index_t p) const { return asked.has_worlds() ? asking.world[p] : 0; }

  /// Calls f(begin, end, shift) for the runs of slots on a level of `asked` that may hold partners of a query particle, in this
  /// box of its world. Runs may be empty.
  template <class F>
  HGRID_HD void for_each_run(const Box<D>& box, const Asker<D>& own, index_t world, int level, F&& f) const {
    Vec<double, D> reach;
    for (int k = 0; k < D; ++k) {
      const double distance = asked.has_extents() ? listing_extent(asked, own.extent[k], level, k)
                                                  : listing_distance_in(asked, own.a, asked.radius_max[level]);
      reach[k] = search_reach(distance, own.x[k], shift_scale(box, k));
    }
    for_each_image(box, own.x, own.x, reach, [&](const Shift<D>& shift) {
      CellRange<D> range;
      for (int k = 0; k < D; ++k) {
        const double centre = own.x[k] - shift.by[k];
        const auto cell_of = [&](double at) { return asked.cell_of(asked.level[level], world, k, at); };
        const CellSpan cells = cells_in_reach(centre, centre, reach[k], cell_of);
        range.first[k] = cells.first, range.last[k] = cells.last;
      }
      for_each_run_in(asked, level, world, range, [&](index_t begin, index_t end) { f(begin, end, shift); });
    });
  }

  /// Calls f(q, shift) for the slots of `asked` that are partners of slot p.
  template <class F>
  HGRID_HD void for_each_partner(index_t p, F&& f) const {
    const Asker<D> own = asker(asking, p);
    const index_t world = world_of(p);
    asked.with_box(world, [&](const Box<D>& box) {
      for (int level = 0; level < asked.level_count; ++level) {
        const auto test = [&](index_t begin, index_t end, const Shift<D>& shift) {
          for (index_t q = begin; q < end; ++q) {
            if (in_contact(asked, own, q, shift) && reports(p, q, shift)) f(q, shift);
          }
        };
        if constexpr (takes_items_in_turn()) {  // on hosts
          for_each_run(box, own, world, level, NearRuns<D, Certain, decltype(test)>{asking, asked, p, test});
        } else {
          for_each_run(box, own, world, level, test);
        }
      }
    });
  }
};

}  // namespace hgrid::inline v0_2::detail
