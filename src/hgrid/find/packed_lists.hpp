// SPDX-License-Identifier: BSD-3-Clause
// Additions for packed lists: images between wrapped positions, and the periods that wrapping subtracted.
#pragma once

#include "hgrid/cells/stages.hpp"
#include "hgrid/engine/grid_state.hpp"
#include "hgrid/find/asked_grid.hpp"
#include "hgrid/lists.hpp"

namespace hgrid::inline v0_2::detail {

/// Copies the periods by which each particle lies outside the box, from slots to ids.
template <int D>
struct PeriodsOfIds {
  GridView<D> grid;
  Image* periods;

  HGRID_HD void operator()(offset_t slot) const {
    if (slot < grid.slots()) periods[grid.id[slot]] = grid.wraps[slot];
  }
};

/// Throws `unsupported` if images may be too large for the entries of the list.
template <class Exec, int D, class Memory>
void require_fitting_images(const NeighbourArrays<Memory>&, const GridState<Exec, D>&) {}
template <class Exec, int D, class Memory>
void require_fitting_images(const NeighbourArrays<Memory, PackedNeighbour>&, const GridState<Exec, D>& grid) {
  if (fits_packed(grid.box, grid.boxes.now())) return;
  throw Error(ErrorCode::unsupported,
              "the box is tilted by so many periods that images may be too large for a packed list; take another list, or "
              "vectors that are less tilted",
              {.argument = "list"});
}

/// Returns the grid as the search of such a list sees it: without wraps for a packed list.
template <class Exec, int D, class Memory>
GridView<D> seen_by(const NeighbourArrays<Memory>&, const GridState<Exec, D>& grid) {
  return grid.view();
}
template <class Exec, int D, class Memory>
GridView<D> seen_by(const NeighbourArrays<Memory, PackedNeighbour>&, const GridState<Exec, D>& grid) {
  GridView<D> g = grid.view();
  g.wraps = nullptr;
  return g;
}

/// Fills the periods of a packed list. Returns false if there is no room.
template <class Exec, int D, class Memory>
bool note_periods(const Exec&, const GridState<Exec, D>&, NeighbourArrays<Memory>&) {
  return true;
}
template <class Exec, int D, class Memory>
bool note_periods(const Exec& exec, const GridState<Exec, D>& grid, NeighbourArrays<Memory, PackedNeighbour>& list) {
  const GridView<D> g = grid.view();
  list.has_periods = g.has_wraps();
  if (!list.has_periods) return true;
  if (list.periods.size() < grid.count) return list.has_periods = false;
  exec.for_each("hgrid::clear_periods", grid.count, Fill<Image>{list.periods.data(), Image{}});
  exec.for_each("hgrid::note_periods", grid.slots, PeriodsOfIds<D>{g, list.periods.data()});
  return true;
}

struct InspectImage {
  ListView in;

  HGRID_HD void operator()(offset_t k, RegionCheck& check) const {
    const Image m = in.image(k);
    for (int a = 0; a < 3; ++a) {
      if (m[a] >= -PackedNeighbour::most_periods && m[a] <= PackedNeighbour::most_periods) continue;
      return check.join({1, k, static_cast<double>(m[a])});
    }
  }
};

struct PackEntry {
  ListView in;
  PackedNeighbour* out;
  HGRID_HD void operator()(offset_t k) const { out[k] = PackedNeighbour::of(in.neighbour(k), in.image(k)); }
};

/// Packs lists of a query from outside, with the images of positions as given. `check` is in the executor's memory. Waits.
/// Throws `unsupported` if an image does not fit; `out` is then unchanged. Throws `capacity` and `out_of_memory`.
template <class Exec, class Memory>
void pack_lists(const Exec& exec, const NeighbourArrays<Memory>& lists, RegionCheck* check,
                NeighbourArrays<Memory, PackedNeighbour>& out) {
  const ListView in(lists);
  exec.reduce("hgrid::inspect_images", lists.has_images ? offset_t{lists.size} : 0, InspectImage{in}, RegionCheck{}, check);
  const RegionCheck found = exec.read_back(static_cast<const RegionCheck*>(check));
  if (found.bad > 0)
    throw Error(ErrorCode::unsupported,
                "entry " + std::to_string(found.first) + " has an image of " + to_text(found.value) +
                    " periods, and packed lists hold up to 1,023; take another list",
                {.argument = "list", .index = found.first, .value = found.value, .count = found.bad});
  out.enqueued = 0;
  out.make_room(exec, lists.lists, lists.size, lists.has_images, false);
  exec.for_each("hgrid::copy_offsets", offset_t{lists.lists} + 1, CopyAll<offset_t>{lists.offsets.data(), out.offsets.data()});
  exec.for_each("hgrid::pack_entries", lists.size, PackEntry{in, out.entries.data()});
  exec.wait();
  out.lists = index_t{lists.lists}, out.size = offset_t{lists.size};
  out.has_images = lists.has_images, out.has_periods = false, out.of_regions = true;
}

}  // namespace hgrid::inline v0_2::detail
