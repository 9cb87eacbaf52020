// SPDX-License-Identifier: BSD-3-Clause
// The functions of hgrid.h for walls of triangles.
#include <tuple>

#include "c/handles.hpp"

using namespace hgrid::c;

int hgrid_mesh_create(hgrid_grid* grid, const hgrid_triangles* triangles, hgrid_mesh** out) {
  return status_of([&] {
    hgrid_mesh*& to = written(out, "out");
    to = new hgrid_mesh{(of(grid), grid->grid), of(grid).make_mesh(taken(triangles, "triangles"))};
  });
}

void hgrid_mesh_destroy(hgrid_mesh* mesh) { delete mesh; }

int hgrid_mesh_vertices(hgrid_mesh* mesh, double** vertices, int64_t* count) {
  return status_of([&] {
    double*& to = written(vertices, "vertices");
    std::tie(to, written(count, "count")) = of(mesh).vertices();
  });
}

int hgrid_mesh_contacts(hgrid_mesh* mesh, const hgrid_particles* now, double margin, hgrid_wall_list* out) {
  return status_of([&] { Result(out).give(of(mesh).find(now, margin)); });
}

int hgrid_mesh_history(hgrid_mesh* mesh, hgrid_history* out) {
  return status_of([&] { Result(out).give(of(mesh).history()); });
}

int hgrid_mesh_carry(hgrid_mesh* mesh, const hgrid_array* before, const hgrid_array* now, const void* fresh) {
  return status_of([&] { of(mesh).carry(written(before, "before"), written(now, "now"), fresh); });
}
