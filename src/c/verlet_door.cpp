// SPDX-License-Identifier: BSD-3-Clause
// The functions of hgrid.h for Verlet lists, and for walls of triangles.
#include <tuple>

#include "c/handles.hpp"

using namespace hgrid::c;

int hgrid_verlet_create(hgrid_grid* grid, const hgrid_verlet_options* options, hgrid_verlet** out) {
  return status_of([&] {
    hgrid_verlet*& to = written(out, "out");
    to = new hgrid_verlet{(of(grid), grid->grid), of(grid).make_verlet(taken(options, "options"))};
  });
}

void hgrid_verlet_destroy(hgrid_verlet* list) { delete list; }

int hgrid_verlet_update(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened, int* rebuilt) {
  return status_of([&] {
    const bool is_new = of(list).update(now, widened);
    if (rebuilt != nullptr) *rebuilt = is_new;
  });
}

int hgrid_verlet_build(hgrid_verlet* list, const hgrid_particles* particles) {
  return call(list, &AnyVerlet::build, particles);
}

int hgrid_verlet_enqueue_update(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened) {
  return call(list, &AnyVerlet::enqueue_update, now, widened);
}

int hgrid_verlet_wait(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened, int* capture) {
  return answer(capture, "capture", list, &AnyVerlet::wait, now, widened);
}

int hgrid_verlet_guard(hgrid_verlet* list, hgrid_list_guard* out) { return report(out, list, &AnyVerlet::guard); }

int hgrid_verlet_neighbours(hgrid_verlet* list, hgrid_neighbour_list* out) { return report(out, list, &AnyVerlet::neighbours); }

int hgrid_verlet_periods(hgrid_verlet* list, const int32_t** periods) {
  return answer(periods, "periods", list, &AnyVerlet::periods);
}

int hgrid_verlet_history(hgrid_verlet* list, hgrid_history* out) { return report(out, list, &AnyVerlet::history); }

int hgrid_verlet_carry(hgrid_verlet* list, const hgrid_array* before, const hgrid_array* now, const void* fresh) {
  return call(list, &AnyVerlet::carry, before, now, fresh);
}

int hgrid_verlet_save(hgrid_verlet* list, const void** bytes, int64_t* size) { return saved(list, bytes, size); }

int hgrid_verlet_restore(hgrid_verlet* list, const void* bytes, int64_t size) { return restored(list, bytes, size); }

int hgrid_verlet_counts(hgrid_verlet* list, hgrid_verlet_counters* out) { return report(out, list, &AnyVerlet::counters); }

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
  return report(out, mesh, &AnyMesh::find, now, margin);
}

int hgrid_mesh_history(hgrid_mesh* mesh, hgrid_history* out) { return report(out, mesh, &AnyMesh::history); }

int hgrid_mesh_carry(hgrid_mesh* mesh, const hgrid_array* before, const hgrid_array* now, const void* fresh) {
  return call(mesh, &AnyMesh::carry, before, now, fresh);
}
