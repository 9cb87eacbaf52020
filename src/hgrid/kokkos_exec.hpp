// SPDX-License-Identifier: BSD-3-Clause
// The executor on any Kokkos execution space. Kokkos 3.4 to 5.x.
#pragma once

#include <Kokkos_Core.hpp>
#include <atomic>
#include <optional>
#include <string>

#include "hgrid/build/grid.hpp"
#include "hgrid/host/buffer.hpp"
#include "hgrid/host/first_exception.hpp"
#include "hgrid/host/partition_cells.hpp"
#include "hgrid/host/partition_rows.hpp"
#include "hgrid/host/search/host_search.hpp"

namespace hgrid {

namespace detail {

/// Device memory of a Kokkos memory space: uninitialised, move-only.
template <class T, class MemorySpace>
class KokkosBuffer {
 public:
  KokkosBuffer() = default;
  template <class Exec>
  KokkosBuffer(const Exec&, offset_t n) : size_(n) {
    if (n == 0) return;
    try {
      data_ = static_cast<T*>(Kokkos::kokkos_malloc<MemorySpace>("hgrid", bytes()));
    } catch (const std::exception& e) {  // the type of the failure differs between Kokkos versions
      throw Error(ErrorCode::out_of_memory, e.what(), {.needed = static_cast<std::int64_t>(bytes())});
    }
  }
  KokkosBuffer(KokkosBuffer&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  KokkosBuffer& operator=(KokkosBuffer&& o) noexcept {  // leaves `o` empty: a moved-from grid is not built
    KokkosBuffer taken(std::move(o));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~KokkosBuffer() {  // after finalize the memory space is gone, and its memory with it
    if (data_ != nullptr && Kokkos::is_initialized()) Kokkos::kokkos_free<MemorySpace>(data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  offset_t size() const { return size_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }

 private:
  T* data_ = nullptr;
  offset_t size_ = 0;
};

/// A reducer for values that know how to join themselves.
template <class V, class MemorySpace>
struct JoinReducer {
  using reducer = JoinReducer;
  using value_type = V;
  using result_view_type = Kokkos::View<V, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  V identity;
  result_view_type result;

  KOKKOS_INLINE_FUNCTION void join(V& to, const V& from) const { to.join(from); }
#if KOKKOS_VERSION < 40000
  KOKKOS_INLINE_FUNCTION void join(volatile V& to, const volatile V& from) const {
    const_cast<V&>(to).join(const_cast<const V&>(from));
  }
#endif
  KOKKOS_INLINE_FUNCTION void init(V& value) const { value = identity; }
  KOKKOS_INLINE_FUNCTION V& reference() const { return *result.data(); }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return result; }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return true; }
};

template <class T>
struct ExclusiveScan {
  using value_type = T;
  T* data;
  offset_t n;
  KOKKOS_INLINE_FUNCTION void operator()(offset_t i, T& sum, bool last_pass) const {
    const T value = i < n ? data[i] : T{0};
    if (last_pass) data[i] = sum;
    sum += value;
  }
};

/// Before Kokkos 4.0 two host threads must not dispatch at once; then the second gets an error, not a race.
class Dispatch {
 public:
  Dispatch() {
    if (!Kokkos::is_initialized()) {
      throw Error(ErrorCode::environment, "Kokkos is not initialised; call Kokkos::initialize first");
    }
#if KOKKOS_VERSION < 40000
    if (running().exchange(true)) {
      throw Error(ErrorCode::environment, "this Kokkos runs one host thread at a time; use Kokkos >= 4.0 for several");
    }
#endif
  }
  Dispatch(const Dispatch&) = delete;
#if KOKKOS_VERSION < 40000
  ~Dispatch() { running() = false; }

 private:
  static std::atomic<bool>& running() {
    static std::atomic<bool> flag{false};
    return flag;
  }
#endif
};

}  // namespace detail

/// Runs on one instance of a Kokkos execution space, in its memory space, ordered on that instance.
template <class Space>
class KokkosExec {
 public:
  using MemorySpace = typename Space::memory_space;
  static constexpr bool on_host = std::is_same_v<MemorySpace, Kokkos::HostSpace>;
  static constexpr int radix_bits = on_host ? 8 : 4;
  template <class T>
  using Buffer = std::conditional_t<on_host, HostBuffer<T>, detail::KokkosBuffer<T, MemorySpace>>;
  template <int D>
  using Search = std::conditional_t<on_host, HostSearch<KokkosExec, D>, PlainSearch<KokkosExec, D>>;
  template <int D>
  using CellSort = std::conditional_t<on_host, PartitionCells<KokkosExec, D>, RadixCells<KokkosExec, D>>;
  using RowSort = std::conditional_t<on_host, PartitionRows<KokkosExec>, ScatterRows<KokkosExec>>;

