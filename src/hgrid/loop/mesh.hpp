// SPDX-License-Identifier: BSD-3-Clause
// Meshes of triangles as walls: their memory, and which triangles have a vertex in common, found once.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "hgrid/core/error.hpp"
#include "hgrid/core/mesh.hpp"
#include "hgrid/core/region.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_1 {

/// Vertices and the three of each triangle, in host memory.
struct Triangles {
  std::vector<Vec<double, 3>> vertices;
  std::vector<Vec<index_t, 3>> corners;
};

namespace detail {

inline void require_points(const char* one, const char* argument, std::span<const Vec<double, 3>> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const double x : points[i].v) {
      if (std::fabs(x) <= largest_length) continue;
      throw Error(std::isfinite(x) ? ErrorCode::range_error : ErrorCode::nonfinite,
                  one + std::to_string(i) + ": " + to_text(x) + " is not within 1e15",
                  {.argument = argument, .index = static_cast<std::int64_t>(i), .value = x});
    }
  }
}

}  // namespace detail

/// Triangles that know nothing of each other, three points each, as in an STL file, made a mesh: points that are equal
/// become one vertex. `size_mismatch` for points that are no threes, `capacity` for more than ids have bits for, `nonfinite` or
/// `range_error` for a point.
inline Triangles welded(std::span<const Vec<double, 3>> points) {
  if (points.size() % 3 != 0)
    throw Error(ErrorCode::size_mismatch, std::to_string(points.size()) + " points make no triangles", {.argument = "points"});
  if (points.size() > static_cast<std::size_t>(most_particles))
    throw Error(ErrorCode::capacity, std::to_string(points.size()) + " points: their numbers have 32 bits",
                {.argument = "points"});
  detail::require_points("point ", "points", points);
  const auto at = [&](index_t i) {
    const Vec<double, 3>& x = points[static_cast<std::size_t>(i)];
    return std::array<double, 3>{x[0], x[1], x[2]};
  };
  std::vector<index_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](index_t i, index_t j) { return at(i) < at(j); });
  Triangles mesh;
  mesh.corners.resize(points.size() / 3);
  std::vector<index_t> first(points.size());  // of the equal points
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool again = k > 0 && at(order[k - 1]) == at(order[k]);
    first[static_cast<std::size_t>(order[k])] = again ? first[static_cast<std::size_t>(order[k - 1])] : order[k];
  }
  std::vector<index_t> number(points.size());  // vertices are in the order of their first points
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto vertex = static_cast<std::size_t>(first[i]);
    if (vertex == i) number[i] = static_cast<index_t>(mesh.vertices.size()), mesh.vertices.push_back(points[i]);
    mesh.corners[i / 3][static_cast<int>(i % 3)] = number[vertex];
  }
  return mesh;
}

namespace detail {

struct BoxTriangle {
  MeshView mesh;
  double margin;
  Region<3>* boxes;

  HGRID_HD void operator()(offset_t i) const {
    const auto t = static_cast<index_t>(i);
    Region<3> box{mesh.corner(t, 0), mesh.corner(t, 0), margin};
    for (int c = 1; c < 3; ++c) {
      const Vec<double, 3>& x = mesh.corner(t, c);
      for (int k = 0; k < 3; ++k) {
        if (x[k] < box.lo[k] || x[k] != x[k]) box.lo[k] = x[k];  // not a number: queries refuse the box
        if (x[k] > box.hi[k]) box.hi[k] = x[k];
      }
    }
    boxes[i] = box;
  }
};

/// Whether the contact of a ball with a mesh is on a triangle of it.
template <class Real>
struct TouchesMesh {
  MeshView mesh;
  Box3 box;
  Particles<Real, 3> particles;

  HGRID_HD bool operator()(index_t triangle, index_t id, const Image& image) const {
    const double radius = add_rn(particles.scaled_radius(id), particles.extra_distance(id));
    return mesh.touches(triangle, centre_under(box, particles.position_of(id), image), radius);
  }
};

}  // namespace detail

