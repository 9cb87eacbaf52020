// SPDX-License-Identifier: BSD-3-Clause
// Neighbor lists by bricks, at any density.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "host/neighbours/brick_search.hpp"
#include "support/fail.hpp"
#include "support/results.hpp"

namespace support {

/// Calls use(rows, wraps) for the rows that bricks find, once there is memory for all of them; wraps: of ids. False if some
/// image has no code.
template <int D, class Use>
bool use_rows_by_bricks(const hgrid::HostExec& exec, hgrid::GridView<D> g, hgrid::offset_t particles, hgrid::ListKind kind,
                        hgrid::offset_t guess, const Use& use) {
  std::vector<hgrid::Image> wraps(static_cast<std::size_t>(particles));
  for (hgrid::index_t p = 0; p < g.slots() && g.wraps != nullptr; ++p) wraps[static_cast<std::size_t>(g.id[p])] = g.wraps[p];
  g.wraps = nullptr;
  hgrid::detail::FoundRows rows;
  hgrid::detail::HostBuffer<hgrid::detail::BrickRoom<D>> room(exec, exec.concurrency());
  const hgrid::Watch watch;
  std::atomic<bool> no_code{false};
  hgrid::offset_t entries = -1;
  do {
    rows.begin(exec, particles, g.slots() < particles, guess, g.periodic, true);
    hgrid::detail::find_rows<D>(exec, hgrid::detail::OneGrid<D>(g), particles, kind, watch, rows, room.data(), no_code);
    if (no_code) return false;
    if (entries >= 0 && rows.entries() != entries) fail("entries without memory are not counted");
    entries = guess = rows.entries();
  } while (!rows.has_all());
  rows.settle(exec);
  use(rows, wraps);
  return true;
}

/// Their contacts.
template <int D>
std::optional<Contacts> rows_by_bricks(const hgrid::HostExec& exec, const hgrid::GridView<D>& g, hgrid::offset_t particles,
                                       hgrid::ListKind kind, hgrid::offset_t guess) {
  Contacts found;
  const auto add = [&](const hgrid::detail::FoundRows& rows, const std::vector<hgrid::Image>& wraps) {
    const auto row = [&](hgrid::index_t i, hgrid::offset_t first, const hgrid::index_t* ids, const auto* codes, int n) {
      if (first != static_cast<hgrid::offset_t>(found.size())) fail("a row is not where it begins");
      for (int k = 0; k < n; ++k) {
        hgrid::Image m = codes == nullptr ? hgrid::Image{} : hgrid::detail::image_of_code(codes[k]);
        const hgrid::Image& of_i = wraps[static_cast<std::size_t>(i)];
        const hgrid::Image& of_j = wraps[static_cast<std::size_t>(ids[k])];
        for (int a = 0; a < 3; ++a) m[a] += of_i[a] - of_j[a];
        found.push_back({i, ids[k], {m[0], m[1], m[2]}});
      }
    };
    rows.for_each(0, particles, nullptr, row);
  };
  if (!use_rows_by_bricks(exec, g, particles, kind, guess, add)) return {};
  return found;
}

}  // namespace support
