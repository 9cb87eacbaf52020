// SPDX-License-Identifier: BSD-3-Clause
// The particles of the DEM: plain arrays in the executor's memory, coordinates interleaved.
#pragma once

#include <hgrid/hgrid.hpp>
#include <hgrid/loop.hpp>

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace dem {

using hgrid::index_t;
using hgrid::offset_t;
using hgrid::Vec;

/// Components of a rotation: one in two dimensions, three in three.
template <int D>
inline constexpr int spins = D == 2 ? 1 : 3;

/// The particles as a kernel sees them; copied by value.
template <int D>
struct Particles {
  Vec<double, D>* x;
  Vec<double, D>* v;
  Vec<double, D>* force;
  Vec<double, spins<D>>* spin;    // angular velocity
  Vec<double, spins<D>>* torque;
  double* radius;
  double* mass;
  offset_t count;
};

/// Discs of density 1 in two dimensions, spheres in three.
template <int D>
HGRID_HD double mass_of(double r) {
  constexpr double pi = 3.14159265358979323846;
  return D == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
}
template <int D>
HGRID_HD double inertia(double mass, double r) {
  return (D == 2 ? 0.5 : 0.4) * mass * r * r;
}

/// A particle that is not there yet.
template <int D>
struct Grain {
  Vec<double, D> x;
  double radius;
};

using Bytes = std::vector<std::byte>;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  const auto* const begin = reinterpret_cast<const std::byte*>(values.data());
  return Bytes(begin, begin + values.size() * sizeof(T));
}
template <class T>
std::vector<T> values_of(const Bytes& bytes, offset_t n) {
  std::vector<T> values(static_cast<std::size_t>(n));
  if (bytes.size() != values.size() * sizeof(T)) throw std::runtime_error("the checkpoint is of another number of particles");
  if (n > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// One array of any type, which can grow, be sorted and saved.
template <class Exec, class T>
class Column {
 public:
  Column(const Exec& exec, offset_t n) : exec_(exec), values_(exec, n), sorted_(exec, n) {}
  T* data() { return values_.data(); }

  void set(const std::vector<T>& host) {
    const auto n = static_cast<offset_t>(host.size());
    if (n != values_.size()) values_ = Buffer(exec_, n), sorted_ = Buffer(exec_, n);
    exec_.copy_in(data(), host.data(), n);
  }
  std::vector<T> get() const {
    std::vector<T> host(static_cast<std::size_t>(values_.size()));
    exec_.copy_out(host.data(), values_.data(), values_.size());
    return host;
  }
  void append(const std::vector<T>& more) {
    std::vector<T> all = get();
    all.insert(all.end(), more.begin(), more.end());
    set(all);
  }
  void sort(const hgrid::Reordering<Exec>& order) {
    order.apply(values_.data(), sorted_.data());
    std::swap(values_, sorted_);
  }
  Bytes save() const { return bytes_of(get()); }
  void restore(const Bytes& bytes, offset_t n) { set(values_of<T>(bytes, n)); }

 private:
  using Buffer = typename Exec::template Buffer<T>;

  Exec exec_;
  Buffer values_, sorted_;
};

template <class Exec, int D>
struct Storage {
  offset_t count;
  Column<Exec, Vec<double, D>> x, v, force;
  Column<Exec, Vec<double, spins<D>>> spin, torque;
  Column<Exec, double> radius, mass;

  Storage(const Exec& exec, offset_t n)
      : count(n), x(exec, n), v(exec, n), force(exec, n), spin(exec, n), torque(exec, n), radius(exec, n), mass(exec, n) {}

  Particles<D> view() {
    return {x.data(), v.data(), force.data(), spin.data(), torque.data(), radius.data(), mass.data(), count};
  }
  /// f(column) for each of them.
  template <class F>
  void each(const F& f) {
    f(x), f(v), f(force), f(spin), f(torque), f(radius), f(mass);
  }
  /// Particles at rest, on which gravity acts.
  void append(const std::vector<Grain<D>>& grains, const Vec<double, D>& gravity) {
    const std::size_t n = grains.size();
    std::vector<Vec<double, D>> places(n), weights(n);
    std::vector<double> radii(n), masses(n);
    for (std::size_t i = 0; i < n; ++i) {
      places[i] = grains[i].x, radii[i] = grains[i].radius, masses[i] = mass_of<D>(radii[i]);
      for (int k = 0; k < D; ++k) weights[i][k] = masses[i] * gravity[k];
    }
    x.append(places), v.append(std::vector<Vec<double, D>>(n)), force.append(weights);
    spin.append(std::vector<Vec<double, spins<D>>>(n)), torque.append(std::vector<Vec<double, spins<D>>>(n));
    radius.append(radii), mass.append(masses);
    count += static_cast<offset_t>(n);
  }
  void restore(const Bytes* blocks, offset_t n) {
    each([&](auto& column) { column.restore(*blocks++, n); });
    count = n;
  }
  void sort(const hgrid::Reordering<Exec>& order) {
    each([&](auto& column) { column.sort(order); });
  }
};

}  // namespace dem
