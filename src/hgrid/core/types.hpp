// SPDX-License-Identifier: BSD-3-Clause
// The nouns of the library: indices, images, boxes, and the user's particles as a view.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hgrid/core/macros.hpp"

namespace hgrid::inline v0_2 {

using index_t = std::int32_t;      ///< particle ids, slots, cells along an axis
using offset_t = std::int64_t;     ///< positions in lists, counts of pairs
using cell_key_t = std::uint64_t;  ///< cell keys

/// A small fixed-size vector with one layout on host and device.
template <class T, int D>
struct Vec {
  T v[D];
  HGRID_HD constexpr T& operator[](int k) { return v[k]; }
  HGRID_HD constexpr const T& operator[](int k) const { return v[k]; }
  friend constexpr bool operator==(const Vec&, const Vec&) = default;
};

/// Two ids. In results i < j, or i == j for a particle that touches its own image.
struct Pair {
  index_t i, j;
  friend constexpr bool operator==(const Pair&, const Pair&) = default;
};

/// Periodic shift of a pair in box lengths: its distance vector is x_i - x_j - m L, for the positions as the user passed them
/// (contract C3). Unused axes hold 0.
struct Image {
  std::int32_t m[3];
  HGRID_HD constexpr std::int32_t& operator[](int k) { return m[k]; }
  HGRID_HD constexpr const std::int32_t& operator[](int k) const { return m[k]; }
  friend constexpr bool operator==(const Image&, const Image&) = default;
};

HGRID_HD constexpr Image operator-(const Image& a) { return {{-a.m[0], -a.m[1], -a.m[2]}}; }

/// Returns the image of an entry (i, j, m) of a list for positions from which whole vectors were taken off since the list was
/// made. The position that the list knows is x + periods L (`VerletList::periods`, which may be null).
HGRID_HD constexpr Image image_now(Image m, const Image* periods, index_t i, index_t j) {
  for (int axis = 0; axis < 3 && periods != nullptr; ++axis) {
    m[axis] = static_cast<std::int32_t>(std::int64_t{m[axis]} + periods[j][axis] - periods[i][axis]);
  }
  return m;
}

namespace detail {

/// Returns the lexicographic sign of an image: -1, 0 or 1. It decides which of the two mirror images is reported.
HGRID_HD constexpr int lexicographic_sign(const Image& a) {
  for (int k = 0; k < 3; ++k) {
    if (a.m[k] != 0) return a.m[k] < 0 ? -1 : 1;
  }
  return 0;
}

/// Which partners of a particle a search visits: each pair of the system from one side only, or all partners.
enum class Visit { once, all };

}  // namespace detail

/// The domain. Each axis is open (any coordinate is allowed, lo and hi are unused) or periodic with period hi - lo. Images may
/// be tilted (core/tilt.hpp): the box repeats along a = (L_x, 0, 0), b = (xy, L_y, 0) and c = (xz, yz, L_z). Its axes may be
/// turned (core/turn.hpp): then lo, hi and tilts are along the box's axes, not the user's.
template <int D>
struct Box {
  static_assert(D == 2 || D == 3, "hgrid searches in two or three dimensions");
  static constexpr int tilts = D * (D - 1) / 2;  ///< xy; in three dimensions also xz and yz

  Vec<double, D> lo, hi;
  Vec<bool, D> wraps;
  bool tilted;                       ///< some image is tilted; core/tilt.hpp sets this and the members below
  Vec<double, tilts> tilt;           ///< less whole periods of the axis along which it points, so at most half a period in size
  Vec<std::int32_t, tilts> periods;  ///< the whole periods that `tilt` lacks
  bool turned;                       ///< the box has axes of its own
  Vec<Vec<double, D>, D> axes;       ///< if turned: unit vectors at right angles to each other, right-handed or left-handed

