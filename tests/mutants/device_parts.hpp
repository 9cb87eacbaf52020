// SPDX-License-Identifier: BSD-3-Clause
// The device engine in host memory.
#pragma once

#include "hgrid/cells/radix_cells.hpp"
#include "hgrid/device/device_engine.hpp"
#include "hgrid/find/plain_search.hpp"
#include "support/pieces_exec.hpp"

namespace {

/// Runs the device engine in host memory, with a sort by keys.
class DeviceParts : public support::PiecesExec<3> {
 public:
  using Memory = DeviceParts;
  template <int D>
  using Engine = hgrid::detail::DeviceEngine<DeviceParts, D>;
  template <int D>
  using Search = hgrid::detail::PlainSearch<DeviceParts, D>;
  template <int D>
  using CellSort = hgrid::detail::RadixCells<DeviceParts, D>;
  using ListSort = hgrid::detail::ScatterEntries<DeviceParts>;
  static constexpr bool on_host = false, is_host_code = true, keeps_filter = true, gathers_records = true;
  static constexpr hgrid::SearchCosts search_costs{};

  void require_may_wait() const {}
  template <class Key>
  void sort_keys(hgrid::detail::SortBuffers<DeviceParts, Key>& s, hgrid::offset_t n, int key_bits) const {
    hgrid::detail::radix_sort(*this, s, n, key_bits);
  }
};

}  // namespace
