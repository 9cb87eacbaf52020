// SPDX-License-Identifier: BSD-3-Clause
// The requirements of the host engine: the number of threads, and a way to run parts on them. All other functions are built
// from these two.
#pragma once

#include <atomic>
#include <cstring>
#include <exception>
#include <new>
#include <type_traits>

#include "hgrid/core/entry_order.hpp"
#include "hgrid/core/function_ref.hpp"
#include "hgrid/threads/buffer.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// Carries an exception out of a parallel region, which it must not leave by itself. Keeps the first exception; items that have
/// not started are skipped.
class FirstException {
 public:
  template <class F>
  void guard(const F& f) {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      f();
    } catch (...) {
      if (!failed_.exchange(true)) exception_ = std::current_exception();
    }
  }

  /// Call after the region has ended.
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<bool> failed_{false};
  std::exception_ptr exception_;
};

template <int D>
class HostEngine;

}  // namespace detail

/// Base of executors that run on this machine's cores, in host memory. An executor is a cheap handle, copied by value. Calls
/// return when the work is done. `examples/own_threads.cpp` has one for a user's own threads.
class HostExec {
 public:
  virtual ~HostExec() = default;

  /// Returns the name for reports and calibration files.
  virtual const char* name() const = 0;
  /// Returns how many threads may work at once, at least 1.
  virtual int concurrency() const = 0;
  /// Calls part(k) once for each k in [0, parts), 0 <= parts <= concurrency(), each on a thread of its own if possible; one
  /// after the other is correct, too. Returns when all have run. Parts do not throw. `label` names the work for profilers.
  virtual void run(const char* label, offset_t parts, FunctionRef<void(offset_t)> part) const = 0;
  /// Returns how many items of some 7 nanoseconds are worth waking a thread.
  virtual offset_t grain() const { return 2048; }
  /// Returns how many bytes one buffer may have.
  virtual std::size_t memory_limit() const { return detail::physical_memory(); }

  template <class T>
  using Buffer = detail::HostBuffer<T>;
  template <int D>
  using Engine = detail::HostEngine<D>;
  using Memory = HostExec;  ///< lists are made of its buffers
  static constexpr bool on_host = true;
  static constexpr int radix_bits = 8;

  /// Calls f(part) on separate threads, like `run`, and throws the first exception of f when all have stopped.
  template <class F>
  void run_parts(const char* label, offset_t parts, const F& f) const {
    detail::FirstException failure;
    run(label, parts, [&](offset_t part) { failure.guard([&] { f(part); }); });
    failure.rethrow();
  }

  /// Calls f(worker) once on each of at most `useful` threads.
  template <class F>
  void for_each_worker(const char* label, offset_t useful, const F& f) const {
    const offset_t threads = concurrency();
    run_parts(label, useful < threads ? useful : threads, f);
  }

  template <class F>
  void for_each(const char* label, offset_t n, const F& f) const {
    for_each_part(label, n, [&](offset_t begin, offset_t end) {
      for (offset_t i = begin; i < end; ++i) f(i);
    });
  }

  /// Calls f(begin, end) for parts of [0, n), one per thread.
  template <class F>
  void for_each_part(const char* label, offset_t n, const F& f) const {
    const offset_t parts = parts_of(n);
    run_parts(label, parts, [&](offset_t part) { f(n * part / parts, n * (part + 1) / parts); });
  }

  /// Calls f(item) for items of unequal cost. Threads take the items one by one from the last, which are the most expensive, to
  /// the first.
  template <class F>
  void for_each_item(const char* label, offset_t n, const F& f) const {
    for_each_item(label, n, useful_threads(n, 64), f);
  }
  /// Calls f(item) like `for_each_item` above, on at most `useful` threads.
  template <class F>
  void for_each_item(const char* label, offset_t n, offset_t useful, const F& f) const {
    std::atomic<offset_t> next{0};
    detail::FirstException failure;
    const offset_t threads = concurrency(), most = n < useful ? n : useful;
    run(label, most < threads ? most : threads, [&](offset_t) {
      const F each = f;  // for registers, as in `reduce`
      for (offset_t item; (item = next.fetch_add(1, std::memory_order_relaxed)) < n;) {
        failure.guard([&] { each(n - 1 - item); });
      }
    });
    failure.rethrow();
  }