  static constexpr Box open() { return {}; }
  static constexpr Box periodic(Vec<double, D> lo, Vec<double, D> hi) {
    Box box{};
    box.lo = lo, box.hi = hi;
    for (int k = 0; k < D; ++k) box.wraps[k] = true;
    return box;
  }
  /// Returns a box that is periodic along some axes only. The other axes are open; their lo and hi are ignored.
  static constexpr Box periodic(Vec<double, D> lo, Vec<double, D> hi, Vec<bool, D> axes) {
    Box box{};
    for (int k = 0; k < D; ++k) {
      if (axes[k]) box.lo[k] = lo[k], box.hi[k] = hi[k], box.wraps[k] = true;
    }
    return box;
  }
  /// Returns a box with the first axes of another box, which may be turned about the other axes only. Axes that the other box
  /// lacks are open.
  template <int N>
  static constexpr Box of_axes(const Box<N>& other) {
    Box box{};
    for (int k = 0; k < D && k < N; ++k) box.lo[k] = other.lo[k], box.hi[k] = other.hi[k], box.wraps[k] = other.wraps[k];
    for (int t = 0; t < tilts && t < Box<N>::tilts; ++t) box.tilt[t] = other.tilt[t], box.periods[t] = other.periods[t];
    for (int t = 0; t < tilts; ++t) box.tilted = box.tilted || box.tilt[t] != 0 || box.periods[t] != 0;
    box.turned = other.turned;
    for (int k = 0; k < D && box.turned; ++k) {
      for (int j = 0; j < D; ++j) box.axes[k][j] = k < N && j < N ? other.axes[k][j] : k == j ? 1.0 : 0.0;
    }
    return box;
  }

  /// Returns the period along axis k; 0 on an open axis.
  HGRID_HD constexpr double length(int k) const { return wraps[k] ? hi[k] - lo[k] : 0.0; }
  HGRID_HD constexpr bool any_periodic() const {
    for (int k = 0; k < D; ++k) {
      if (wraps[k]) return true;
    }
    return false;
  }
  /// Returns the index of the tilt along axis k of the vector of axis j > k.
  HGRID_HD static constexpr int tilt_index(int k, int j) { return k + j - 1; }

  friend constexpr bool operator==(const Box&, const Box&) = default;
};
using Box2 = Box<2>;
using Box3 = Box<3>;

enum class NonFinite { error, skip };          ///< a NaN or infinite particle stops the build, or is left out
enum class Direction { top_down, bottom_up };  ///< coarse particles search finer levels, or the reverse
enum class KeyOrder { row_major, morton };     ///< order of the cells, hence of the slots, within a level
enum class TableKind { dense, compacted };     ///< a start for each cell, or starts of occupied cells only
enum class SortKind { radix, counting };       ///< into cells; same slots; GridOptions::sort names the default
enum class Schedule { fast, plain };           ///< how a host executor runs the search; same results
enum class Order { fixed, sorted };            ///< of a pair list, contract C6
enum class ListKind { half, full };            ///< each contact with its smaller id, or with both

/// Which particles are in contact, by their interaction distances a and the skin (docs/guide.md). `gather` is not symmetric:
/// particle i has j as a neighbor, but j may lack i. So there are full lists only, and no pairs.
enum class Rule {
  sum,     ///< within a_i + a_j: spheres that touch
  max,     ///< within the larger of a_i and a_j
  gather,  ///< neighbors of i are the particles within a_i
};

inline constexpr int max_levels = 64;
inline constexpr int most_types = 4096;      ///< in a table of cut-offs
inline constexpr int most_worlds = 1 << 20;  ///< in one build
inline constexpr int max_images = 7;         ///< periodic images per axis and side that a pair may span
inline constexpr int max_tilted_images = 5;  ///< likewise, in a tilted box
inline constexpr double most_tilt = 0x1p20;  ///< of a vector, in periods; images of a tilted box have numbers below 2^26
/// Slots stay far enough below 2^31 that a block's or vector's end does not overflow.
inline constexpr std::int64_t most_particles = INT32_MAX - 8192;
inline constexpr double most_periods = 0x1p30 - 16;  ///< outside the box; the images of a pair then fit an int32
inline constexpr double largest_length = 1e15;       ///< contract C0: bound of coordinates, periods and radii
inline constexpr double smallest_radius = 1e-15;

/// Pairs that are never reported, such as pairs of bonded particles: an entry (i, j) excludes i and j under every image.
/// Entries are lists by id (CSR) or a list of pairs, in the executor's memory, and ascend. An entry may be there twice, or also
/// as (j, i), so hgrid's own neighbor lists and sorted pairs can be used.
struct Exclusions {
  const offset_t* begin = nullptr;  ///< list i is ids[begin[i]] to ids[begin[i + 1] - 1]; [particles + 1]
  const index_t* ids = nullptr;     ///< [size]
  const Pair* pairs = nullptr;      ///< instead of lists: sorted by i, then j; [size]
  offset_t size = 0;                ///< ids or pairs; 0: there are no exclusions

