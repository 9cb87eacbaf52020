// SPDX-License-Identifier: BSD-3-Clause
// The functions of hgrid.h: from this module, for the host, or from a library with CUDA.
#pragma once

#include <hgrid.h>

#include <string>

namespace hgrid::python {

#define HGRID_DOOR(each)                                                                                                       \
  each(version) each(last_error) each(status_name) each(instructions) each(create) each(destroy) each(set_box) each(set_boxes) \
      each(set_watch) each(build) each(generation) each(plan) each(level) each(work) each(validity) each(wait) each(count)     \
          each(pairs) each(neighbours) each(packed_neighbours) each(matrix) each(query) each(nearest) each(touches)            \
              each(insert) each(insert_if_free) each(measure) each(entries) each(list_ids) each(scratch) each(keep)            \
                  each(allocate) each(release) each(copy) each(save) each(restore) each(verlet_create) each(verlet_destroy)    \
                      each(verlet_update) each(verlet_build) each(verlet_neighbours) each(verlet_periods) each(verlet_history) \
                          each(verlet_carry) each(verlet_counts) each(verlet_save) each(verlet_restore) each(touching_pairs)   \
                              each(touching_neighbours) each(between_excluding) each(mesh_create) each(mesh_destroy)           \
                                  each(mesh_vertices) each(verlet_enqueue_update) each(verlet_wait) each(verlet_guard)         \
                                      each(mesh_contacts) each(mesh_history) each(mesh_carry)

struct Door {
#define HGRID_MEMBER(name) decltype(&hgrid_##name) name;
  HGRID_DOOR(HGRID_MEMBER)
#undef HGRID_MEMBER

  /// Throws the error of the call with this status.
  void require(int status) const {
    if (status != HGRID_OK) fail(status);
  }

 private:
  [[noreturn]] void fail(int status) const;
};

/// Like hgrid_error. hgrid/_errors.py says which exception it becomes.
struct DoorError {
  std::string code, message, argument = {};
  std::int64_t index = -1, count = 0, needed = -1;
  double value = 0;
};

const Door& own_door();

/// Returns the functions of a library, which stays loaded. Throws `device` with the reason.
const Door& door_of(const std::string& library);

/// Returns a struct of hgrid.h with all zeros except its size.
template <class T>
T sized() {
  T s{};
  s.struct_size = sizeof(T);
  return s;
}

}  // namespace hgrid::python
