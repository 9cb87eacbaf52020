// SPDX-License-Identifier: BSD-3-Clause
// Meshes of triangles as walls: their memory, and which triangles share a vertex, found once.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "hgrid/core/error.hpp"
#include "hgrid/core/mesh_view.hpp"
#include "hgrid/core/region.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2 {

/// Vertices, and three vertices for each triangle, in host memory.
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

/// Makes a mesh of separate triangles, three points each, as in an STL file: equal points become one vertex. Throws
/// `size_mismatch` if the number of points is not a multiple of three, `capacity` for more than ids have bits for, and
/// `nonfinite` or `range_error` for a point.
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
  std::vector<index_t> first(points.size());  // the first of the equal points
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
      const Vec<double, 3> x = mesh.corner(t, c);
      for (int k = 0; k < 3; ++k) {
        if (x[k] < box.lo[k] || x[k] != x[k]) box.lo[k] = x[k];  // if not a number, queries reject the box
        if (x[k] > box.hi[k]) box.hi[k] = x[k];
      }
    }
    boxes[i] = box;
  }
};

/// Returns whether the contact of a ball with a mesh is on a triangle.
template <class Real>
struct TouchesMesh {
  MeshView mesh;
  Particles<Real, 3> particles;

  HGRID_HD bool operator()(index_t triangle, index_t id, const Image& image) const {
    const double radius = add_rn(particles.scaled_radius(id), particles.extra_distance(id));
    return mesh.touches(triangle, particles.position_of(id), radius, image);
  }
};

/// Vertices that are equal across the periods of a box: for each the first of them, and the periods from that one.
class Seams {
 public:
  Seams(std::span<const Vec<double, 3>> vertices, const Box3& box) {
    if (!box.any_periodic() || box.turned) return;
    std::vector<Place> places;
    for (std::size_t v = 0; v < vertices.size(); ++v) places.push_back(place_of(box, vertices[v], static_cast<index_t>(v)));
    std::sort(places.begin(), places.end());
    first.resize(vertices.size()), periods.resize(vertices.size());
    bool any = false;
    for (std::size_t k = 0, begin = 0; k < places.size(); ++k) {
      if (places[k].inside != places[begin].inside) begin = k;
      const auto v = static_cast<std::size_t>(places[k].vertex);
      first[v] = places[begin].vertex;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double between = places[k].count[axis] - places[begin].count[axis];
        if (std::fabs(between) > most)
          throw Error(ErrorCode::range_error, "vertices are one across " + to_text(between) + " periods; there may be 250",
                      {.argument = "vertices", .index = places[k].vertex, .value = between});
        periods[v][static_cast<int>(axis)] = static_cast<std::int32_t>(between);
        any = any || between != 0;
      }
    }
    if (!any) first.clear(), periods.clear();
  }

  std::vector<index_t> first;  // empty if no vertices are equal across periods
  std::vector<Image> periods;

 private:
  static constexpr double most = 250;

  struct Place {
    std::array<double, 3> inside;
    index_t vertex;
    std::array<double, 3> count;
    bool operator<(const Place& other) const { return inside != other.inside ? inside < other.inside : vertex < other.vertex; }
  };

  // Wraps a vertex. An upper face counts as the lower one, however the period is rounded.
  static Place place_of(const Box3& box, Vec<double, 3> x, index_t vertex) {
    Place place{{}, vertex, {}};
    for (int k = 0; k < 3; ++k) {
      if (!box.wraps[k] || box.tilted || x[k] != box.hi[k]) continue;
      x[k] = box.lo[k], place.count[static_cast<std::size_t>(k)] = 1;
    }
    const InBox<3> in = into_box(box, x);
    for (std::size_t k = 0; k < 3; ++k) {
      place.inside[k] = in.inside[static_cast<int>(k)] + 0.0;  // not -0
      place.count[k] += in.count[static_cast<int>(k)];
    }
    return place;
  }
};

}  // namespace detail

