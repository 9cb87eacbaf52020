// SPDX-License-Identifier: BSD-3-Clause
// Arrays of particles where a rank's executor has its memory: vectors on hosts, and on a device the like of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hgrid/core/error.hpp"
#include "hgrid/engine/generation.hpp"
#include "hgrid/engine/reserve.hpp"
#include "hgrid/engine/stages.hpp"
#include "hgrid/host/buffer.hpp"
#include "hgrid/ranks/device_stages.hpp"
#include "hgrid/ranks/field.hpp"

namespace hgrid::inline v0_1 {

namespace detail {

template <class Exec>
class DeviceMigration;

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

/// Elements of a device. Waits.
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
  friend class detail::DeviceMigration<Exec>;
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

/// Positions, D coordinates for each particle, and radii. Throws `size_mismatch`.
template <int D, class Exec, class Real>
Particles<Real, D> as_particles(const Exec&, const DeviceVector<Exec, Real>& x, const DeviceVector<Exec, Real>& r) {
  if (x.size() != D * r.size()) {
    throw Error(ErrorCode::size_mismatch, detail::counted(x.size(), "coordinate") + " for " +
                                              detail::counted(r.size(), "radius", "radii") + " in " + std::to_string(D) +
                                              " dimensions");
  }
  return particles<D>(x.data(), r.data(), static_cast<std::int64_t>(r.size()));
}

}  // namespace hgrid::inline v0_1
