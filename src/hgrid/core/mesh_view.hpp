// SPDX-License-Identifier: BSD-3-Clause
// Walls of triangles that share corners and edges: which of them has the contact, where a ball touches several at one place.
#pragma once

#include "hgrid/core/lattice.hpp"
#include "hgrid/core/triangle.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// x + image L. Not for turned boxes, in which nobody asks for triangles.
HGRID_HD inline Vec<double, 3> moved_by(const Box3& box, const Vec<double, 3>& x, const Image& image) {
  return less_vectors(box, x, {-double(image[0]), -double(image[1]), -double(image[2])});
}
HGRID_HD inline Image sum_of(const Image& a, const Image& b) { return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}}; }

/// -1, 0, 1: a triangle before, the same as or after another one. A ball meets it under a shift from the image of the other.
HGRID_HD inline int mesh_order(index_t triangle, index_t other, const Image& shift) {
  return triangle == other ? lexicographic_sign(shift) : (triangle < other ? -1 : 1);
}

/// Where a triangle is nearest to a ball, and the square of the distance.
struct NearestFeature {
  double rank = HUGE_VAL, squared = HUGE_VAL;
  int corners = 0;  // a bit for each corner that has a part: one at a vertex, two on an edge, three inside

  HGRID_HD void look_at(double distance_squared, double penalty, int of) {
    squared = distance_squared < squared ? distance_squared : squared;
    const double other = add_rn(distance_squared, penalty);
    if (other < rank) rank = other, corners = of;
  }
};

/// How closely a triangle follows another one in a mesh: by an edge before by a vertex, then in nearly its plane.
struct Kinship {
  int shared;     // vertices
  double cosine;  // between the planes, squared; NaN without area
  HGRID_HD bool exceeds(const Kinship& o) const { return shared != o.shared ? shared > o.shared : cosine > o.cosine; }
};

/// How much farther the square of a distance may be, in squares of the radius, for a corner to come before an edge, and that
/// before the inside: above an edge within 2^-15 of a radius. Far beyond rounding, and far below what a force notices.
inline constexpr double feature_tolerance = 0x1p-30;

}  // namespace detail

/// A mesh of triangles in the executor's memory, for kernels; of `Mesh::view`.
///
/// A ball and a mesh have a contact at each place where the distance from the centre is a local minimum: one on a plane,
/// whatever its triangles; one on an edge or at a corner that sticks out; two in a groove whose sides it touches, three in
/// the corner of a room. A triangle is nearest to the centre inside, on an edge or at a vertex. It has the contact if none of
/// those that share that edge or vertex is nearer, or as near and before it. Only these are asked, so each triangle decides
/// for itself, from any list or functor.
///
/// In floating point: the squared distance of a triangle has the same bits whoever asks, so of all triangles that a ball
/// touches one has a contact, and of those at one place no two. A vertex counts as nearer than an edge, and an edge than an
/// inside, by 2^-30 squared radii, so rounding never finds a ball above the insides of two triangles of a plane: there is one
/// contact, above edges and vertices too, unless triangles are more than 2^18 times as large as the ball, or thinner than
/// 2^-14 of it. A groove so flat that both places are within 2^-15 of a radius of its edge gives one.
struct MeshView {
  const Vec<double, 3>* vertices;
  const Vec<index_t, 3>* corners;  ///< of each triangle, its vertices; [size]
  const offset_t* around_begin;    ///< where the corners at a vertex begin in `around`; [vertices + 1]
  const offset_t* around;          ///< corner k of triangle t as 3 t + k
  const index_t* first;            ///< of the vertices that are one across periods, the first; [vertices], or null
  const Image* periods;            ///< of each vertex from that one; [vertices], or null
  Box3 box;
  index_t size;

  HGRID_HD Vec<double, 3> corner(index_t triangle, int k) const {
    const index_t vertex = corners[triangle][k];
    return first == nullptr ? vertices[vertex] : detail::moved_by(box, vertices[first[vertex]], periods[vertex]);
  }

  /// The nearest point of a triangle to the centre x of a ball that was listed under an image. It is given where x lies, so the
  /// force is along the way between them.
  HGRID_HD Vec<double, 3> nearest(index_t triangle, const Vec<double, 3>& x, const Image& image = {}) const {
    const Vec<double, 3> point =
        nearest_on_triangle(detail::moved_by(box, x, image), corner(triangle, 0), corner(triangle, 1), corner(triangle, 2));
    return detail::moved_by(box, point, -image);
  }

  /// Whether a ball under an image touches the mesh, and the contact is that of this triangle.
  HGRID_HD bool touches(index_t triangle, const Vec<double, 3>& x, double radius, const Image& image = {}) const {
    const double squared = detail::mul_rn(radius, radius), tolerance = detail::feature_tolerance * squared;
    const detail::NearestFeature own = nearest_feature(triangle, x, image, tolerance);
    bool is_here = own.squared <= squared;
    if (!is_here) return false;
    const int shared = (own.corners & 1) != 0 ? 0 : ((own.corners & 2) != 0 ? 1 : 2);
    for_each_at(corners[triangle][shared], [&](index_t other, const Image& shift) {
      const int side = detail::mesh_order(other, triangle, shift);
      if (!is_here || side == 0 || !has(other, shift, triangle, own.corners)) return;
      const double its = nearest_feature(other, x, detail::sum_of(image, shift), tolerance).squared;
      is_here = own.squared < its || (own.squared == its && side > 0);
    });
    return is_here;
  }

