// SPDX-License-Identifier: BSD-3-Clause
// Lists that are counted before they are written, and whether they have room then.
#pragma once

#include "hgrid/core/macros.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// Whether lists have been counted that have room; null: the host knows.
struct ListsHaveRoom {
  const offset_t* found = nullptr;
  offset_t room = 0;

  HGRID_HD bool operator()() const { return found == nullptr || (*found >= 0 && *found <= room); }
};

/// No entries where there is no room.
struct EmptyLists {
  ListsHaveRoom have_room;
  offset_t* offsets;

  HGRID_HD void operator()(offset_t list) const {
    if (!have_room()) offsets[list] = 0;
  }
};

/// The entries of lists that were counted, some from pairs: none of these are admitted if not all were, or lists have no room.
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
