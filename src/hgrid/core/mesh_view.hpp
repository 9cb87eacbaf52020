// SPDX-License-Identifier: BSD-3-Clause
// Walls of triangles that share corners and edges: where a ball touches several triangles at one place, this chooses the
// triangle that has the contact.
#pragma once

#include "hgrid/core/lattice.hpp"
#include "hgrid/core/triangle.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// Returns x + image L. Not for turned boxes, which do not support triangles.
HGRID_HD inline Vec<double, 3> moved_by(const Box3& box, const Vec<double, 3>& x, const Image& image) {
  return less_vectors(box, x, {-double(image[0]), -double(image[1]), -double(image[2])});
}
HGRID_HD inline Image sum_of(const Image& a, const Image& b) { return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}}; }

/// Returns -1, 0 or 1: a triangle comes before, is, or comes after another one. `shift` leads from the image of the other
/// triangle to the image under which the ball meets this one.
HGRID_HD inline int mesh_order(index_t triangle, index_t other, const Image& shift) {
  return triangle == other ? lexicographic_sign(shift) : (triangle < other ? -1 : 1);
}

/// Which part of a triangle is nearest to a ball, and the square of its distance.
struct NearestFeature {
  double rank = HUGE_VAL, squared = HUGE_VAL;
  int corners = 0;  // a bit for each corner that bounds this part: one bit at a vertex, two on an edge, three inside

  HGRID_HD void look_at(double distance_squared, double penalty, int of) {
    squared = distance_squared < squared ? distance_squared : squared;
    const double other = add_rn(distance_squared, penalty);
    if (other < rank) rank = other, corners = of;
  }
};

/// How closely a triangle follows another one in a mesh: sharing an edge counts more than sharing a vertex, and then the angle
/// between the planes counts.
struct Kinship {
  int shared;     // number of shared vertices
  double cosine;  // squared, of the angle between the planes; NaN for triangles without area
  HGRID_HD bool exceeds(const Kinship& o) const { return shared != o.shared ? shared > o.shared : cosine > o.cosine; }
};

/// How much farther the square of a distance may be, in squares of the radius, for a corner to come before an edge, and for an
/// edge to come before the inside: above an edge within 2^-15 of a radius. Far larger than rounding, and far too small to
/// affect a force.
inline constexpr double feature_tolerance = 0x1p-30;

}  // namespace detail

/// A view of a mesh of triangles in the executor's memory, for kernels; from `Mesh::view`.
/// | A ball and a mesh have a contact at each place where the distance from the centre is a local minimum: one on a plane,
/// however it is cut into triangles; one on an edge or at a corner that sticks out; two in a groove if the ball touches both
/// sides, three in the corner of a room. The nearest point of a triangle to the centre lies inside, on an edge or at a vertex.
/// The triangle has the contact if no other triangle at that edge or vertex is nearer, or equally near and earlier in order.
/// Only these triangles are compared, so each triangle decides for itself, from any list or functor.
/// | In floating point: the squared distance of a triangle has the same bits in every comparison. So at least one of all
/// triangles that a ball touches has a contact, and at one place never two. A vertex counts as nearer than an edge, and an edge
/// as nearer than an inside, by 2^-30 squared radii. Rounding therefore never finds a ball above the insides of two triangles
/// of a plane: there is one contact, above edges and vertices too, unless triangles are more than 2^18 times as large as the
/// ball, or thinner than 2^-14 of it. A groove so flat that both places are within 2^-15 of a radius of its edge gives one
/// contact.
struct MeshView {
  const Vec<double, 3>* vertices;
  const Vec<index_t, 3>* corners;  ///< the three vertices of each triangle; [size]
  const offset_t* around_begin;    ///< where the corners at a vertex begin in `around`; [vertices + 1]
  const offset_t* around;          ///< corner k of triangle t as 3 t + k
  const index_t* first;            ///< of vertices that coincide across periods, the first; [vertices], or null
  const Image* periods;            ///< of each vertex, counted from that first one; [vertices], or null
  Box3 box;
  index_t size;

  HGRID_HD Vec<double, 3> corner(index_t triangle, int k) const {
    const index_t vertex = corners[triangle][k];
    return first == nullptr ? vertices[vertex] : detail::moved_by(box, vertices[first[vertex]], periods[vertex]);
  }

  /// Returns the nearest point of a triangle to the centre x of a ball that was listed under an image. The point is shifted to
  /// the side of x, so the force is along the line between both.
  HGRID_HD Vec<double, 3> nearest(index_t triangle, const Vec<double, 3>& x, const Image& image = {}) const {
    const Vec<double, 3> point =
        nearest_on_triangle(detail::moved_by(box, x, image), corner(triangle, 0), corner(triangle, 1), corner(triangle, 2));
    return detail::moved_by(box, point, -image);
  }

  /// Returns whether a ball under an image touches the mesh, and this triangle has the contact.
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

  /// Calls f(other, shift) for the triangles that share a vertex with this one; some come twice. A ball that meets this
  /// triangle under an image meets the other one under image + shift.
  template <class F>
  HGRID_HD void for_each_around(index_t triangle, const F& f) const {
    for (int c = 0; c < 3; ++c) {
      for_each_at(corners[triangle][c], [&](index_t other, const Image& shift) {
        if (other != triangle || shift != Image{}) f(other, shift);
      });
    }
  }

  /// Returns the kinship of two triangles, the second under a shift. The result is equal if they change places.
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

  /// Returns the periods from a vertex to another one that coincides with it across periods.
  HGRID_HD Image between(index_t vertex, index_t other) const {
    return first == nullptr ? Image{} : detail::sum_of(periods[other], -periods[vertex]);
  }

  /// Returns whether a triangle, under a shift, has the vertices of another one that `bits` selects.
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

  /// Returns the nearest part of a triangle to x. Distances are to points of the triangle, so apart from rounding none is too
  /// small.
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
    if (s > 0 && t > 0 && s + t < 1) {  // false for a triangle without area, whose values are NaN
      const Vec<double, 3> way = advanced(advanced(from_a, -s, ab), -t, ac);
      nearest.look_at(inner_product(way, way), 2 * tolerance, 7);
    }
    return nearest;
  }
};

}  // namespace hgrid::inline v0_2
