// SPDX-License-Identifier: BSD-3-Clause
// What the algorithm asks of a machine. An executor is a cheap handle that is copied by value; work is issued in
// order, and on a device it may still be running when a call returns. Models: SerialExec and OpenMPExec in host/,
// KokkosExec in kokkos_exec.hpp, CudaExec in kernels/.
#pragma once

#include <concepts>

#include "hgrid/core/types.hpp"

namespace hgrid {

namespace detail {
struct AnyIndexFunctor { HGRID_HD void operator()(offset_t) const {} };
struct AnySum {
  offset_t value = 0;
  HGRID_HD void join(const AnySum& other) { value += other.value; }
};
struct AnySumFunctor { HGRID_HD void operator()(offset_t, AnySum&) const {} };
}  // namespace detail

/// - `for_each(name, n, f)`: f(i) for i in [0, n), in any order.
/// - `for_each_block(name, n, f)`: the same for items of unequal cost: handed out dynamically, the last (heaviest)
///   first; on a host the first exception that f throws is rethrown after all items have stopped.
/// - `reduce(name, n, f, identity, out)`: f(i, value) folds item i into a value; values are joined by
///   `value.join(other)`; *out receives the result. Joins must be associative and commutative.
/// - `exclusive_scan(name, data, n)`: in place; data[n] receives the total, so data has n + 1 entries.
/// - `read_back(p)`: waits for the work issued so far and returns *p.
/// - `wait()`: until all work has run;
/// - `copy_in(to, from, n)`, `copy_out(to, from, n)`: from host memory into the executor's, and back; wait.
/// - `chunks(n)`: into how many sequential pieces a sort should cut n items; `radix_bits`: its digit.
/// - `Buffer<T>`: move-only, uninitialised memory; `Buffer<T>(exec, n)` throws `out_of_memory`.
/// - `CellSort<D>`: how particles are sorted into cells (see RadixCells); `sort_keys(buffers, n, bits)`: its sort.
/// - `RowSort`: how pairs are sorted into rows (see ScatterRows).
/// - `Search<D>`: the schedule of the search (see PlainSearch); hosts also have `for_each_worker(name, useful, f)`:
///   f(worker) once on each of at most `useful` threads.
/// - `launch(name, shared, body)`: device executors only: body(block) by every thread of as many blocks as can run, with so
///   many bytes of shared memory each (kernels/block.hpp).
/// - `memory_limit()`: bytes that one buffer may take.
/// - If it likes: `require_may_wait()`: throws where a wait is not possible now; `search_costs`, what planning reckons with (SearchCosts); `keeps_filter`: whether its search reads filter
///   records; `sort_rows(rows, offsets, entries, count)`: its way to sort the entries of each row (see SortRows);
///   `reserve_scan<T>(n)`, `reserve_sort<Key>(n, bits)`, `reserve_rows(rows, count)`: scratch of its own for what will follow;
///   with `launch`: `Block`, what the bodies are given.
template <class E>
concept Executor = std::copy_constructible<E> &&
    requires(const E exec, offset_t n, offset_t* data, const offset_t* source, double* maximum, const char* name) {
      { E::on_host } -> std::convertible_to<bool>;
      { E::radix_bits } -> std::convertible_to<int>;
      { exec.name() } -> std::convertible_to<const char*>;
      { exec.concurrency() } -> std::convertible_to<int>;
      { exec.chunks(n) } -> std::convertible_to<offset_t>;
      { exec.memory_limit() } -> std::convertible_to<std::size_t>;
      exec.for_each(name, n, detail::AnyIndexFunctor{});
      exec.for_each_block(name, n, detail::AnyIndexFunctor{});
      exec.reduce(name, n, detail::AnySumFunctor{}, detail::AnySum{}, static_cast<detail::AnySum*>(nullptr));
      exec.exclusive_scan(name, data, n);
      exec.wait();
      exec.copy_in(data, source, n);
      exec.copy_out(data, source, n);
      { exec.read_back(source) } -> std::same_as<offset_t>;
      { E::atomic_add(data, n) } -> std::same_as<offset_t>;
      E::atomic_max(maximum, 0.0);
      typename E::template Buffer<offset_t>;
      typename E::template Search<3>;
      typename E::template CellSort<3>;
      typename E::RowSort;
    };

}  // namespace hgrid