  /// Throws `environment` unless Kokkos is initialised.
  KokkosExec() : KokkosExec(std::nullopt) {}
  explicit KokkosExec(const Space& space) : KokkosExec(std::optional<Space>(space)) {}
  // Copied where it might be moved, because a moved-from executor must still be one.
  KokkosExec(const KokkosExec&) = default;
  KokkosExec& operator=(const KokkosExec&) = default;

  const char* name() const { return "kokkos"; }
  int concurrency() const { return space_->concurrency(); }

  template <class F>
  void for_each(const char* label, offset_t n, const F& f) const {
    run(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<offset_t>>(*space_, 0, n), f);
  }

  template <class F>
  void for_each_block(const char* label, offset_t n, const F& f) const {
    Kokkos::RangePolicy<Space, Kokkos::IndexType<offset_t>, Kokkos::Schedule<Kokkos::Dynamic>> policy(*space_, 0, n);
    policy.set_chunk_size(1);
    run(label, policy, LastFirst<F>{f, n});
  }

  template <class F>
  void for_each_worker(const char* label, offset_t useful, const F& f) const {
    const offset_t threads = concurrency();
    Kokkos::RangePolicy<Space, Kokkos::IndexType<offset_t>> policy(*space_, 0, useful < threads ? useful : threads);
    policy.set_chunk_size(1);
    run(label, policy, f);
  }

  template <class V, class F>
  void reduce(const char* label, offset_t n, const F& f, const V& identity, V* out) const {
    const detail::Dispatch dispatch;
    using Reducer = detail::JoinReducer<V, MemorySpace>;
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<offset_t>>(*space_, 0, n), f,
                            Reducer{identity, typename Reducer::result_view_type(out)});
    if constexpr (on_host) space_->fence();
  }

  template <class T>
  void exclusive_scan(const char* label, T* data, offset_t n) const {
    const detail::Dispatch dispatch;
    Kokkos::parallel_scan(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<offset_t>>(*space_, 0, n + 1),
                          detail::ExclusiveScan<T>{data, n});
    if constexpr (on_host) space_->fence();
  }

  template <class Key>
  void sort_keys(SortBuffers<KokkosExec, Key>& s, offset_t n, int key_bits) const {
    radix_sort(*this, s, n, key_bits);
  }

  void wait() const { space_->fence(); }
  template <class T>
  void copy_in(T* to, const T* from, offset_t n) const {
    copy<MemorySpace, Kokkos::HostSpace>(to, from, n);
  }
  template <class T>
  void copy_out(T* to, const T* from, offset_t n) const {
    copy<Kokkos::HostSpace, MemorySpace>(to, from, n);
  }
  template <class T>
  T read_back(const T* p) const {
    T value;
    copy_out(&value, p, 1);
    return value;
  }

  offset_t chunks(offset_t n) const {
    const offset_t useful = n / 1024 + 1, threads = concurrency();
    return on_host && threads < useful ? threads : useful;
  }
  std::size_t memory_limit() const { return on_host ? physical_memory() : SIZE_MAX; }

  template <class T>
  KOKKOS_INLINE_FUNCTION static T atomic_add(T* p, T value) {
    return Kokkos::atomic_fetch_add(p, value);
  }
  KOKKOS_INLINE_FUNCTION static void atomic_max(double* p, double value) { Kokkos::atomic_fetch_max(p, value); }

 private:
  // The heaviest items are the last; they start first.
  template <class F>
  struct LastFirst {
    F f;
    offset_t n;
    KOKKOS_INLINE_FUNCTION void operator()(offset_t i) const { f(n - 1 - i); }
  };

  explicit KokkosExec(std::optional<Space> space) {
    const detail::Dispatch dispatch;  // Kokkos must be initialised before a default instance is made
    space_ = space ? std::move(space) : std::optional<Space>(std::in_place);
  }

  template <class Policy, class F>
  void run(const char* label, const Policy& policy, const F& f) const {
    const detail::Dispatch dispatch;
    if constexpr (on_host) {
      FirstException failure;
      Kokkos::parallel_for(label, policy, [&](offset_t i) { failure.guard([&] { f(i); }); });
      space_->fence();
      failure.rethrow();
    } else {
      Kokkos::parallel_for(label, policy, f);
    }
  }

  template <class To, class From, class T>
  void copy(T* to, const T* from, offset_t n) const {
    const detail::Dispatch dispatch;
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    const auto size = static_cast<std::size_t>(n);
    Kokkos::deep_copy(*space_, Kokkos::View<T*, To, Unmanaged>(to, size),
                      Kokkos::View<const T*, From, Unmanaged>(from, size));
    space_->fence();
  }

  std::optional<Space> space_;
};

}  // namespace hgrid
