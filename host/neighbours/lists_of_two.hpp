// SPDX-License-Identifier: BSD-3-Clause
// Neighbour lists of two sets on hosts: one for each particle of a grid that asks another one.
#pragma once

#include "hgrid/lists/asked_lists.hpp"
#include "host/neighbours/collected_lists.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
class ListsOfTwo {
 public:
  /// Fills `out` with a list for each of the particles that ask, of `ids` others, which `search` is of. Throws `capacity` and
  /// `out_of_memory`, and what the predicate throws, and `out` has no lists then; `stopped` if the watch says so.
  void fill(const HostExec& exec, HostSearch<D>& search, const AskedBy<D>& grids, offset_t lists, offset_t ids,
            NeighbourArrays<HostExec>& out) {
    out.size = 0, out.lists = 0, out.of_regions = true;
    const bool coded = grids.touches == nullptr || foresee(exec, search, grids, lists);
    if (!coded || !collected_.collect_all(exec, search, grids, lists, ids, ListKind::full)) {
      const auto touches = [&](index_t i, index_t j, const Image& image) {
        const Contact contact{i, j, image};
        bool touch = true;
        if (grids.touches != nullptr) (*grids.touches)(&contact, 1, &touch);
        return touch;
      };
      return fill_asked(exec, AskingSlots<D>{grids}, static_cast<index_t>(lists), touches, grids.asked.periodic, out);
    }
    const bool images = grids.asked.periodic;
    const offset_t n = collected_.entries();
    collected_.reserve_wraps(exec, grids.asking.has_wraps() ? lists : 0, grids.asked.has_wraps() ? ids : 0);
    out.make_room(exec, static_cast<index_t>(lists), n, images, false);
    collected_.write(exec, ToLists({out.offsets.data(), out.to_fill(images)}),
                     {collected_.wraps_of_lists(exec, grids.asking), collected_.wraps_of_others(exec, grids.asked)});
    out.offsets.data()[lists] = n;
    out.lists = static_cast<index_t>(lists), out.size = n, out.has_images = images;
  }

 private:
  // Counts the contacts that a predicate will be asked for, so that there is room for them and none is asked for twice. False
  // if some image has no code.
  bool foresee(const HostExec& exec, HostSearch<D>& search, const AskedBy<D>& grids, offset_t lists) {
    std::atomic<offset_t> total{0};
    std::atomic<bool> no_code{false};
    search.search_for(exec, grids, [&](offset_t) { return CountSinkOfTwo<D>(grids, total, no_code); });
    collected_.expect(lists, total);
    return !no_code;
  }

  CollectedLists<D> collected_;
};

}  // namespace hgrid::inline v0_2::detail
