// SPDX-License-Identifier: BSD-3-Clause
// Contacts as results: a single contact, which of a pair's two sides is reported, and columns of many contacts.
#pragma once

#include <type_traits>

#include "hgrid/core/lattice.hpp"

namespace hgrid::inline v0_2 {

/// A pair and its image. From the side of j, the same contact is (j, i) with the mirror image.
struct Contact {
  index_t i, j;
  Image image;

  HGRID_HD constexpr Contact mirrored() const { return {j, i, -image}; }

  /// Returns x_i - x_j - m L in length units (contract C3). Pass the positions and the box of the build: positions are pointers
  /// to D coordinates, arrays, a `Vec` or anything else with [k].
  template <int D, class PositionI, class PositionJ>
  HGRID_HD Vec<double, D> separation(const Box<D>& box, const PositionI& x_i, const PositionJ& x_j) const {
    return hgrid::separation(box, x_i, x_j, image);
  }
  /// Returns the distance vector from all particles of the build.
  template <int D, class Real>
  HGRID_HD Vec<double, D> separation(const Box<D>& box, const Particles<Real, D>& particles) const {
    return separation(box, particles.position_of(i), particles.position_of(j));
  }

  friend constexpr bool operator==(const Contact&, const Contact&) = default;
};

/// Returns whether a pair is reported as (i, j) under this image, and not from its other side (contract C3). Exactly one of
/// both sides is reported; a particle that touches its own image is reported once. An id is any ordered value that identifies a
/// particle: here the id of a build, elsewhere the id in a larger system.
template <class Id>
HGRID_HD constexpr bool is_oriented(const Id& i, const Id& j, const Image& image) {
  return i < j || (i == j && detail::lexicographic_sign(image) > 0);
}

namespace detail {

/// Marks the second id of a pair that belongs only to the first particle's list, while lists are made. Applied again, it
/// returns the id.
HGRID_HD constexpr index_t marked(index_t j) { return ~j; }

}  // namespace detail

/// Pairs in columns, as a view of memory of the user or of a list: pair k has the ids first[k * stride] and second[k * stride]
/// and the image image[k]. `Integer` is const if the columns are only read.
template <class Integer>
struct PairColumns {
  Integer* first = nullptr;
  Integer* second = nullptr;
  std::ptrdiff_t stride = 1;
  std::conditional_t<std::is_const_v<Integer>, const Image, Image>* image = nullptr;  ///< null in an open box
  offset_t size = 0;  ///< number of pairs, or for how many there is room

  HGRID_HD Contact operator[](offset_t k) const {
    return {static_cast<index_t>(first[k * stride]), static_cast<index_t>(second[k * stride]),
            image == nullptr ? Image{} : image[k]};
  }
};

/// Returns the columns of an array of pairs and an array of images, which may be null.
inline PairColumns<const index_t> columns_of(const Pair* pairs, const Image* images, offset_t count) {
  static_assert(sizeof(Pair) == 2 * sizeof(index_t));
  if (pairs == nullptr) return {};
  const index_t* const ids = reinterpret_cast<const index_t*>(pairs);
  return {ids, ids + 1, 2, images, count};
}

}  // namespace hgrid::inline v0_2