  static constexpr Exclusions in_lists(const offset_t* begin, const index_t* ids, offset_t size) {
    return {begin, ids, nullptr, size};
  }
  static constexpr Exclusions in_pairs(const Pair* pairs, offset_t size) { return {nullptr, nullptr, pairs, size}; }
};

/// Systems side by side, such as the molecules of a batch or the members of an ensemble: only particles of one world pair.
/// Worlds may lie anywhere, also over each other, and each may have a box of its own (`Grid::set_boxes`). A build throws
/// `range_error` for a particle that takes part but is in none of the worlds, `invalid_argument` for a null pointer or another
/// number of worlds.
struct Worlds {
  const index_t* of = nullptr;  ///< the world of each particle, from 0, in the executor's memory; [particles]
  index_t count = 0;            ///< number of worlds, at most 2^20; 0: all particles are in one world
};

/// A table of cut-offs by type: particles of types s and t are in contact within distance[s * types + t]; radii do not decide.
/// Both arrays are in the executor's memory. Each radius (with extra distance) must be at least half the largest cut-off of its
/// particle's type, because it bounds the search. The grid's rule must be `sum`.
struct Cutoffs {
  const index_t* type = nullptr;     ///< of each particle, from 0; [particles]
  const double* distance = nullptr;  ///< [types * types], symmetric, not negative; 0: such pairs are never reported
  index_t types = 0;                 ///< at most 4096; 0: there is no table
};

/// Returns a radius that suffices for a cut-off: half of it, rounded up.
template <class Real>
Real radius_of_cutoff(double cutoff) {
  const double half = 0.5 * cutoff;
  const Real radius = static_cast<Real>(half);
  return radius < half ? std::nextafter(radius, static_cast<Real>(HUGE_VAL)) : radius;
}

/// The particles of one build, as a view of the user's memory in the executor's memory space. Coordinate k of particle i is
/// `position[k][i * stride]`, so arrays of structs, structs of arrays and separate columns all fit. Radii have a stride of
/// their own; extras, groups and flags are contiguous. Null means "none". All lengths, here and elsewhere, are in one unit of
/// the user's choice.
template <class Real, int D>
struct Particles {
  const Real* position[D];
  std::ptrdiff_t stride = D;
  const Real* radius = nullptr;
  std::ptrdiff_t radius_stride = 1;
  std::int64_t count = 0;

  double radius_scale = 1;               ///< r = radius_scale * radius[i]; 0.5 for clients that hold diameters
  const Real* extra = nullptr;           ///< extra interaction distance e >= 0 per particle, added to r
  const index_t* group = nullptr;        ///< particles of one group id >= 0 never pair; < 0: no group
  const std::uint8_t* active = nullptr;  ///< a particle takes part if one of the bits below is set
  std::uint8_t active_bits = 0xff;       ///< of `active`; lets its bytes hold other flags, too
  std::int64_t owned = -1;               ///< ids >= owned are ghosts, which do not pair with each other; -1: none
  NonFinite nonfinite = NonFinite::error;
  Exclusions exclusions = {};  ///< pairs that are never reported
  Cutoffs cutoffs = {};        ///< by type, instead of radii
  Worlds worlds = {};          ///< only particles of one world pair

