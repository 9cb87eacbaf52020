// SPDX-License-Identifier: BSD-3-Clause
// The requirements of the device engine. An executor is a cheap handle that is copied by value. Work is issued in order, and
// may still be running when a call returns. Models: CudaExec in device/cuda_exec.hpp, KokkosExec of device spaces in
// kokkos_exec.hpp. Hosts have an engine of their own, with fewer requirements (HostExec).
#pragma once

#include <concepts>

#include "hgrid/core/types.hpp"
#include "hgrid/options.hpp"

namespace hgrid::inline v0_2::detail {

struct AnyIndexFunctor {
  HGRID_HD void operator()(offset_t) const {}
};
struct AnySum {
  offset_t value = 0;
  HGRID_HD void join(const AnySum& other) { value += other.value; }
};
struct AnySumFunctor {
  HGRID_HD void operator()(offset_t, AnySum&) const {}
};

/// Launch:
/// - `for_each(name, n, f)`: calls f(i) for i in [0, n), in any order.
/// - `for_each_item(name, n, f)`: calls f(i) likewise, for items of unequal cost; the last items are the most expensive.
/// - `reduce(name, n, f, identity, out)`: f(i, value) folds item i into a value; values are joined by
///   `value.join(other)`; *out receives the result. Joins must be associative and commutative. If f has fetch(i), CudaExec
///   calls it some rounds earlier.
/// - `atomic_add`, `atomic_max`: within f; for BucketCells also `draw(count, which)`, the next number of a word.
/// Scan:
/// - `exclusive_scan(name, data, n)`: in place; data[n] receives the total, so data has n + 1 entries.
/// Sort:
/// - `CellSort<D>`: how particles are sorted into cells (RadixCells or BucketCells); its `sort_keys(buffers, n, bits)`.
/// - `ListSort`: how pairs are sorted into lists (ScatterEntries); its `sort_lists(lists, offsets, entries, count)`.
/// - `parts_of(n)`: into how many sequential parts `radix_sort` cuts n items; `radix_bits`: its digit.
/// - `gathers_records`, optional: RadixCells copies particles to records, and then reads these in slot order.
/// Search:
/// - `Search<D>`: its schedule (PlainSearch or DeviceSearch); `keeps_filter`: whether it reads filter records.
/// - `search_costs`: the costs used by planning, unless there is a calibration.
/// Memory:
/// - `Buffer<T>`: move-only, uninitialised; `Buffer<T>(exec, n)` throws `out_of_memory`. `memory_limit()`: the most bytes for
///   one buffer. `Memory`: the executor itself; lists are made of its buffers.
/// - `reserve_scan<T>(n)`, `reserve_sort<Key>(n, bits)`, `reserve_lists(lists, count)`: reserve scratch, so that later calls
///   need not allocate; throw `out_of_memory`.
/// - `copy_in(to, from, n)`, `copy_out(to, from, n)`: from host memory into the executor's, and back; `read_back(p)`: *p. All
///   three wait, like `wait()`. `require_may_wait()` throws if waiting is not possible now.
// clang-format off
template <class E>
concept DeviceExecutor = std::copy_constructible<E> &&
    requires(const E exec, offset_t n, offset_t* data, const offset_t* source, double* maximum, const char* name) {
      { E::radix_bits } -> std::convertible_to<int>;
      { E::keeps_filter } -> std::convertible_to<bool>;
      { E::search_costs } -> std::convertible_to<SearchCosts>;
      { exec.name() } -> std::convertible_to<const char*>;
      { exec.parts_of(n) } -> std::convertible_to<offset_t>;
      { exec.memory_limit() } -> std::convertible_to<std::size_t>;
      exec.for_each(name, n, AnyIndexFunctor{});
      exec.for_each_item(name, n, AnyIndexFunctor{});
      exec.reduce(name, n, AnySumFunctor{}, AnySum{}, static_cast<AnySum*>(nullptr));
      exec.exclusive_scan(name, data, n);
      exec.template reserve_scan<offset_t>(n);
      exec.template reserve_sort<cell_key_t>(n, 64);
      exec.reserve_lists(n, n);
      exec.require_may_wait();
      exec.wait();
      exec.copy_in(data, source, n);
      exec.copy_out(data, source, n);
      { exec.read_back(source) } -> std::same_as<offset_t>;
      { E::atomic_add(data, n) } -> std::same_as<offset_t>;
      E::atomic_max(maximum, 0.0);
      typename E::Memory;
      typename E::template Buffer<offset_t>;
      typename E::template Search<3>;
      typename E::template CellSort<3>;
      typename E::ListSort;
    };
// clang-format on

}  // namespace hgrid::inline v0_2::detail
