// SPDX-License-Identifier: BSD-3-Clause
// AnyMesh for one executor: a wall of triangles as a query, with a payload of bytes that follow its contacts.
#pragma once

#include <utility>

#include "c/any_grid.hpp"
#include "c/followed.hpp"
#include "c/placed_grid.hpp"
#include "hgrid/queries.hpp"

namespace hgrid::c {

/// Finds the point of each contact on its triangle.
template <class Real>
struct PlaceContacts {
  MeshView mesh;
  Particles<Real, 3> particles;
  ListView list;
  Vec<double, 3>* points;

  HGRID_HD void operator()(offset_t t) const {
    for (offset_t k = list.offsets[t]; k < list.offsets[t + 1]; ++k) {
      points[k] = mesh.nearest(static_cast<index_t>(t), particles.position_of(list.neighbour(k)), list.image(k));
    }
  }
};

/// Finds vertices that have moved by half a period or more.
struct InspectMoved {
  const Vec<double, 3>* before;
  const Vec<double, 3>* now;
  Box3 box;

  HGRID_HD void operator()(offset_t v, NumberCheck& check) const {
    const Image by = image_of_copy(box, now[v], before[v]);
    for (int k = 0; k < 3; ++k) check.inspect(v, by[k], 1);
  }
};

/// Returns the caller's triangles on the host. Without corners each triangle has three own vertices; equal ones become one.
inline Triangles triangles_of(const hgrid_triangles& given) {
  const Array vertices(given.vertices, "vertices", 2, Place{});
  vertices.require(1, 3).require_real();
  Triangles mesh;
  for (std::int64_t v = 0; v < vertices.size(0); ++v) {
    mesh.vertices.push_back({{vertices.column(0)[v], vertices.column(1)[v], vertices.column(2)[v]}});
  }
  if (!is_given(given.corners)) {
    const auto n = static_cast<std::int64_t>(mesh.vertices.size());
    if (n % 3 != 0)
      refuse("vertices", "are " + std::to_string(n) + ", which make no triangles", static_cast<double>(n),
             ErrorCode::size_mismatch);
    detail::require_points("vertex ", "vertices", mesh.vertices);
    return welded(mesh.vertices);
  }
  const Array corners(given.corners, "corners", 2, Place{});
  corners.require(1, 3);
  const auto* const corner = corners.size(0) == 0 ? nullptr : corners.data<std::int32_t>();
  for (std::int64_t t = 0; t < corners.size(0); ++t) {
    Vec<index_t, 3> of_triangle;
    for (int k = 0; k < 3; ++k) of_triangle[k] = corner[t * corners.stride(0) + k * corners.stride(1)];
    mesh.corners.push_back(of_triangle);
  }
  return mesh;
}

template <class Exec>
class MeshOn final : public AnyMesh {
 public:
  MeshOn(PlacedGrid<Exec, 3>& at, const hgrid_triangles& given)
      : at_(at),
        mesh_(grid_.exec(), triangles_of(given), grid_.box()),
        followed_(grid_.exec(), given.payload),
        fresh_(grid_.exec()) {}

  std::pair<double*, std::int64_t> vertices() override {
    return {mesh_.vertex_count() > 0 ? mesh_.vertices()->v : nullptr, mesh_.vertex_count()};
  }

  /// Returns f(asker) for the mesh with these particles as an asker.
  template <class F>
  auto ask(const hgrid_particles* now, double margin, const F& f) {
    const AnyParticles<3> particles = at_.particles(now);
    mesh_.set_box(grid_.view().box);
    return std::visit([&](const auto& p) { return f(OnMesh{mesh_, p, margin}); }, particles);
  }

  /// If it throws, the previous call's list, history and payload are unchanged.
  hgrid_wall_list find(const hgrid_particles* now, double margin) override {
    offset_t watched = 0;
    ask(now, margin, [&]<class Real>(const OnMesh<Exec, Real>& asker) {
      if (mesh_.box().any_periodic()) watched = mesh_.vertex_count();
      detail::reserve_all(grid_.exec(), detail::Need{before_, watched});
      grid_.find(next_, asker);
      detail::reserve_all(grid_.exec(), detail::Need{points_, detail::with_margin(next_.size(), points_.size())});
      grid_.exec().for_each("hgrid::place_contacts", next_.lists(),
                            PlaceContacts<Real>{mesh_.view(), asker.particles, ListView(next_), points_.data()});
    });
    if (has_before_) require_no_jump(watched);
    fresh_.remap(last_, next_, mesh_.view());
    followed_.carry_payload(fresh_);
    std::swap(followed_.history, fresh_), std::swap(last_, next_);
    grid_.exec().for_each("hgrid::copy_vertices", watched, CopyNumbers<Vec<double, 3>>{mesh_.vertices(), before_.data()});
    has_before_ = watched > 0;
    const double* const points = last_.size() > 0 ? points_.data()->v : nullptr;
    return {0, last_.lists(), last_.size(), last_.offsets(), last_.neighbours(), images_of_result(last_), points};
  }

  hgrid_history history() override { return followed_.given(); }
  void carry(const hgrid_array* before, const hgrid_array* now, const void* fresh) override {
    followed_.carry(before, now, fresh, at_.place);
  }

 private:
  // Throws if a vertex jumped: a displacement is known only up to whole periods, and values of contacts would not follow.
  void require_no_jump(offset_t vertices) {
    const NumberCheck found =
        at_.inspected("hgrid::inspect_moved", vertices, InspectMoved{before_.data(), mesh_.vertices(), mesh_.box()});
    if (found.bad == 0) return;
    throw Error(ErrorCode::range_error,
                "vertex " + std::to_string(found.first) +
                    " has moved by half a period or more since the contacts before; do not wrap a wall, or make the mesh again",
                {.argument = "vertices", .index = found.first, .value = static_cast<double>(found.value), .count = found.bad});
  }

  PlacedGrid<Exec, 3>& at_;
  Grid<Exec, 3>& grid_ = at_.grid;
  Mesh<Exec> mesh_;
  NeighbourList<Exec> last_{grid_.exec(), ListKind::full}, next_{grid_.exec(), ListKind::full};
  typename Exec::template Buffer<Vec<double, 3>> points_, before_;  // before_: vertices at the last contacts, in a periodic box
  bool has_before_ = false;
  Followed<Exec> followed_;
  History<Exec> fresh_;
};

}  // namespace hgrid::c
