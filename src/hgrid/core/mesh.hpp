// SPDX-License-Identifier: BSD-3-Clause
// Walls of triangles that share corners and edges: which of them has the contact, where a ball touches several at one place.
#pragma once

#include "hgrid/core/lattice.hpp"
#include "hgrid/core/triangle.hpp"

namespace hgrid::inline v0_1 {

/// Where the centre of a ball lies under an image: x + image L, for a region's entry (region, id, image). Not for a turned box,
/// which asks for no triangles.
HGRID_HD inline Vec<double, 3> centre_under(const Box3& box, const Vec<double, 3>& x, const Image& image) {
  return detail::less_vectors(box, x, {-double(image[0]), -double(image[1]), -double(image[2])});
}

namespace detail {

/// A corner, an edge or the inside of a triangle, by the vertices that it has. `rank` orders features; that of a feature is the
/// same from each triangle that has it, bit for bit.
struct MeshFeature {
  double rank = HUGE_VAL;
  int corners = 3;
  index_t vertex[3] = {-1, -1, -1};  // ascending, -1 behind the last

  HGRID_HD bool is_before(const MeshFeature& other) const {
    if (rank != other.rank) return rank < other.rank;
    if (corners != other.corners) return corners < other.corners;
    for (int k = 0; k < 3; ++k) {
      if (vertex[k] != other.vertex[k]) return vertex[k] < other.vertex[k];
    }
    return false;
  }
  HGRID_HD bool is(const MeshFeature& other) const {
    return vertex[0] == other.vertex[0] && vertex[1] == other.vertex[1] && vertex[2] == other.vertex[2];
  }
};

/// The first feature of a triangle, and the square of its distance.
struct NearestFeature {
  MeshFeature feature;
  double squared = HUGE_VAL;

  HGRID_HD void look_at(double distance_squared, double tolerance, int corners, index_t a, index_t b, index_t c) {
    squared = distance_squared < squared ? distance_squared : squared;
    const MeshFeature other{add_rn(distance_squared, mul_rn(corners - 1, tolerance)), corners, {a, b, c}};
    if (other.is_before(feature)) feature = other;
  }
};

/// How much farther the square of a distance may be, in squares of the radius, for a corner to come before an edge, and that
/// before the inside: above an edge within 2^-15 of a radius. Far beyond rounding, and far below what a force notices.
inline constexpr double feature_tolerance = 0x1p-30;

}  // namespace detail

/// A mesh of triangles in the executor's memory, for kernels; of `Mesh::view`.
///
/// A ball and a mesh have a contact at each place where the distance from the centre is a local minimum: one on a plane,
/// whatever its triangles; one on an edge or at a corner that sticks out; two in a groove whose sides it touches, three in
/// the corner of a room. That place is inside a triangle, on an edge or at a vertex, and the contact is that of one triangle
/// there: the nearest by rounded distances, or of equal ones the first. Only triangles that have an edge or vertex in common
/// are asked, so each decides for itself, from any list or functor.
///
/// In floating point: features (insides, edges, vertices) are in one order, by squared distance, plus 2^-30 squared radii for
/// an edge and twice that for an inside, with the same bits from all triangles that have them. A triangle's feature is its
/// first; a contact is a feature that is the first of all triangles that have it. So the first feature of all always is one,
/// and a ball that touches has a contact. On a plane it has one, above edges and vertices too, unless triangles are more than
/// 2^18 times as large as the ball, or thinner than 2^-14 of it. A groove so flat that both places are within 2^-15 of a
/// radius of its edge gives one.
struct MeshView {
  const Vec<double, 3>* vertices;
  const Vec<index_t, 3>* corners;  ///< of each triangle, its vertices; [size]
  const offset_t* around_begin;    ///< where the triangles that have a vertex begin in `around`; [vertices + 1]
  const index_t* around;
  index_t size;

  HGRID_HD const Vec<double, 3>& corner(index_t triangle, int k) const { return vertices[corners[triangle][k]]; }

  /// The nearest point of a triangle to a centre; the force is along the way between them.
  HGRID_HD Vec<double, 3> nearest(index_t triangle, const Vec<double, 3>& x) const {
    return nearest_on_triangle(x, corner(triangle, 0), corner(triangle, 1), corner(triangle, 2));
  }

