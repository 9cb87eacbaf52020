// SPDX-License-Identifier: BSD-3-Clause
// Whether lists that are counted before they are written have room.
#pragma once

#include "hgrid/core/macros.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns whether the counted lists have room. `found` is null if the host knows that they do.
struct ListsHaveRoom {
  const offset_t* found = nullptr;
  offset_t room = 0;

  HGRID_HD bool operator()() const { return found == nullptr || (*found >= 0 && *found <= room); }
};

/// Empties all lists if there is no room.
struct EmptyLists {
  ListsHaveRoom have_room;
  offset_t* offsets;

  HGRID_HD void operator()(offset_t list) const {
    if (!have_room()) offsets[list] = 0;
  }
};

/// Keeps the number of entries of counted lists. Admits no pairs if some were not admitted, or if the lists have no room.
struct AdmitLists {
  const offset_t* entries;
  offset_t room;
  offset_t* needed;
  offset_t* admitted;

  HGRID_HD void operator()(offset_t) const {
    if (*needed >= 0) *needed = *entries;
    if (!ListsHaveRoom{needed, room}()) *admitted = 0;
  }
};

}  // namespace hgrid::inline v0_2::detail
