// SPDX-License-Identifier: BSD-3-Clause
// Arrays of particles where a rank's executor has its memory: vectors on hosts, and on a device the like of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hgrid/cells/stages.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/memory/generation.hpp"
#include "hgrid/memory/reserve.hpp"
#include "hgrid/ranks/device_stages.hpp"
#include "hgrid/ranks/field.hpp"
#include "hgrid/threads/buffer.hpp"

namespace hgrid::inline v0_1 {

namespace detail {

template <class Exec>
class Migration;

/// Host memory from which a device copies fast, if its executor has such: `Exec::Staging<T>`, which is like a buffer.
template <class Exec, class T>
struct StagingOf {
  using Buffer = HostBuffer<T>;
};
template <class Exec, class T>
requires requires { typename Exec::template Staging<T>; }
struct StagingOf<Exec, T> {
  using Buffer = typename Exec::template Staging<T>;
};
template <class Exec, class T>
using StagingBuffer = typename StagingOf<Exec, T>::Buffer;

/// Elements in an executor's memory. Waits.
template <class Exec, class T>
std::vector<T> copy_on_host(const Exec& exec, const T* from, offset_t count) {
  std::vector<T> copy(static_cast<std::size_t>(count));
  exec.copy_out(copy.data(), from, count);
  return copy;
}

}  // namespace detail

/// Elements in the memory of a device, of which ranks take particles and fields. They stay when there are more; new ones are
/// not initialised. Kernels get `data()`.
template <class Exec, class T>
class DeviceVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  explicit DeviceVector(const Exec& exec, std::size_t size = 0) : exec_(exec) { resize(size); }
  /// A copy of elements in host memory. Waits, as `assign` of such and `on_host`.
  DeviceVector(const Exec& exec, const std::vector<T>& from) : exec_(exec) { assign(from); }
  DeviceVector(const DeviceVector& o) : exec_(o.exec_) { *this = o; }
  DeviceVector& operator=(const DeviceVector& o) {
    if (this == &o) return *this;
    clear();
    resize(o.size());
    take_entries(o.data(), o.size(), data());
    return *this;
  }
  DeviceVector(DeviceVector&&) noexcept = default;
  DeviceVector& operator=(DeviceVector&&) noexcept = default;
  ~DeviceVector() = default;

  void assign(const std::vector<T>& from) {
    clear();
    resize(from.size());
    exec_.copy_in(data(), from.data(), static_cast<offset_t>(size_));
  }
  /// More of them behind those that are there.
  void append(const std::vector<T>& more) {
    const std::size_t size = size_;
    resize(size + more.size());
    exec_.copy_in(data() + size, more.data(), static_cast<offset_t>(more.size()));
  }
  /// Elements of one value.
  void assign(std::size_t size, const T& value) {
    clear();
    resize(size);
    exec_.for_each("hgrid::fill", static_cast<offset_t>(size), detail::Fill<T>{data(), value});
  }
  std::vector<T> on_host() const { return detail::copy_on_host(exec_, data(), static_cast<offset_t>(size_)); }

  T* data() { return memory_.data(); }
  const T* data() const { return memory_.data(); }
  std::size_t size() const { return size_; }
  const Exec& exec() const { return exec_; }

  void clear() { size_ = 0; }
  /// Throws `out_of_memory`, and is then as it was.
  void resize(std::size_t size) {
    const auto wanted = static_cast<offset_t>(size);
    if (wanted > memory_.size()) {
      Buffer larger(exec_, detail::with_margin(wanted, memory_.size()));
      take_entries(memory_.data(), size_, larger.data());
      memory_ = std::move(larger);
    }
    size_ = size;
  }

 private:
  friend class detail::Migration<Exec>;
  using Buffer = typename Exec::template Buffer<T>;

  void take_entries(const T* from, std::size_t count, T* to) const {
    detail::gather_entries(exec_, from, static_cast<const index_t*>(nullptr), static_cast<offset_t>(count), sizeof(T), to);
  }

