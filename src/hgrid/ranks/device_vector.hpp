// SPDX-License-Identifier: BSD-3-Clause
// Arrays of particles in the memory of a rank's executor: vectors on hosts, and a similar class on devices.
#pragma once

#include <algorithm>
#include <numeric>
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

namespace hgrid::inline v0_2 {

namespace detail {

template <class Exec>
class Migration;

/// Host memory from which a device copies fast, if its executor has it: `Exec::Staging<T>`, which is like a buffer.
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

/// Copies elements from an executor's memory. Waits.
template <class Exec, class T>
std::vector<T> copy_on_host(const Exec& exec, const T* from, offset_t count) {
  std::vector<T> copy(static_cast<std::size_t>(count));
  exec.copy_out(copy.data(), from, count);
  return copy;
}

}  // namespace detail

/// Elements in the memory of a device, from which ranks take particles and fields. Elements stay when more are added; new ones
/// are not initialised. Kernels get `data()`.
template <class Exec, class T>
class DeviceVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  explicit DeviceVector(const Exec& exec, std::size_t size = 0) : exec_(exec) { resize(size); }
  /// Copies elements from host memory. Waits, as do `assign` from a vector and `on_host`.
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
  /// Appends elements.
  void append(const std::vector<T>& more) {
    const std::size_t size = size_;
    resize(size + more.size());
    exec_.copy_in(data() + size, more.data(), static_cast<offset_t>(more.size()));
  }
  /// Sets all elements to one value.
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
  /// Throws `out_of_memory`, and is then unchanged.
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
  Buffer memory_, next_;  // next_: the elements that are about to replace these
  detail::ClearedByMove<std::size_t> size_;
};
template <class Exec, class T>
DeviceVector(const Exec&, const std::vector<T>&) -> DeviceVector<Exec, T>;

template <class Exec, class T>
Field(DeviceVector<Exec, T>&) -> Field<T, DeviceVector<Exec, T>>;
template <class Exec, class T, class Width>
Field(DeviceVector<Exec, T>&, Width) -> Field<T, DeviceVector<Exec, T>>;

namespace detail {

/// The types of arrays on ranks, and how a user's functor is passed on: on a host all threads call one object.
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

/// Returns an array in the executor's memory, with elements from host memory.
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

/// Makes room for that many elements, and may drop the present ones.
template <class T>
void set_size(std::vector<T>& array, std::size_t size) {
  array.resize(size);
}
template <class Exec, class T>
void set_size(DeviceVector<Exec, T>& array, std::size_t size) {
  array.clear(), array.resize(size);
}

/// Returns the place of each id among others, or -1.
inline std::vector<index_t> numbers_of(const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& others) {
  std::vector<index_t> by_id(others.size()), numbers;
  std::iota(by_id.begin(), by_id.end(), 0);
  const auto id_of = [&](index_t i) { return others[static_cast<std::size_t>(i)]; };
  std::ranges::sort(by_id, {}, id_of);
  for (const std::int64_t id : ids) {
    const auto found = std::ranges::lower_bound(by_id, id, {}, id_of);
    numbers.push_back(found != by_id.end() && id_of(*found) == id ? *found : -1);
  }
  return numbers;
}

/// Returns whether two arrays have equal ids.
inline bool are_same(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) { return a == b; }
template <class Exec>
bool are_same(const DeviceVector<Exec, std::int64_t>& a, const DeviceVector<Exec, std::int64_t>& b) {
  if (a.size() != b.size()) return false;
  typename Exec::template Buffer<Differing> found(a.exec(), 1);
  a.exec().reduce("hgrid::compare_ids", static_cast<offset_t>(a.size()), CompareIds{a.data(), b.data()}, Differing{},
                  found.data());
  return a.exec().read_back(static_cast<const Differing*>(found.data())).ids == 0;
}

/// Elements on the way between an executor's memory, `there`, and the memory that a host or MPI reads and writes, `here`. On a
/// host both are one, and also on a device if MPI uses its memory `directly`.
template <class Exec, class T>
class Staged {
 public:
  explicit Staged(const Exec& exec, bool directly = Exec::on_host) : exec_(exec), is_direct_(directly || Exec::on_host) {}

  T* here() { return is_direct_ ? there_.data() : here_.data(); }
  const T* here() const { return is_direct_ ? there_.data() : here_.data(); }
  T* there() { return there_.data(); }
  const T* there() const { return there_.data(); }

  void reserve(std::size_t size) {
    grow(there_, size);
    if (!is_direct_) grow(here_, size);
  }
  /// Reserves memory `here` for elements that are already there.
  void reserve_here(std::size_t size) {
    if (!is_direct_) grow(here_, size);
  }

  /// Returns room for elements that are written here outside the stream's order. Waits.
  T* room(std::size_t size) {
    reserve(size);
    if (is_direct_) exec_.wait();
    return here();
  }

  /// Copies elements from there to here. Waits.
  const T* fetch(std::size_t size) { return fetch_from(there_.data(), size); }
  /// Copies from other memory there.
  const T* fetch_from(const T* there, std::size_t size) {
    if (is_direct_) {
      exec_.wait();
      return there;
    }
    exec_.copy_out(here_.data(), there, static_cast<offset_t>(size));
    return here_.data();
  }
  /// Copies elements from here to there. Waits, unless both are one memory.
  const T* bring(std::size_t size) {
    bring_to(there_.data(), size);
    return there_.data();
  }
  void bring_to(T* there, std::size_t size) {
    if (!is_direct_) exec_.copy_in(there, std::as_const(here_).data(), static_cast<offset_t>(size));
  }
  /// Returns where MPI may write elements that `bring_to` copies to other memory.
  T* here_for(T* there) { return is_direct_ ? there : here_.data(); }

 private:
  template <class Buffer>
  void grow(Buffer& buffer, std::size_t size) {
    reserve_all(exec_, Need{buffer, with_margin(static_cast<offset_t>(size), buffer.size())});
  }

  Exec exec_;
  bool is_direct_;
  typename Exec::template Buffer<T> there_;
  StagingBuffer<Exec, T> here_;
};

}  // namespace detail

}  // namespace hgrid::inline v0_2
