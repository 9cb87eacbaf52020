// SPDX-License-Identifier: BSD-3-Clause
// Views of particles and regions in the caller's memory. Include hgrid11.hpp.
#ifndef HGRID11_PARTICLES_HPP
#define HGRID11_PARTICLES_HPP

#include <type_traits>

#include "hgrid11_box.hpp"

namespace hgrid11 {
inline namespace v0_2 {

namespace detail {

template <class T>
struct NumberType;
template <>
struct NumberType<float> : std::integral_constant<std::int32_t, HGRID_FLOAT32> {};
template <>
struct NumberType<double> : std::integral_constant<std::int32_t, HGRID_FLOAT64> {};
template <>
struct NumberType<std::uint8_t> : std::integral_constant<std::int32_t, HGRID_UINT8> {};
template <>
struct NumberType<std::int32_t> : std::integral_constant<std::int32_t, HGRID_INT32> {};
template <>
struct NumberType<std::int64_t> : std::integral_constant<std::int32_t, HGRID_INT64> {};

template <class T>
hgrid_array array_1d(const T* data, std::int64_t count, std::int64_t stride = 1) {
  return hgrid_array_of(data, NumberType<T>::value, 1, &count, &stride);
}
template <class T>
hgrid_array array_2d(const T* data, std::int64_t n, std::int64_t m) {
  return hgrid_array_2d(data, NumberType<T>::value, n, m);
}
template <class T>
std::int64_t size_of(const std::vector<T>& numbers) {
  return static_cast<std::int64_t>(numbers.size());
}

}  // namespace detail

/// One integer for each particle, without gaps.
template <class T>
class Numbers {
 public:
  template <class Count>
  Numbers(const T* data, Count count) : data_(data), count_(static_cast<std::int64_t>(count)) {}
  Numbers(const std::vector<T>& numbers) : Numbers(numbers.data(), numbers.size()) {}

  const T* data() const { return data_; }
  std::int64_t count() const { return count_; }
  hgrid_array get() const { return detail::array_1d(data_, count_); }

 private:
  const T* data_;
  std::int64_t count_;
};
using Ids = Numbers<std::int32_t>;
using Flags = Numbers<std::uint8_t>;

/// One `float` or `double` for each particle or region; strides count numbers.
class Reals {
 public:
  template <class Real, class Count>
  Reals(const Real* data, Count count, std::int64_t stride = 1)
      : array_(detail::array_1d(data, static_cast<std::int64_t>(count), stride)) {}
  Reals(const std::vector<double>& numbers) : Reals(numbers.data(), numbers.size()) {}
  Reals(const std::vector<float>& numbers) : Reals(numbers.data(), numbers.size()) {}

  const hgrid_array& get() const { return array_; }

 private:
  hgrid_array array_;
};

/// One radius for each particle or region, or one radius for all.
class Radii {
 public:
  Radii(double one) : array_(), one_(one) {}
  Radii(const Reals& each) : array_(each.get()), one_(1) {}
  template <class Real>
  Radii(const std::vector<Real>& each) : Radii(Reals(each)) {}
  template <class Real, class Count>
  Radii(const Real* data, Count count, std::int64_t stride = 1) : Radii(Reals(data, count, stride)) {}

  const hgrid_array& get() const { return array_; }
  bool is_one() const { return array_.ndim == 0; }
  double one() const { return one_; }

 private:
  hgrid_array array_;
  double one_;
};

/// D coordinates for each particle or region: coordinate k of particle i is data[i * stride + k * step].
template <int D>
class Positions {
 public:
  template <class Real, class Count>
  Positions(const Real* data, Count count, std::int64_t stride = D, std::int64_t step = 1)
      : array_(array_of(data, static_cast<std::int64_t>(count), stride, step)) {}
  /// Takes interleaved coordinates: x0 y0 z0 x1 ...
  Positions(const std::vector<double>& xyz) : Positions(xyz.data(), count_of(detail::size_of(xyz))) {}
  Positions(const std::vector<float>& xyz) : Positions(xyz.data(), count_of(detail::size_of(xyz))) {}

  const hgrid_array& get() const { return array_; }

 private:
  template <class Real>
  static hgrid_array array_of(const Real* data, std::int64_t count, std::int64_t stride, std::int64_t step) {
    const std::int64_t shape[2] = {count, D}, strides[2] = {stride, step};
    return hgrid_array_of(data, detail::NumberType<Real>::value, 2, shape, strides);
  }
  static std::int64_t count_of(std::int64_t size) {
    if (size % D != 0) {
      throw Error(ErrorCode::size_mismatch, "have " + std::to_string(size) + " numbers, which is no multiple of the dimension",
                  "positions", size);
    }
    return size / D;
  }

  hgrid_array array_;
};

/// Views a member of each struct of an array as positions: in_structs(bodies, n, &Body::x) for `double x[3]` or
/// std::array<double, 3>.
template <class Struct, class Count, class Real, std::size_t D>
Positions<static_cast<int>(D)> in_structs(const Struct* first, Count count, Real (Struct::*x)[D]) {
  static_assert(sizeof(Struct) % sizeof(Real) == 0, "strides count numbers");
  return {first == nullptr ? nullptr : first->*x, count, static_cast<std::int64_t>(sizeof(Struct) / sizeof(Real))};
}
template <class Struct, class Count, class Real, std::size_t D>
Positions<static_cast<int>(D)> in_structs(const Struct* first, Count count, std::array<Real, D> Struct::*x) {
  static_assert(sizeof(Struct) % sizeof(Real) == 0, "strides count numbers");
  return {first == nullptr ? nullptr : (first->*x).data(), count, static_cast<std::int64_t>(sizeof(Struct) / sizeof(Real))};
}
/// Views a member that is one number, such as a radius.
template <class Struct, class Count, class Real>
Reals in_structs(const Struct* first, Count count, Real Struct::*r) {
  static_assert(sizeof(Struct) % sizeof(Real) == 0, "strides count numbers");
  return {first == nullptr ? nullptr : &(first->*r), count, static_cast<std::int64_t>(sizeof(Struct) / sizeof(Real))};
}

/// The particles of a build, a view of the caller's memory: positions, radii or extents, and optional data.
template <int D>
class Particles {
 public:
  Particles(const Positions<D>& positions, const Radii& radii) : Particles(positions) { take(radii); }
  /// Takes coordinates in columns.
  Particles(const Reals& x, const Reals& y, const Radii& radii) : Particles() {
    static_assert(D == 2, "three dimensions need x, y, z and radii");
    all_.columns[0] = x.get(), all_.columns[1] = y.get(), take(radii);
  }
  Particles(const Reals& x, const Reals& y, const Reals& z, const Radii& radii) : Particles() {
    static_assert(D == 3, "two dimensions need x, y and radii");
    all_.columns[0] = x.get(), all_.columns[1] = y.get(), all_.columns[2] = z.get(), take(radii);
  }
  /// Takes positions without radii; set `extents` next.
  explicit Particles(const Positions<D>& positions) : Particles() { all_.positions = positions.get(); }

  /// Sets half extents along the axes, D for each particle, instead of radii: boxes, which touch where they overlap. A view
  /// like the positions, of their type; a stride of 0: one box for all.
  Particles& extents(const Positions<D>& halves) {
    return all_.extents = halves.get(), all_.radii = hgrid_array(), one_ = 1, radius_scale(scale_);
  }
  /// Sets the factor of radii, or extents: 0.5 for codes that store diameters.
  Particles& radius_scale(double scale) { return scale_ = scale, all_.radius_scale = one_ * scale, *this; }
  /// Sets the interaction distance beyond the radius, of the type of the positions.
  Particles& extra(const Reals& distances) { return all_.extra = distances.get(), *this; }
  /// Sets groups. Particles of one group >= 0 never pair.
  Particles& group(const Ids& groups) { return all_.group = groups.get(), *this; }
  /// Sets a byte for each particle, which takes part if one of these bits is set.
  Particles& active(const Flags& bytes, std::uint8_t bits = 0xff) {
    return all_.active = bytes.get(), all_.active_bits = bits, *this;
  }
  /// Sets how many of the last particles are ghosts, which do not pair with each other.
  Particles& ghosts(std::int32_t number) { return all_.ghosts = number, *this; }
  Particles& nonfinite(NonFinite choice) { return all_.nonfinite = static_cast<std::int32_t>(choice), *this; }
  /// Sets pairs that are never reported: i0 j0 i1 j1 ..., sorted.
  Particles& excluded_pairs(const Ids& ids) {
    return all_.excluded_pairs = detail::array_2d(ids.data(), ids.count() / 2, 2), *this;
  }
  /// Sets excluded pairs as lists: the list of particle i is ids[begin[i]] to before ids[begin[i + 1]].
  Particles& excluded_lists(const Numbers<std::int64_t>& begin, const Ids& ids) {
    return all_.excluded_begin = begin.get(), all_.excluded_ids = ids.get(), *this;
  }
  /// Sets distances by type instead of radii: `table` is [number][number].
  Particles& cutoffs(const Ids& types, const double* table, std::int32_t number) {
    return all_.types = types.get(), all_.cutoffs = detail::array_2d(table, number, number), *this;
  }
  /// Sets worlds. Only particles of one world pair.
  Particles& worlds(const Ids& world, std::int32_t number) { return all_.world = world.get(), all_.worlds = number, *this; }

  const hgrid_particles* get() const { return &all_; }

 private:
  Particles() : all_(detail::sized<hgrid_particles>()), one_(0), scale_(1) {}
  void take(const Radii& radii) { all_.radii = radii.get(), one_ = radii.one(), radius_scale(scale_); }

  hgrid_particles all_;
  double one_, scale_;
};
using Particles2 = Particles<2>;
using Particles3 = Particles<3>;

/// Regions as a query, a view of the caller's memory: boxes rounded by a radius, spheres, points.
template <int D>
class Regions {
 public:
  static Regions spheres(const Positions<D>& centres, const Radii& radii) { return Regions(centres, radii); }
  static Regions points(const Positions<D>& x) { return Regions(x, 0.0); }
  static Regions boxes(const Positions<D>& lo, const Positions<D>& hi, const Radii& rounded_by = 0.0) {
    Regions regions(lo, rounded_by);
    regions.all_.hi = hi.get();
    return regions;
  }

  Regions& take(Take choice) { return all_.take = static_cast<std::int32_t>(choice), *this; }
  /// Sets the factor of the particles' radii: 1.1 for a margin of a tenth.
  Regions& radius_scale(double scale) { return all_.radius_scale = scale, *this; }
  /// Sets the world of each region, whose particles it can contain.
  Regions& world(const Ids& worlds) { return all_.world = worlds.get(), *this; }

  const hgrid_regions* get() const { return &all_; }

 private:
  Regions(const Positions<D>& lo, const Radii& radii) : all_(detail::sized<hgrid_regions>()) {
    all_.lo = lo.get(), all_.radius = radii.get(), all_.one_radius = radii.is_one() ? radii.one() : 0;
  }

  hgrid_regions all_;
};
using Regions2 = Regions<2>;
using Regions3 = Regions<3>;

}  // namespace v0_2
}  // namespace hgrid11

#endif
