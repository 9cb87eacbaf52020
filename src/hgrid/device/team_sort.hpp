// SPDX-License-Identifier: BSD-3-Clause
// Sorts lists with a team, the threads of a warp or of a block, in its scratch memory: all entries are read before any is
// written. The place of an entry is the number of lesser entries in its list, or among some 32 entries of it. Sorted parts of a
// list are merged two by two; each entry finds its place in the other part.
// | All this compares keys only. At the end, whole entries are compared within a group of equal keys, such as a neighbor under
// several images: these are then next to each other. If there are none, only keys are compared.
//
// Entries:
//   Entry, entry(k)              a copy of entry k
//   less(a, b)                   a total order of entries; smaller keys come first
//   key(k)                       an index_t below the largest value of its type
//   Rest, rest(k), has_rest()    the rest of an entry besides its key, if any
//   write(begin, n, t, threads, keys, rests)   writes thread t's part of n entries from `begin` on
//   set(k, e)                    for lists that are sorted in place
//
// Team:
//   threads, thread()            number of threads, and the place of this one
//   barrier()                    all of them arrive; earlier writes to scratch are then visible
//   any(bit)                     whether some thread has it; all of them arrive
//   sum_of_warp(v)               over the threads of this thread's warp
#pragma once

#include <cstdint>

#include "hgrid/core/macros.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// Scratch for the sort of `most` entries.
template <class Entries, int most>
struct alignas(16) SortRoom {
  index_t key[2][most];          ///< before and after a step
  std::uint16_t order[2][most];  ///< the entries to which the keys belong
  union {
    std::uint32_t list[most];  ///< for several lists: where the list of an entry begins and ends
    typename Entries::Rest rest[most];
  };
};

/// Entries that are sorted among themselves.
struct SortedPart {
  int begin, end;
};

template <class Team, class Entries, int most>
class TeamSort {
 public:
  static constexpr int ranked = 32;  ///< entries of a part of a long list: one per lane, so that a part belongs to one warp
  using Room = SortRoom<Entries, most>;

  HGRID_HD TeamSort(Team& team, Room& room, const Entries& entries, offset_t begin, int n)
      : team_(team), room_(room), entries_(entries), begin_(begin), n_(n) {}

  HGRID_HD void sort() const {
    for (int k = team_.thread(); k < ((n_ + ranked - 1) & -ranked); k += Team::threads) {
      room_.key[0][k] = k < n_ ? entries_.key(begin_ + k) : INT32_MAX;
    }
    team_.barrier();
    bool has_twins = rank([&](int k) { return SortedPart{k & -ranked, (k & -ranked) + ranked}; });
    int now = 1;
    if (n_ > ranked) {
      now = merge();
      bool twin = false;
      for_each([&](int k) {
        twin = twin || (k + 1 < n_ && room_.key[now][k] == room_.key[now][k + 1]);
        room_.order[now ^ 1][room_.order[now][k]] = static_cast<std::uint16_t>(k);
      });
      has_twins = team_.any(twin);
    }
    if (has_twins) order_twins(now, [&](int) { return SortedPart{0, n_}; });
    write(now);
  }

  /// Sorts several lists with a warp. Some lane has noted each list.
  HGRID_HD void sort_lists() const {
    for_each([&](int k) { room_.key[0][k] = entries_.key(begin_ + k); });
    team_.barrier();
    const auto part_of = [&](int k) {
      const std::uint32_t list = room_.list[k];
      return SortedPart{static_cast<int>(list & 0xffff), static_cast<int>(list >> 16)};
    };
    if (rank(part_of)) order_twins(1, part_of);
    write(1);
  }

  HGRID_HD static void note_list(Room& room, int begin, int end) {
    for (int k = begin; k < end; ++k) room.list[k] = static_cast<std::uint32_t>(begin | end << 16);
  }