  Exec exec_;
  Buffer memory_, next_;  // those that are about to take their place
  detail::ClearedByMove<std::size_t> size_;
};
template <class Exec, class T>
DeviceVector(const Exec&, const std::vector<T>&) -> DeviceVector<Exec, T>;

template <class Exec, class T>
Field(DeviceVector<Exec, T>&) -> Field<T, DeviceVector<Exec, T>>;
template <class Exec, class T, class Width>
Field(DeviceVector<Exec, T>&, Width) -> Field<T, DeviceVector<Exec, T>>;

namespace detail {

/// Arrays of ranks, and a functor of the user's as it is passed on: on a host all threads call the same one.
template <bool on_host>
struct RankMemory {
  template <class Exec, class T>
  using Array = std::vector<T>;
  template <class F>
  using Passed = const F&;
};
template <>
struct RankMemory<false> {
  template <class Exec, class T>
  using Array = DeviceVector<Exec, T>;
  template <class F>
  using Passed = F;
};
template <class Exec, class T>
using RankArray = typename RankMemory<Exec::on_host>::template Array<Exec, T>;

/// An array in the executor's memory, of elements in that of the host.
template <class Exec, class T>
RankArray<Exec, T> rank_array(const Exec& exec, std::vector<T> from = {}) {
  if constexpr (Exec::on_host) {
    return from;
  } else {
    return {exec, from};
  }
}

template <class T>
const std::vector<T>& on_host(const std::vector<T>& array) {
  return array;
}
template <class Exec, class T>
std::vector<T> on_host(const DeviceVector<Exec, T>& array) {
  return array.on_host();
}

/// Room for that many elements, whatever they were.
template <class T>
void set_size(std::vector<T>& array, std::size_t size) {
  array.resize(size);
}
template <class Exec, class T>
void set_size(DeviceVector<Exec, T>& array, std::size_t size) {
  array.clear(), array.resize(size);
}

/// Whether two arrays have the same ids.
inline bool are_same(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) { return a == b; }
template <class Exec>
bool are_same(const DeviceVector<Exec, std::int64_t>& a, const DeviceVector<Exec, std::int64_t>& b) {
  if (a.size() != b.size()) return false;
  typename Exec::template Buffer<Differing> found(a.exec(), 1);
  a.exec().reduce("hgrid::compare_ids", static_cast<offset_t>(a.size()), CompareIds{a.data(), b.data()}, Differing{},
                  found.data());
  return a.exec().read_back(static_cast<const Differing*>(found.data())).ids == 0;
}

/// Elements on their way between device and host. On a host they are there already.
template <class Exec, class T>
class Staged {
 public:
  explicit Staged(const Exec& exec) : exec_(exec) {}

  T* here() { return here_.data(); }
  const T* here() const { return here_.data(); }
  T* there() {
    if constexpr (Exec::on_host) {
      return here_.data();
    } else {
      return there_.data();
    }
  }

  void reserve(std::size_t size) {
    reserve_here(size);
    if constexpr (!Exec::on_host) grow(there_, size);
  }
  void reserve_here(std::size_t size) { grow(here_, size); }

  /// Those that are there come here. Waits.
  void fetch(std::size_t size) {
    if constexpr (!Exec::on_host)
      exec_.copy_out(here_.data(), static_cast<const T*>(there_.data()), static_cast<offset_t>(size));
  }
  /// Those that are here go there. Waits.
  const T* bring(std::size_t size) {
    if constexpr (!Exec::on_host)
      exec_.copy_in(there_.data(), static_cast<const T*>(here_.data()), static_cast<offset_t>(size));
    return there();
  }

 private:
  template <class Buffer>
  void grow(Buffer& buffer, std::size_t size) {
    reserve_all(exec_, Need{buffer, with_margin(static_cast<offset_t>(size), buffer.size())});
  }

  Exec exec_;
  typename Exec::template Buffer<T> there_;
  StagingBuffer<Exec, T> here_;
};

}  // namespace detail

}  // namespace hgrid::inline v0_1