/// A wall of triangles in the executor's memory; `OnMesh` makes a query of it. Triangles are adjacent if they share a vertex
/// number, so equal points must be one vertex (`welded`). In a periodic box, vertices that lie whole periods apart, as on two
/// opposite faces, also count as one: a mesh may continue across the faces. Winding does not matter: balls may touch from both
/// sides. An edge may belong to any number of triangles, and a triangle without area acts as its edges. `MeshView` says which
/// contacts count.
template <class Exec>
class Mesh {
 public:
  /// Copies from host memory, and waits. `box` is the box of the grid that the mesh is used with. Errors: `range_error` for a
  /// corner that is not a vertex, with the index of its triangle; `nonfinite` or `range_error` for a vertex, with its index;
  /// `capacity` for more corners than ids have bits for; `out_of_memory`.
  Mesh(const Exec& exec, std::span<const Vec<double, 3>> vertices, std::span<const Vec<index_t, 3>> corners,
       const Box3& box = Box3::open())
      : exec_(exec), box_(box) {
    check(vertices, corners);
    const detail::Seams seams(vertices, box);
    has_seams_ = !seams.first.empty();
    const auto place = [&](index_t vertex) {
      return static_cast<std::size_t>(has_seams_ ? seams.first[static_cast<std::size_t>(vertex)] : vertex);
    };
    std::vector<offset_t> begin(vertices.size() + 1);
    for (const Vec<index_t, 3>& triangle : corners) {
      for (const index_t vertex : triangle.v) ++begin[place(vertex) + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<offset_t> around(3 * corners.size()), to(begin.begin(), begin.end() - 1);
    for (std::size_t t = 0; t < corners.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k)
        around[static_cast<std::size_t>(to[place(corners[t][static_cast<int>(k)])]++)] = static_cast<offset_t>(3 * t + k);
    }
    size_ = static_cast<index_t>(corners.size()), vertex_count_ = static_cast<offset_t>(vertices.size());
    const offset_t n = vertex_count_, across = has_seams_ ? n : 0;
    detail::reserve_all(exec_, detail::Need{vertices_, n}, detail::Need{corners_, offset_t{size_}}, detail::Need{begin_, n + 1},
                        detail::Need{around_, 3 * offset_t{size_}}, detail::Need{first_, across},
                        detail::Need{periods_, across}, detail::Need{boxes_, offset_t{size_}});
    exec_.copy_in(begin_.data(), begin.data(), n + 1);
    if (n > 0) exec_.copy_in(vertices_.data(), vertices.data(), n);
    if (across > 0)
      exec_.copy_in(first_.data(), seams.first.data(), n), exec_.copy_in(periods_.data(), seams.periods.data(), n);
    if (size_ > 0)
      exec_.copy_in(corners_.data(), corners.data(), size_), exec_.copy_in(around_.data(), around.data(), 3 * offset_t{size_});
  }
  Mesh(const Exec& exec, const Triangles& mesh, const Box3& box = Box3::open())
      : Mesh(exec, mesh.vertices, mesh.corners, box) {}

  /// Returns the number of triangles.
  index_t size() const { return size_; }
  offset_t vertex_count() const { return vertex_count_; }
  /// Returns the vertices in the executor's memory. To move the wall, write new positions there between two calls. If vertices
  /// are one across periods, the first counts. [vertex_count]
  Vec<double, 3>* vertices() { return vertices_.data(); }
  const Vec<double, 3>* vertices() const { return vertices_.data(); }
  const Box3& box() const { return box_; }
  /// Sets the box after the grid's box has changed (`Grid::set_box`). Positions stay, and which vertices count as one.
  void set_box(const Box3& box) { box_ = box; }
  /// Returns a view, valid as long as the mesh.
  MeshView view() const {
    return {vertices_.data(),
            corners_.data(),
            begin_.data(),
            around_.data(),
            has_seams_ ? first_.data() : nullptr,
            has_seams_ ? periods_.data() : nullptr,
            box_,
            size_};
  }

  /// Returns the boxes of the triangles at their present vertices, rounded by a margin: regions for a query, in memory of the
  /// mesh. [size]
  const Region<3>* boxes(double margin = 0) {
    exec_.for_each("hgrid::box_triangles", size_, detail::BoxTriangle{view(), margin, boxes_.data()});
    return boxes_.data();
  }

  std::size_t bytes() const {
    return vertices_.bytes() + corners_.bytes() + begin_.bytes() + around_.bytes() + first_.bytes() + periods_.bytes() +
           boxes_.bytes();
  }

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
  Box3 box_;
  index_t size_ = 0;
  offset_t vertex_count_ = 0;
  bool has_seams_ = false;
  Buffer<Vec<double, 3>> vertices_;
  Buffer<Vec<index_t, 3>> corners_;
  Buffer<offset_t> begin_, around_;
  Buffer<index_t> first_;
  Buffer<Image> periods_;
  Buffer<Region<3>> boxes_;
};

}  // namespace hgrid::inline v0_2