 private:
  template <class F>
  HGRID_HD void for_each(const F& f) const {
    HGRID_KEEP_ROLLED
    for (int k = team_.thread(); k < n_; k += Team::threads) f(k);
  }

  /// Puts the entries of each part in order, and returns whether this warp has twins: entries with equal keys. Their places go
  /// to order[0]. Without twins the places are a permutation, so the sum of the moves is zero; with twins, two would write to
  /// one place.
  template <class PartOf>
  HGRID_HD bool rank(const PartOf& part_of) const {
    int moved = 0;
    for_each([&](int k) {
      const SortedPart part = part_of(k);
      const index_t key = room_.key[0][k];
      int place = part.begin;
      for (int other = part.begin; other < part.end; ++other) place += room_.key[0][other] < key;
      room_.order[0][k] = static_cast<std::uint16_t>(place);
      moved += place - k;
    });
    const bool has_twins = team_.sum_of_warp(moved) != 0;
    if (has_twins) {
      for_each([&](int k) {
        int place = room_.order[0][k];
        for (int other = part_of(k).begin; other < k; ++other) place += room_.key[0][other] == room_.key[0][k];
        room_.order[0][k] = static_cast<std::uint16_t>(place);
      });
    }
    for_each([&](int k) {
      const int place = room_.order[0][k];
      room_.order[1][place] = static_cast<std::uint16_t>(k);
      room_.key[1][place] = room_.key[0][k];
    });
    team_.barrier();
    return has_twins;
  }

  /// Merges parts until one is left, and returns which key array holds it.
  HGRID_HD int merge() const {
    int now = 1;
    for (int half = ranked; half < n_; half *= 2, now ^= 1) {
      for_each([&](int k) {
        const index_t key = room_.key[now][k];
        const index_t bound = key + ((k & half) != 0);  // of two twins, the one in the first half comes first
        const int begin = (k & -half) ^ half;           // of the other half
        const index_t* const others = &room_.key[now][begin];
        int left = n_ - begin < half ? n_ - begin : half, before = 0;
        HGRID_KEEP_ROLLED
        while (left > 1) {  // without branches, which would make lanes diverge
          const int middle = left / 2;
          before += others[before + middle - 1] < bound ? middle : 0;
          left -= middle;
        }
        if (left == 1) before += others[before] < bound;
        const int place = (k & ~half) + before;
        room_.key[now ^ 1][place] = key;
        room_.order[now ^ 1][place] = room_.order[now][k];
      });
      team_.barrier();
    }
    return now;
  }

  /// Puts entries of one key, which are next to each other, in order by all their members.
  template <class PartOf>
  HGRID_HD void order_twins(int now, const PartOf& part_of) const {
    team_.barrier();
    for_each([&](int k) {
      const SortedPart part = part_of(k);
      const index_t key = room_.key[now][k];
      const int mine = room_.order[now][k];
      int begin = k;
      while (begin > part.begin && room_.key[now][begin - 1] == key) --begin;
      int place = begin;
      for (int other = begin; other < part.end && room_.key[now][other] == key; ++other) {
        if (other != k) place += Entries::less(entry(room_.order[now][other]), entry(mine));
      }
      room_.order[now ^ 1][mine] = static_cast<std::uint16_t>(place);
    });
  }

  HGRID_HD typename Entries::Entry entry(int k) const { return entries_.entry(begin_ + k); }

  /// Writes the list; order[now ^ 1] has the places of entries.
  HGRID_HD void write(int now) const {
    team_.barrier();
    if (entries_.has_rest()) {
      for_each([&](int k) { room_.rest[room_.order[now ^ 1][k]] = entries_.rest(begin_ + k); });
    }
    team_.barrier();
    entries_.write(begin_, n_, team_.thread(), Team::threads, room_.key[now], room_.rest);
    team_.barrier();  // another sort may follow
  }

  Team& team_;
  Room& room_;
  const Entries& entries_;
  offset_t begin_;
  int n_;
};

}  // namespace hgrid::inline v0_2::detail