  template <class V, class F>
  void reduce(const char* label, offset_t n, const F& f, const V& identity, V* out) const {
    fold_parts(
        label, n,
        [&](offset_t begin, offset_t end, V& value) {
          const F each = f;  // a copy, which no other code can write to, so the compiler keeps it in registers
          V folded = value;
          for (offset_t i = begin; i < end; ++i) each(i, folded);
          value = folded;
        },
        identity, out);
  }

  /// Calls f(begin, end, value) to fold parts of [0, n), each into a value of its own. *out receives the values joined.
  template <class V, class F>
  void fold_parts(const char* label, offset_t n, const F& f, const V& identity, V* out) const {
    static_assert(std::is_trivially_copyable_v<V>);
    alignas(V) std::byte memory[most_parts * sizeof(V)];
    V* const value = reinterpret_cast<V*>(memory);
    const offset_t parts = parts_of(n);
    run_parts(label, parts,
              [&](offset_t part) { f(n * part / parts, n * (part + 1) / parts, *new (value + part) V(identity)); });
    *out = identity;
    for (offset_t part = 0; part < parts; ++part) out->join(value[part]);
  }

  template <class T>
  void exclusive_scan(const char* label, T* data, offset_t n) const {
    const offset_t parts = parts_of(n);
    T sums[most_parts + 1] = {};
    run_parts(label, parts, [&](offset_t part) {
      T sum = 0;
      for (offset_t i = n * part / parts, end = n * (part + 1) / parts; i < end; ++i) sum += data[i];
      sums[part + 1] = sum;
    });
    for (offset_t part = 0; part < parts; ++part) sums[part + 1] += sums[part];
    data[n] = sums[parts];
    run_parts(label, parts, [&](offset_t part) {
      T sum = sums[part];
      for (offset_t i = n * part / parts, end = n * (part + 1) / parts; i < end; ++i) {
        const T value = data[i];
        data[i] = sum;
        sum += value;
      }
    });
  }

  /// Returns how many threads are useful for n items if each takes as long as `work` items of `parts_of`.
  offset_t useful_threads(offset_t n, offset_t work) const { return (n * work + grain() - 1) / grain(); }

  /// Returns into how many parts n items of some 7 nanoseconds are cut.
  offset_t parts_of(offset_t n) const {
    const offset_t useful = useful_threads(n, 1), threads = concurrency();
    const offset_t parts = useful < threads ? useful : threads;
    return parts < 1 ? 1 : (parts < most_parts ? parts : most_parts);
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

  // Scans keep their sums on the stack, sorts keep their counts beside the keys, and lists are sorted in place.
  template <class T>
  void reserve_scan(offset_t) const {}
  template <class Key>
  void reserve_sort(offset_t, int) const {}
  void reserve_lists(offset_t, offset_t) const {}

  template <class Buffers>
  void sort_keys(Buffers& s, offset_t n, int key_bits) const {
    radix_sort(*this, s, n, key_bits);
  }

  template <class Offset, class Entries>
  void sort_lists(offset_t lists, const Offset* offsets, const Entries& entries, offset_t) const {
    for_each_item("hgrid::sort_lists", lists, detail::SortLists<Offset, Entries>{lists, 1, offsets, entries});
  }

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

 protected:
  HostExec() = default;
  HostExec(const HostExec&) = default;
  HostExec& operator=(const HostExec&) = default;

 private:
  static constexpr offset_t most_parts = 256;  // bounds the memory on the stack
};

}  // namespace hgrid::inline v0_2