  /// Calls f(other, shift) for the triangles that share a vertex with this one, for some of them twice: a ball that meets this
  /// one under an image meets the other under image + shift.
  template <class F>
  HGRID_HD void for_each_around(index_t triangle, const F& f) const {
    for (int c = 0; c < 3; ++c) {
      for_each_at(corners[triangle][c], [&](index_t other, const Image& shift) {
        if (other != triangle || shift != Image{}) f(other, shift);
      });
    }
  }

  /// Of two triangles, the second under a shift; the same whichever comes first.
  HGRID_HD detail::Kinship kinship(index_t triangle, index_t other, const Image& shift) const {
    int shared = 0;
    for (int k = 0; k < 3; ++k) shared += has_vertex(other, shift, corners[triangle][k]);
    const Vec<double, 3> a = normal(triangle), b = normal(other);
    const double both = detail::inner_product(a, b);
    return {shared, detail::mul_rn(both, both) / detail::mul_rn(detail::inner_product(a, a), detail::inner_product(b, b))};
  }

 private:
  HGRID_HD Vec<double, 3> normal(index_t triangle) const {
    const Vec<double, 3> a = corner(triangle, 0);
    return detail::cross_product(detail::difference(corner(triangle, 1), a), detail::difference(corner(triangle, 2), a));
  }

  template <class F>
  HGRID_HD void for_each_at(index_t vertex, const F& f) const {
    const index_t one = first == nullptr ? vertex : first[vertex];
    for (offset_t k = around_begin[one]; k < around_begin[one + 1]; ++k) {
      const auto triangle = static_cast<index_t>(around[k] / 3);
      f(triangle, between(vertex, corners[triangle][static_cast<int>(around[k] % 3)]));
    }
  }

  /// From the periods of a vertex to those of one that is the same across them.
  HGRID_HD Image between(index_t vertex, index_t other) const {
    return first == nullptr ? Image{} : detail::sum_of(periods[other], -periods[vertex]);
  }

  /// Whether a triangle, under a shift, has the vertices of another one that the bits name.
  HGRID_HD bool has(index_t triangle, const Image& shift, index_t other, int bits) const {
    for (int k = 0; k < 3; ++k) {
      if ((bits >> k & 1) != 0 && !has_vertex(triangle, shift, corners[other][k])) return false;
    }
    return true;
  }
  HGRID_HD bool has_vertex(index_t triangle, const Image& shift, index_t vertex) const {
    bool found = false;
    for (int c = 0; c < 3 && !found; ++c) {
      const index_t own = corners[triangle][c];
      found = first == nullptr ? own == vertex : first[own] == first[vertex] && between(vertex, own) == shift;
    }
    return found;
  }

  /// Distances are of points that are rounded, but in the triangle, so none is too small by more than rounding.
  HGRID_HD detail::NearestFeature nearest_feature(index_t triangle, const Vec<double, 3>& x, const Image& image,
                                                  double tolerance) const {
    using namespace detail;
    const Vec<double, 3> centre = moved_by(box, x, image);
    const Vec<double, 3> a = corner(triangle, 0), b = corner(triangle, 1), c = corner(triangle, 2);
    const Vec<double, 3> from_a = difference(centre, a), from_b = difference(centre, b), from_c = difference(centre, c);
    const Vec<double, 3> ab = difference(b, a), ac = difference(c, a);
    NearestFeature nearest;
    nearest.look_at(inner_product(from_a, from_a), 0, 1);
    nearest.look_at(inner_product(from_b, from_b), 0, 2);
    nearest.look_at(inner_product(from_c, from_c), 0, 4);
    const auto look_at_edge = [&](const Vec<double, 3>& from, const Vec<double, 3>& along, int bits) {
      const double part = inner_product(from, along), length = inner_product(along, along);
      if (!(part > 0 && part < length)) return;
      const Vec<double, 3> way = advanced(from, -part / length, along);
      nearest.look_at(inner_product(way, way), tolerance, bits);
    };
    look_at_edge(from_a, ab, 3), look_at_edge(from_a, ac, 5), look_at_edge(from_b, difference(c, b), 6);
    const Vec<double, 3> normal = cross_product(ab, ac);
    const double area = inner_product(normal, normal);
    const double s = inner_product(cross_product(from_a, ac), normal) / area;
    const double t = inner_product(cross_product(ab, from_a), normal) / area;
    if (s > 0 && t > 0 && s + t < 1) {  // not without area: none of this holds for NaN
      const Vec<double, 3> way = advanced(advanced(from_a, -s, ab), -t, ac);
      nearest.look_at(inner_product(way, way), 2 * tolerance, 7);
    }
    return nearest;
  }
};

}  // namespace hgrid::inline v0_2
