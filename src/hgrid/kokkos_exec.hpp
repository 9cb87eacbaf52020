// SPDX-License-Identifier: BSD-3-Clause
// The executor on any Kokkos execution space. Kokkos 3.4 to 5.x.
#pragma once

#include <Kokkos_Core.hpp>
#include <atomic>
#include <optional>
#include <string>

#include "hgrid/cells/radix_cells.hpp"
#include "hgrid/device/device_engine.hpp"
#include "hgrid/find/plain_search.hpp"
#include "hgrid/threads/host_engine.hpp"

namespace hgrid::inline v0_2 {

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
    } catch (const std::exception& e) {  // the type of the exception differs between Kokkos versions
      throw Error(ErrorCode::out_of_memory, e.what(), {.needed = static_cast<std::int64_t>(bytes())});
    }
  }
  KokkosBuffer(KokkosBuffer&& o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  KokkosBuffer& operator=(KokkosBuffer&& o) noexcept {  // leaves `o` empty: a moved-from grid is not built
    KokkosBuffer taken(std::move(o));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~KokkosBuffer() {  // after finalize the memory space and its memory are gone
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

/// A reducer for values that have a member `join`.
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

/// Before Kokkos 4.0 two host threads must not dispatch at once; the second then gets an error instead of a race.
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

/// An instance of an execution space. Copied instead of moved, because a moved-from executor must stay usable.
template <class Space>
class KokkosInstance {
 public:
  /// Throws `environment` unless Kokkos is initialised.
  explicit KokkosInstance(const Space* space) {
    const Dispatch dispatch;  // before a default instance is made
    space_ = space != nullptr ? std::optional<Space>(*space) : std::optional<Space>(std::in_place);
  }
  KokkosInstance(const KokkosInstance&) = default;
  KokkosInstance& operator=(const KokkosInstance&) = default;

  const Space& operator*() const { return *space_; }
  const Space* operator->() const { return &*space_; }

 private:
  std::optional<Space> space_;
};

}  // namespace detail

/// Runs on one instance of a Kokkos execution space, in its memory space, ordered on that instance.
template <class Space, class MemorySpace = typename Space::memory_space>
class KokkosExec {
 public:
  using Memory = KokkosExec;
  template <class T>
  using Buffer = detail::KokkosBuffer<T, MemorySpace>;
  template <int D>
  using Engine = detail::DeviceEngine<KokkosExec, D>;
  template <int D>
  using Search = detail::PlainSearch<KokkosExec, D>;
  template <int D>
  using CellSort = detail::RadixCells<KokkosExec, D>;
  using ListSort = detail::ScatterEntries<KokkosExec>;
  static constexpr bool on_host = false, keeps_filter = false;
  static constexpr int radix_bits = 4;
  static constexpr SearchCosts search_costs{
      .setup = 50, .row = 3.5, .candidate = 0.6, .cell = 3.5, .compacted_row = 28, .compacted_slot = 50, .island = 25};

  /// Throws `environment` unless Kokkos is initialised.
  KokkosExec() : space_(nullptr) {}
  explicit KokkosExec(const Space& space) : space_(&space) {}

  const char* name() const { return "kokkos"; }
  int concurrency() const { return space_->concurrency(); }
  offset_t parts_of(offset_t n) const { return n / 1024 + 1; }
  std::size_t memory_limit() const { return SIZE_MAX; }

  template <class F>
  void for_each(const char* label, offset_t n, const F& f) const {
    const detail::Dispatch dispatch;
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<offset_t>>(*space_, 0, n), f);
  }

  template <class F>
  void for_each_item(const char* label, offset_t n, const F& f) const {
    const detail::Dispatch dispatch;
    Kokkos::RangePolicy<Space, Kokkos::IndexType<offset_t>, Kokkos::Schedule<Kokkos::Dynamic>> policy(*space_, 0, n);
    policy.set_chunk_size(1);
    Kokkos::parallel_for(label, policy, LastFirst<F>{f, n});
  }

  template <class V, class F>
  void reduce(const char* label, offset_t n, const F& f, const V& identity, V* out) const {
    const detail::Dispatch dispatch;
    using Reducer = detail::JoinReducer<V, MemorySpace>;
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<offset_t>>(*space_, 0, n), f,
                            Reducer{identity, typename Reducer::result_view_type(out)});
  }

  template <class T>
  void exclusive_scan(const char* label, T* data, offset_t n) const {
    const detail::Dispatch dispatch;
    Kokkos::parallel_scan(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<offset_t>>(*space_, 0, n + 1),
                          detail::ExclusiveScan<T>{data, n});
  }

  template <class Key>
  void sort_keys(detail::SortBuffers<KokkosExec, Key>& s, offset_t n, int key_bits) const {
    detail::radix_sort(*this, s, n, key_bits);
  }
  template <class Offset, class Entries>
  void sort_lists(offset_t lists, const Offset* offsets, const Entries& entries, offset_t) const {
    for_each_item("hgrid::sort_lists", lists, detail::SortLists<Offset, Entries>{lists, 1, offsets, entries});
  }

  // Kokkos has its own scratch.
  template <class T>
  void reserve_scan(offset_t) const {}
  template <class Key>
  void reserve_sort(offset_t, int) const {}
  void reserve_lists(offset_t, offset_t) const {}

  void require_may_wait() const {}
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

  template <class T>
  KOKKOS_INLINE_FUNCTION static T atomic_add(T* p, T value) {
    return Kokkos::atomic_fetch_add(p, value);
  }
  KOKKOS_INLINE_FUNCTION static void atomic_max(double* p, double value) { Kokkos::atomic_fetch_max(p, value); }

 private:
  // The most expensive items are last; they start first.
  template <class F>
  struct LastFirst {
    F f;
    offset_t n;
    KOKKOS_INLINE_FUNCTION void operator()(offset_t i) const { f(n - 1 - i); }
  };

  template <class To, class From, class T>
  void copy(T* to, const T* from, offset_t n) const {
    const detail::Dispatch dispatch;
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    const auto size = static_cast<std::size_t>(n);
    Kokkos::deep_copy(*space_, Kokkos::View<T*, To, Unmanaged>(to, size), Kokkos::View<const T*, From, Unmanaged>(from, size));
    space_->fence();
  }

  detail::KokkosInstance<Space> space_;
};

/// On hosts the host engine runs on the threads of the space.
template <class Space>
class KokkosExec<Space, Kokkos::HostSpace> final : public HostExec {
 public:
  /// Throws `environment` unless Kokkos is initialised.
  KokkosExec() : space_(nullptr) {}
  explicit KokkosExec(const Space& space) : space_(&space) {}

  const char* name() const override { return "kokkos"; }
  int concurrency() const override { return space_->concurrency(); }
  void run(const char* label, offset_t parts, FunctionRef<void(offset_t)> part) const override {
    const detail::Dispatch dispatch;
    Kokkos::RangePolicy<Space, Kokkos::IndexType<offset_t>> policy(*space_, 0, parts);
    policy.set_chunk_size(1);
    Kokkos::parallel_for(label, policy, part);
    space_->fence();
  }

 private:
  detail::KokkosInstance<Space> space_;
};

}  // namespace hgrid::inline v0_2
