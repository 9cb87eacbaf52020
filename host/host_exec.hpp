// SPDX-License-Identifier: BSD-3-Clause
// What all host executors share: everything that can be said in terms of "run these parts".
#pragma once

#include <atomic>
#include <cstring>
#include <mutex>

#include "hgrid/build/executor.hpp"
#include "hgrid/build/radix_sort.hpp"
#include "hgrid/host/buffer.hpp"
#include "hgrid/host/input_blocks.hpp"
#include "hgrid/host/partition_cells.hpp"
#include "hgrid/host/partition_rows.hpp"
#include "hgrid/host/search/host_search.hpp"

namespace hgrid {

/// Base of host executors. `Derived` supplies concurrency(), run(parts, f): f(part) once for each part, at most one
/// part a thread, and run_dynamic(n, f): f(item) for items handed out one by one.
template <class Derived>
class HostExec {
 public:
  template <class T>
  using Buffer = HostBuffer<T>;
  template <int D>
  using Search = HostSearch<Derived, D>;
  template <int D>
  using CellSort = PartitionCells<Derived, D>;
  using RowSort = PartitionRows<Derived>;
  static constexpr bool on_host = true;
  static constexpr int radix_bits = 8;

  template <class F>
  void for_each(const char*, offset_t n, const F& f) const {
    for_each_part(n, [&](offset_t begin, offset_t end) {
      for (offset_t i = begin; i < end; ++i) f(i);
    });
  }

  template <class Real, int D, class Key>
  void for_each(const char*, offset_t n, const MakeKey<Derived, Real, D, Key>& make) const {
    for_each_part(n, [&](offset_t begin, offset_t end) { make_keys_of_range(make, begin, end); });
  }

  template <class F>
  void for_each_block(const char*, offset_t n, const F& f) const {
    self().run_dynamic(n, [&](offset_t item) { f(n - 1 - item); });
  }

  template <class V, class F>
  void reduce(const char*, offset_t n, const F& f, const V& identity, V* out) const {
    fold_parts(n, [&](offset_t begin, offset_t end, V& value) {
      const F each = f;  // copies, which nothing else can write to, so that the compiler keeps them in registers
      V folded = value;
      for (offset_t i = begin; i < end; ++i) each(i, folded);
      value = folded;
    }, identity, out);
  }

  template <class Real, int D>
  void reduce(const char*, offset_t n, const InspectParticle<Real, D>& inspect, const InputSummary<D>& identity,
              InputSummary<D>* out) const {
    fold_parts(n, [&](offset_t begin, offset_t end, InputSummary<D>& found) { inspect_range(inspect, begin, end, found); },
               identity, out);
  }

  template <class T>
  void exclusive_scan(const char*, T* data, offset_t n) const {
    const offset_t parts = parts_of(n);
    T sums[max_parts + 1] = {};
    self().run(parts, [&](offset_t part) {
      T sum = 0;
      for (offset_t i = n * part / parts, end = n * (part + 1) / parts; i < end; ++i) sum += data[i];
      sums[part + 1] = sum;
    });
    for (offset_t part = 0; part < parts; ++part) sums[part + 1] += sums[part];
    data[n] = sums[parts];
    self().run(parts, [&](offset_t part) {
      T sum = sums[part];
      for (offset_t i = n * part / parts, end = n * (part + 1) / parts; i < end; ++i) {
        const T value = data[i];
        data[i] = sum;
        sum += value;
      }
    });
  }

  template <class Key>
  void sort_keys(SortBuffers<Derived, Key>& s, offset_t n, int key_bits) const {
    radix_sort(self(), s, n, key_bits);
  }

  void wait() const {}  // all work has run when a call returns
  template <class T>
  void copy_in(T* to, const T* from, offset_t n) const {
    if (n > 0) std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
  }
  template <class T>
  void copy_out(T* to, const T* from, offset_t n) const {
    copy_in(to, from, n);
  }
  template <class T>
  T read_back(const T* p) const {
    return *p;
  }

  template <class F>
  void for_each_worker(const char*, offset_t useful, const F& f) const {
    const offset_t threads = self().concurrency();
    self().run(useful < threads ? useful : threads, f);
  }

  offset_t chunks(offset_t n) const { return parts_of(n); }
  std::size_t memory_limit() const { return physical_memory(); }

  template <class T>
  static T atomic_add(T* p, T value) {
    return std::atomic_ref(*p).fetch_add(value, std::memory_order_relaxed);
  }
  static void atomic_max(double* p, double value) {
    std::atomic_ref<double> maximum(*p);
    double seen = maximum.load(std::memory_order_relaxed);
    while (seen < value && !maximum.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
  }

 private:
  template <class F>
  void for_each_part(offset_t n, const F& f) const {
    const offset_t parts = parts_of(n);
    self().run(parts, [&](offset_t part) { f(n * part / parts, n * (part + 1) / parts); });
  }

  template <class V, class F>
  void fold_parts(offset_t n, const F& f, const V& identity, V* out) const {
    *out = identity;
    std::mutex joining;
    for_each_part(n, [&](offset_t begin, offset_t end) {
      V value = identity;
      f(begin, end, value);
      const std::lock_guard lock(joining);
      out->join(value);
    });
  }

  static constexpr offset_t max_parts = 256;  // bounds what lives on the stack

  const Derived& self() const { return static_cast<const Derived&>(*this); }

  // Small inputs are not worth waking threads for.
  offset_t parts_of(offset_t n) const {
    const offset_t useful = (n + 1023) / 1024, threads = self().concurrency();
    const offset_t parts = useful < threads ? useful : threads;
    return parts < 1 ? 1 : (parts < max_parts ? parts : max_parts);
  }
};

}  // namespace hgrid
