// SPDX-License-Identifier: BSD-3-Clause
// Copies of lists on a device, if only the device knows their numbers of entries.
#pragma once

#include <algorithm>

#include "hgrid/cells/stages.hpp"
#include "hgrid/lists.hpp"

namespace hgrid::inline v0_2::detail {

/// Copies the `*count` entries that are there, of an array with room for more.
template <class T>
struct CopyFirst {
  const T* from;
  T* to;
  const offset_t* count;

  HGRID_HD void operator()(offset_t k) const {
    if (k < *count) to[k] = from[k];
  }
};

template <class Exec, class T>
void copy_first(const Exec& exec, const T* from, T* to, const offset_t* count, offset_t room) {
  if (room > 0) exec.for_each("hgrid::copy_entries", room, CopyFirst<T>{from, to, count});
}
template <class Exec, class T>
void copy_all(const Exec& exec, const T* from, T* to, offset_t n) {
  exec.for_each("hgrid::copy_lists", n, CopyAll<T>{from, to});
}

/// Copies a list to memory with as much room. Only the device knows the number of entries.
template <class Exec, class Memory, class Entry>
void copy_list(const Exec& exec, NeighbourArrays<Memory, Entry>& from, NeighbourArrays<Memory, Entry>& to) {
  const offset_t lists = from.lists, room = std::min(from.room(from.has_images), to.room(from.has_images));
  const offset_t* const count = from.offsets.data() + lists;
  copy_all(exec, from.offsets.data(), to.offsets.data(), lists + 1);
  copy_first(exec, from.entries.data(), to.entries.data(), count, room);
  if constexpr (std::is_same_v<Entry, PackedNeighbour>) {
    if (from.has_periods) copy_all(exec, from.periods.data(), to.periods.data(), lists);
    to.has_periods = from.has_periods;
  } else if (from.has_images) {
    copy_first(exec, from.images.data(), to.images.data(), count, room);
  }
  to.lists = index_t{from.lists}, to.has_images = from.has_images;
}

}  // namespace hgrid::inline v0_2::detail