  /// Half extents along the axes, in place of radii: particles are then boxes along the axes, which touch if they overlap
  /// (docs/shapes.md). Half extent k of particle i is `extent[k][i * extent_stride]`; scale and extra distance apply as to a
  /// radius. Null: particles are spheres. The grid's rule must be `sum`, and its box not turned.
  const Real* extent[D] = {};
  std::ptrdiff_t extent_stride = D;

  HGRID_HD bool has_extents() const { return extent[0] != nullptr; }
  HGRID_HD double scaled_extent(std::int64_t i, int k) const {
    return detail::mul_rn(radius_scale, static_cast<double>(extent[k][i * extent_stride]));
  }
  HGRID_HD double coordinate(std::int64_t i, int k) const { return position[k][i * stride]; }
  HGRID_HD Vec<double, D> position_of(std::int64_t i) const {
    Vec<double, D> x;
    for (int k = 0; k < D; ++k) x[k] = coordinate(i, k);
    return x;
  }
  HGRID_HD double scaled_radius(std::int64_t i) const {
    return detail::mul_rn(radius_scale, static_cast<double>(radius[i * radius_stride]));
  }
  HGRID_HD double extra_distance(std::int64_t i) const { return extra == nullptr ? 0.0 : extra[i]; }
  /// Prefetches particle i, which will be read soon.
  HGRID_HD void fetch(std::int64_t i) const {
    const bool side_by_side =
        !detail::takes_items_in_turn() && position[D - 1] == position[0] + (D - 1);  // other threads fetch the rest
    for (int k = 0; k < (side_by_side ? 1 : D); ++k) detail::fetch(position[k] + i * stride);
    if (has_extents())
      detail::fetch(extent[0] + i * extent_stride);
    else
      detail::fetch(radius + i * radius_stride);
  }
  HGRID_HD bool is_active(std::int64_t i) const { return active == nullptr || (active[i] & active_bits) != 0; }
  HGRID_HD index_t world(std::int64_t i) const { return worlds.count == 0 ? 0 : worlds.of[i]; }
  HGRID_HD bool is_world(index_t world) const { return worlds.count == 0 || (world >= 0 && world < worlds.count); }
};

/// Returns a view of `count` particles with interleaved coordinates (x0 y0 z0 x1 ...).
template <int D, class Real>
Particles<Real, D> particles(const Real* xyz, const Real* radius, std::int64_t count) {
  Particles<Real, D> p{};
  for (int k = 0; k < D; ++k) p.position[k] = xyz + k;
  p.radius = radius;
  p.count = count;
  return p;
}

/// Returns a view of particles that are boxes, with interleaved coordinates and, in place of radii, interleaved half extents.
template <int D, class Real>
Particles<Real, D> extended_particles(const Real* xyz, const Real* extents, std::int64_t count) {
  Particles<Real, D> p = particles<D, Real>(xyz, nullptr, count);
  for (int k = 0; k < D; ++k) p.extent[k] = extents + k;
  return p;
}

/// Returns a view of particles with one column per coordinate.
template <class Real>
Particles<Real, 3> particles(const Real* x, const Real* y, const Real* z, const Real* radius, std::int64_t count) {
  Particles<Real, 3> p{{x, y, z}, 1};
  p.radius = radius;
  p.count = count;
  return p;
}

/// Returns a view of particles in two dimensions, with one column per coordinate.
template <class Real>
Particles<Real, 2> particles(const Real* x, const Real* y, const Real* radius, std::int64_t count) {
  Particles<Real, 2> p{{x, y}, 1};
  p.radius = radius;
  p.count = count;
  return p;
}

}  // namespace hgrid::inline v0_2