  /// Whether a ball touches the mesh, and the contact is that of this triangle. A ball that touches nothing, but nearly does,
  /// within 2^-29 of its radius, has a contact, too.
  HGRID_HD bool touches(index_t triangle, const Vec<double, 3>& x, double radius) const {
    const double squared = detail::mul_rn(radius, radius), tolerance = detail::mul_rn(detail::feature_tolerance, squared);
    const detail::NearestFeature own = first_feature(triangle, x, tolerance);
    if (!(own.squared <= squared + 4 * tolerance)) return false;
    const index_t vertex = own.feature.vertex[0];
    for (offset_t k = around_begin[vertex]; k < around_begin[vertex + 1]; ++k) {
      const index_t other = around[k];
      if (other == triangle || !has(other, own.feature)) continue;
      const detail::NearestFeature its = first_feature(other, x, tolerance);
      if (!its.feature.is(own.feature)) return false;  // the mesh comes nearer there
      if (its.squared < own.squared || (its.squared == own.squared && other < triangle)) return false;
    }
    return true;
  }

  /// Calls f(other) for the triangles that have a corner of this one, for some of them twice.
  template <class F>
  HGRID_HD void for_each_around(index_t triangle, const F& f) const {
    for (int c = 0; c < 3; ++c) {
      const index_t vertex = corners[triangle][c];
      for (offset_t k = around_begin[vertex]; k < around_begin[vertex + 1]; ++k) {
        if (around[k] != triangle) f(around[k]);
      }
    }
  }

 private:
  HGRID_HD bool has(index_t triangle, const detail::MeshFeature& feature) const {
    const Vec<index_t, 3>& v = corners[triangle];
    for (int k = 1; k < feature.corners; ++k) {  // all around have the first
      const index_t vertex = feature.vertex[k];
      if (v[0] != vertex && v[1] != vertex && v[2] != vertex) return false;
    }
    return true;
  }

  /// Distances are of points that are rounded, but inside the triangle, so none is too small by more than rounding; and from
  /// vertices in ascending order, so that all triangles compute alike.
  HGRID_HD detail::NearestFeature first_feature(index_t triangle, const Vec<double, 3>& x, double tolerance) const {
    using namespace detail;
    index_t a = corners[triangle][0], b = corners[triangle][1], c = corners[triangle][2];
    const auto order = [](index_t& low, index_t& high) {
      const index_t larger = low < high ? high : low;
      low = low < high ? low : high, high = larger;
    };
    order(a, b), order(b, c), order(a, b);
    const Vec<double, 3> from_a = difference(x, vertices[a]), from_b = difference(x, vertices[b]);
    const Vec<double, 3> from_c = difference(x, vertices[c]);
    const Vec<double, 3> ab = difference(vertices[b], vertices[a]), ac = difference(vertices[c], vertices[a]);
    NearestFeature first;
    first.look_at(inner_product(from_a, from_a), tolerance, 1, a, -1, -1);
    first.look_at(inner_product(from_b, from_b), tolerance, 1, b, -1, -1);
    first.look_at(inner_product(from_c, from_c), tolerance, 1, c, -1, -1);
    const auto edge = [&](const Vec<double, 3>& from, const Vec<double, 3>& along, index_t begin, index_t end) {
      const double part = inner_product(from, along), length = inner_product(along, along);
      if (!(part > 0 && part < length)) return;
      const Vec<double, 3> way = advanced(from, -part / length, along);
      first.look_at(inner_product(way, way), tolerance, 2, begin, end, -1);
    };
    edge(from_a, ab, a, b);
    edge(from_a, ac, a, c);
    edge(from_b, difference(vertices[c], vertices[b]), b, c);
    const Vec<double, 3> normal = cross_product(ab, ac);
    const double area = inner_product(normal, normal);
    const double s = inner_product(cross_product(from_a, ac), normal) / area;
    const double t = inner_product(cross_product(ab, from_a), normal) / area;
    if (s > 0 && t > 0 && s + t < 1) {  // not without area: none of this holds for NaN
      const Vec<double, 3> way = advanced(advanced(from_a, -s, ab), -t, ac);
      first.look_at(inner_product(way, way), tolerance, 3, a, b, c);
    }
    return first;
  }
};

}  // namespace hgrid::inline v0_1
