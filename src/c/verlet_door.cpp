// SPDX-License-Identifier: BSD-3-Clause
// The functions of hgrid.h for Verlet lists.
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
  return status_of([&] { of(list).build(particles); });
}

int hgrid_verlet_enqueue_update(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened) {
  return status_of([&] { of(list).enqueue_update(now, widened); });
}

int hgrid_verlet_wait(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened, int* capture) {
  return status_of([&] {
    AnyVerlet& l = of(list);
    int& again = written(capture, "capture");
    again = l.wait(now, widened);
  });
}

int hgrid_verlet_guard(hgrid_verlet* list, hgrid_list_guard* out) {
  return status_of([&] { Result(out).give(of(list).guard()); });
}

int hgrid_verlet_neighbours(hgrid_verlet* list, hgrid_neighbour_list* out) {
  return status_of([&] { Result(out).give(seen(list).neighbours()); });
}

int hgrid_verlet_periods(hgrid_verlet* list, const int32_t** periods) {
  return status_of([&] { written(periods, "periods") = seen(list).periods(); });
}

int hgrid_verlet_history(hgrid_verlet* list, hgrid_history* out) {
  return status_of([&] { Result(out).give(of(list).history()); });
}

int hgrid_verlet_carry(hgrid_verlet* list, const hgrid_array* before, const hgrid_array* now, const void* fresh) {
  return status_of([&] { of(list).carry(written(before, "before"), written(now, "now"), fresh); });
}

int hgrid_verlet_save(hgrid_verlet* list, const void** bytes, int64_t* size) {
  return status_of([&] { give_bytes(of(list), bytes, size); });
}

int hgrid_verlet_restore(hgrid_verlet* list, const void* bytes, int64_t size) {
  return status_of([&] { of(list).restore(checkpoint_of(bytes, size)); });
}

int hgrid_verlet_counts(hgrid_verlet* list, hgrid_verlet_counters* out) {
  return status_of([&] { Result(out).give(seen(list).counters()); });
}
