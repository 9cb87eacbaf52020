// SPDX-License-Identifier: BSD-3-Clause
// From the view to results: loops over items around the search. An item is a group of slots, so that counts use little memory.
// The coarsest particles, which search most under Top-Down, are in the last slots and start first.
#pragma once

#include "hgrid/core/search.hpp"
#include "hgrid/plan.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr offset_t slots_per_plain_item = 64;

HGRID_HD inline offset_t item_end(offset_t item, offset_t slots) {
  const offset_t end = (item + 1) * slots_per_plain_item;
  return end < slots ? end : slots;
}

/// Counts the contacts of each item.
template <int D>
struct CountContacts {
  GridView<D> grid;
  offset_t* counts;

  HGRID_HD void operator()(offset_t item) const {
    offset_t n = 0;
    for (offset_t p = item * slots_per_plain_item; p < item_end(item, grid.slots()); ++p) {
      for_each_partner_slot<Visit::once>(grid, static_cast<index_t>(p), [&](index_t, const Shift<D>&) { ++n; });
    }
    counts[item] = n;
  }
};

/// Writes the contacts of each item from its offset on.
template <int D>
struct WriteContacts {
  GridView<D> grid;
  const offset_t* offsets;
  Pair* pairs;
  Image* images;  // or null

  HGRID_HD void operator()(offset_t item) const {
    offset_t to = offsets[item];
    for (offset_t p = item * slots_per_plain_item; p < item_end(item, grid.slots()); ++p) {
      const auto write = [&](index_t i, index_t j, const Image& image) {
        pairs[to] = {i, j};
        if (images != nullptr) images[to] = image;
        ++to;
      };
      for_each_partner_slot<Visit::once>(grid, static_cast<index_t>(p), [&](index_t q, const Shift<D>& shift) {
        report_listed(grid, static_cast<index_t>(p), q, shift, write);
      });
    }
  }
};

/// Calls the user's functor as f(i, j, image) once for each contact.
template <int D, class F>
struct VisitContacts {
  GridView<D> grid;
  F f;

  HGRID_HD void operator()(offset_t item) const {
    for (offset_t p = item * slots_per_plain_item; p < item_end(item, grid.slots()); ++p) {
      for_each_contact(grid, static_cast<index_t>(p), f);
    }
  }
};

/// Calls the user's functor as f(i, j, image) for all partners j of each particle i, by one thread per i.
template <int D, class F>
struct VisitPartners {
  GridView<D> grid;
  F f;

  HGRID_HD void operator()(offset_t item) const {
    for (offset_t p = item * slots_per_plain_item; p < item_end(item, grid.slots()); ++p) {
      const index_t i = grid.id[p];
      for_each_partner(grid, static_cast<index_t>(p), [&](index_t j, const Image& image) { f(i, j, image); });
    }
  }
};

/// Counts the work of the search of slot p.
template <int D>
struct CountWork {
  GridView<D> grid;

  struct Count {
    WorkCount& work;

    HGRID_HD void operator()(index_t begin, index_t end, const Shift<D>&) const {
      ++work.rows;
      if (begin < end) work.candidates += end - begin;
    }
    HGRID_HD void looked(index_t boxes) const { work.boxes += boxes; }
  };

  HGRID_HD void operator()(offset_t p, WorkCount& work) const {
    if (p < grid.slots()) for_each_candidate_run<Visit::once>(grid, static_cast<index_t>(p), Count{work});
  }
};

}  // namespace hgrid::inline v0_2::detail
