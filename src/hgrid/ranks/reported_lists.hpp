// SPDX-License-Identifier: BSD-3-Clause
// The contacts that a rank reports, from lists of contacts between two sets.
#pragma once

#include "hgrid/lists.hpp"
#include "hgrid/ranks/rank_rules.hpp"

namespace hgrid::inline v0_2::detail {

/// Counts the reported contacts of list i.
template <int D>
struct CountReported {
  HeldSets<D> held;
  ListView lists;
  offset_t* counts;

  HGRID_HD void operator()(offset_t i) const {
    const auto list = static_cast<index_t>(i);
    offset_t n = 0;
    for (offset_t k = lists.offsets[i]; k < lists.offsets[i + 1]; ++k)
      n += held.reports(list, lists.neighbour(k), lists.image(k)) ? 1 : 0;
    counts[i] = n;
  }
};

/// Writes the reported contacts of list i, in order.
template <int D>
struct TakeReported {
  HeldSets<D> held;
  ListView lists;
  const offset_t* offsets;
  ListEntries out;

  HGRID_HD void operator()(offset_t i) const {
    const auto list = static_cast<index_t>(i);
    offset_t to = offsets[i];
    for (offset_t k = lists.offsets[i]; k < lists.offsets[i + 1]; ++k) {
      const ListEntries::Entry entry{lists.neighbour(k), lists.image(k)};
      if (held.reports(list, entry.neighbour, entry.image)) out.set(to++, entry);
    }
  }
};

/// Fills `out`, which is unchanged if there is no memory. Waits.
template <class Exec, int D>
void take_reported(const Exec& exec, const NeighbourList<Exec>& found, const HeldSets<D>& held,
                   NeighbourArrays<typename Exec::Memory>& out) {
  const ListView lists(found);
  exec.template reserve_scan<offset_t>(lists.lists);
  out.make_room(exec, lists.lists, found.size(), found.has_images(), false);
  out.size = 0, out.lists = 0, out.of_regions = true, out.has_images = found.has_images();
  exec.for_each("hgrid::count_reported", lists.lists, CountReported<D>{held, lists, out.offsets.data()});
  exec.exclusive_scan("hgrid::scan_reported", out.offsets.data(), lists.lists);
  exec.for_each("hgrid::take_reported", lists.lists,
                TakeReported<D>{held, lists, out.offsets.data(), out.to_fill(out.has_images)});
  out.size = exec.read_back(static_cast<const offset_t*>(out.offsets.data() + lists.lists));
  out.lists = lists.lists;
}

}  // namespace hgrid::inline v0_2::detail
