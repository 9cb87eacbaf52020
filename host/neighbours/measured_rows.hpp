// SPDX-License-Identifier: BSD-3-Clause
// Measures the entries of all lists, one list after the other: rows as a search found them, or complete lists.
#pragma once

#include "hgrid/lists.hpp"
#include "hgrid/memory/reserve.hpp"
#include "hgrid/threads/host_exec.hpp"
#include "host/neighbours/measure_kernels.hpp"

namespace hgrid::inline v0_2::detail {

/// Lists as the search found them, which lie anywhere in memory.
struct RowsAsFound {
  const FoundRows& rows;  // settled
  const Image* wraps;     // of ids, or null
  const index_t* order;   // the order in which rows are measured; null: their own

  offset_t size() const { return rows.size(); }
  offset_t before(offset_t i) const { return rows.before(i); }
  template <class F>
  void for_each(offset_t from, offset_t to, const F& f) const {
    rows.for_each(from, to, order, [&](index_t i, offset_t, const index_t* ids, const FoundRows::Code* codes, index_t n) {
      f(ListRow{i, n, ids, codes, nullptr, wraps});
    });
  }
};

/// Complete lists, with images.
struct RowsOfLists {
  ListView list;

  offset_t size() const { return list.lists; }
  offset_t before(offset_t i) const { return list.offsets[i]; }
  template <class F>
  void for_each(offset_t from, offset_t to, const F& f) const {
    for (offset_t i = from; i < to; ++i) {
      const offset_t first = before(i);
      f(ListRow{static_cast<index_t>(i), static_cast<index_t>(before(i + 1) - first), list.neighbours + first, nullptr,
                list.images == nullptr ? nullptr : list.images + first, nullptr});
    }
  }
};

// Larger writes bypass the caches: a whole line is then not read before it is written.
inline constexpr std::size_t most_cached = std::size_t{1} << 25;

/// Writes the wanted entries of all lists, and returns their number. If nearly all are expected to be wanted, they are counted
/// while they are written, and written again only if some were not wanted.
template <class Lists, class Real, int D>
offset_t write_measured(const HostExec& exec, const Lists& lists, const WantedEntries<Real, D>& wanted,
                        const EntryOutput& out) {
  const offset_t n = lists.size(), most = lists.before(n) + (wanted.itself ? n : 0);
  exec.reserve_scan<offset_t>(n);
  EntryColumns columns{};
  const auto make_room = [&](offset_t entries) {
    columns = out.room(entries);
    columns.past_caches |= static_cast<std::size_t>(entries) * columns.bytes(D) > most_cached;
  };
  const auto for_each_row = [&](const auto& f) {
    exec.for_each_part("hgrid::write_entries", n, [&](offset_t from, offset_t to) {
      lists.for_each(from, to, f);
      if (columns.past_caches) finish_rows();
    });
  };
  if (wanted.expects_all) make_room(most);
  for_each_row([&](const ListRow& row) {
    const offset_t at = lists.before(row.i) + (wanted.itself ? row.i : 0);
    out.offsets[row.i] = write_row(wanted, row, columns, at) - at;
  });
  exec.exclusive_scan("hgrid::scan_entries", out.offsets, n);
  const offset_t size = out.offsets[n];
  if (wanted.expects_all && size == most) return size;
  make_room(size);
  for_each_row([&](const ListRow& row) { write_row(wanted, row, columns, out.offsets[row.i]); });
  return size;
}

}  // namespace hgrid::inline v0_2::detail
