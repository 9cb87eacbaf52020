// SPDX-License-Identifier: BSD-3-Clause
// Walls of triangles, and values that follow their contacts. Include hgrid11.hpp.
#ifndef HGRID11_MESH_HPP
#define HGRID11_MESH_HPP

#include "hgrid11_verlet.hpp"

namespace hgrid11 {
inline namespace v0_2 {

/// The particles that each triangle touches: list[t] is the list of triangle t.
class WallList : public NeighbourList {
 public:
  explicit WallList(const hgrid_wall_list& all) : NeighbourList(list_of(all), 0), points_(all.points) {}

  /// Returns three numbers: the point of an entry's triangle nearest to the particle, shifted to the particle's side.
  const double* point(std::int64_t entry) const { return points_ + 3 * entry; }

 private:
  static hgrid_neighbour_list list_of(const hgrid_wall_list& all) {
    hgrid_neighbour_list list = detail::sized<hgrid_neighbour_list>();
    list.lists = all.lists, list.size = all.size, list.offsets = all.offsets, list.neighbours = all.neighbours;
    list.images = all.images;
    return list;
  }

  const double* points_;
};

/// A wall of triangles for a grid, in its box. The two may be destroyed in either order. An edge may belong to any number of
/// triangles, and winding does not matter. All functions throw Error.
class Mesh {
 public:
  /// Takes triangles of nine numbers each, as in files: equal points become one vertex.
  Mesh(Grid<3>& grid, const std::vector<double>& points) : mesh_(made(grid, given_by(points, nullptr))) {}
  /// Takes three numbers for each vertex, and the three vertices of each triangle.
  Mesh(Grid<3>& grid, const std::vector<double>& vertices, const std::vector<std::int32_t>& corners)
      : mesh_(made(grid, given_by(vertices, &corners))) {}

  hgrid_mesh* get() const { return mesh_.get(); }

  /// Returns [vertex_count][3]; to move the wall, write new positions there.
  double* vertices() const { return vertices_().first; }
  std::int64_t vertex_count() const { return vertices_().second; }

  /// Lists the contacts of the grid's present particles; each has moved and grown by at most `margin` since the build. Where
  /// several triangles meet, there is one contact. Followers keep their values, also if a particle rolls to the next triangle;
  /// pass the same ones each time. Valid until the next call. Do not wrap a wall: a vertex that has moved by half a period or
  /// more since the last call is `range_error`.
  template <class... T>
  WallList contacts(const Particles<3>& now, double margin, PairArray<T>&... followers) {
    if (is_asked_) follow(followers...);
    const auto all = detail::filled<hgrid_wall_list>(hgrid_mesh_contacts, get(), now.get(), margin);
    lists_.next(), is_asked_ = true;
    follow(followers...);
    return WallList(all);
  }
  WallList contacts(const Particles<3>& now) { return contacts(now, 0); }

  /// Returns where the contacts were in the previous call.
  hgrid_history history() const { return detail::filled<hgrid_history>(hgrid_mesh_history, get()); }

 private:
  static hgrid_mesh* made(Grid<3>& grid, const hgrid_triangles& given) {
    return detail::written<hgrid_mesh*>(hgrid_mesh_create, grid.get(), &given);
  }
  static hgrid_triangles given_by(const std::vector<double>& vertices, const std::vector<std::int32_t>* corners) {
    hgrid_triangles given = detail::sized<hgrid_triangles>();
    given.vertices = rows_of_three(vertices, "vertices");
    if (corners != nullptr) given.corners = rows_of_three(*corners, "corners");
    return given;
  }
  template <class T>
  static hgrid_array rows_of_three(const std::vector<T>& numbers, const char* name) {
    const std::int64_t n = detail::size_of(numbers);
    if (n % 3 != 0)
      throw Error(ErrorCode::size_mismatch, "has " + std::to_string(n) + " numbers, which are no rows of three", name, n);
    return detail::array_2d(numbers.data(), n / 3, 3);
  }
  std::pair<double*, std::int64_t> vertices_() const {
    double* vertices = nullptr;
    std::int64_t count = 0;
    detail::require(hgrid_mesh_vertices(get(), &vertices, &count));
    return std::make_pair(vertices, count);
  }

  template <class... T>
  void follow(PairArray<T>&... followers) const {
    if (sizeof...(followers) > 0) lists_.follow(history(), followers...);
  }

  std::unique_ptr<hgrid_mesh, detail::Destroy> mesh_;
  detail::Lists lists_;
  bool is_asked_ = false;  // if false, followers may already have values of the next list, as from a checkpoint
};

}  // namespace v0_2
}  // namespace hgrid11

#endif