/// A wall of triangles in the executor's memory, for `Queries::find`. Triangles are neighbours where they have a vertex of one
/// number, so points that are equal must be one vertex (`welded`). Winding does not matter: balls may touch from both
/// sides. An edge may have any number of triangles, and a triangle without area is its edges. A mesh knows no periods:
/// where it goes on beyond a periodic face, a ball at the face touches twice. `MeshView`
/// says which contacts count.
template <class Exec>
class Mesh {
 public:
  /// Copies from host memory, and waits. Errors: `range_error` for a corner that is no vertex, with the index of its triangle;
  /// `nonfinite` or `range_error` for a vertex, with its index; `capacity` for more corners than ids have bits for, and
  /// `out_of_memory`.
  Mesh(const Exec& exec, std::span<const Vec<double, 3>> vertices, std::span<const Vec<index_t, 3>> corners) : exec_(exec) {
    check(vertices, corners);
    std::vector<offset_t> begin(vertices.size() + 1);
    for (const Vec<index_t, 3>& triangle : corners) {
      for (const index_t vertex : triangle.v) ++begin[static_cast<std::size_t>(vertex) + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<index_t> around(3 * corners.size());
    std::vector<offset_t> to(begin.begin(), begin.end() - 1);
    for (std::size_t t = 0; t < corners.size(); ++t) {
      for (const index_t vertex : corners[t].v)
        around[static_cast<std::size_t>(to[static_cast<std::size_t>(vertex)]++)] = static_cast<index_t>(t);
    }
    size_ = static_cast<index_t>(corners.size()), vertex_count_ = static_cast<offset_t>(vertices.size());
    detail::reserve_all(exec_, detail::Need{vertices_, vertex_count_}, detail::Need{corners_, offset_t{size_}},
                        detail::Need{begin_, vertex_count_ + 1}, detail::Need{around_, 3 * offset_t{size_}},
                        detail::Need{boxes_, offset_t{size_}});
    exec_.copy_in(begin_.data(), begin.data(), vertex_count_ + 1);
    if (vertex_count_ > 0) exec_.copy_in(vertices_.data(), vertices.data(), vertex_count_);
    if (size_ == 0) return;
    exec_.copy_in(corners_.data(), corners.data(), size_);
    exec_.copy_in(around_.data(), around.data(), 3 * offset_t{size_});
  }
  Mesh(const Exec& exec, const Triangles& mesh) : Mesh(exec, mesh.vertices, mesh.corners) {}

  /// Triangles.
  index_t size() const { return size_; }
  offset_t vertex_count() const { return vertex_count_; }
  /// In the executor's memory; a wall that moves writes new positions there, between two calls. [vertex_count]
  Vec<double, 3>* vertices() { return vertices_.data(); }
  const Vec<double, 3>* vertices() const { return vertices_.data(); }
  /// Valid as long as the mesh.
  MeshView view() const { return {vertices_.data(), corners_.data(), begin_.data(), around_.data(), size_}; }

  /// The boxes of the triangles, rounded by a margin, as vertices are now: regions for `Queries`, in memory of the mesh. [size]
  const Region<3>* boxes(double margin = 0) {
    exec_.for_each("hgrid::box_triangles", size_, detail::BoxTriangle{view(), margin, boxes_.data()});
    return boxes_.data();
  }

  std::size_t bytes() const { return vertices_.bytes() + corners_.bytes() + begin_.bytes() + around_.bytes() + boxes_.bytes(); }

 private:
  static void check(std::span<const Vec<double, 3>> vertices, std::span<const Vec<index_t, 3>> corners) {
    if (3 * corners.size() > static_cast<std::size_t>(most_particles)) {
      throw Error(ErrorCode::capacity, std::to_string(corners.size()) + " triangles: their numbers have 32 bits",
                  {.argument = "corners", .value = static_cast<double>(corners.size())});
    }
    detail::require_points("vertex ", "vertices", vertices);
    for (std::size_t t = 0; t < corners.size(); ++t) {
      for (const index_t vertex : corners[t].v) {
        if (vertex >= 0 && static_cast<std::size_t>(vertex) < vertices.size()) continue;
        throw Error(ErrorCode::range_error,
                    "triangle " + std::to_string(t) + ": " + std::to_string(vertex) + " is none of the " +
                        std::to_string(vertices.size()) + " vertices",
                    {.argument = "corners", .index = static_cast<std::int64_t>(t), .value = static_cast<double>(vertex)});
      }
    }
  }

  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  Exec exec_;
  index_t size_ = 0;
  offset_t vertex_count_ = 0;
  Buffer<Vec<double, 3>> vertices_;
  Buffer<Vec<index_t, 3>> corners_;
  Buffer<offset_t> begin_;
  Buffer<index_t> around_;
  Buffer<Region<3>> boxes_;
};

}  // namespace hgrid::inline v0_1
