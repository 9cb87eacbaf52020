// SPDX-License-Identifier: BSD-3-Clause
// The functions of hgrid.h except Verlet lists and meshes: check arguments, call the C++ library, write results.
#include "c/handles.hpp"

namespace hgrid::c {
namespace {

std::unique_ptr<AnyGrid> make_grid(const hgrid_options& options, const hgrid_box* box) {
  if (options.dimension != 2 && options.dimension != 3) refuse("dimension", "is neither 2 nor 3", options.dimension);
  [[maybe_unused]] const Place place = place_of(options);
#ifdef HGRID_HAS_CUDA
  if (place.type == Place::cuda)
    return options.dimension == 2 ? make_cuda_grid<2>(options, box) : make_cuda_grid<3>(options, box);
#endif
  return options.dimension == 2 ? make_host_grid<2>(options, box) : make_host_grid<3>(options, box);
}

hgrid_validity_report report_of(const Validity& v) {
  const std::int64_t first = v.dirty + v.changed > 0 ? v.first : -1;
  return {0, v.excess, v.value, first, v.dirty, v.changed, v.present, v.expected, v.holds(), v.comparable != 0};
}

// Writes the size. If the caller's memory (by its name in errors) had too little room, writes the needed size.
template <class F>
void tell_size(std::int64_t& size, const char* memory, const F& f) {
  try {
    size = f();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::capacity && error.detail().argument == memory) size = error.detail().needed;
    throw;
  }
}

template <class F>
int inserted(hgrid_grid* grid, std::int32_t* id, const F& insert) {
  return status_of([&] {
    AnyGrid& g = of(grid);
    std::int32_t& to = written(id, "id");
    to = insert(g);
  });
}

}  // namespace
}  // namespace hgrid::c

using namespace hgrid::c;

int hgrid_last_error(hgrid_error* out) {
  return status_of([&] { Result(out).give(kept()); });
}

int hgrid_create(const hgrid_options* options, const hgrid_box* box, hgrid_grid** out) {
  return status_of([&] {
    hgrid_grid*& to = written(out, "out");
    to = new hgrid_grid{make_grid(taken(options, "options"), box)};
  });
}

int hgrid_set_box(hgrid_grid* grid, const hgrid_box* box) {
  return status_of([&] { of(grid).set_box(box); });
}

int hgrid_set_boxes(hgrid_grid* grid, const hgrid_box* boxes, int64_t count) {
  return status_of([&] { of(grid).set_boxes(boxes, count); });
}

void hgrid_destroy(hgrid_grid* grid) { delete grid; }

int hgrid_set_watch(hgrid_grid* grid, const hgrid_watch* watch) {
  return status_of([&] { of(grid).watch(watch); });
}

int hgrid_build(hgrid_grid* grid, const hgrid_particles* particles, double skin) {
  return status_of([&] { of(grid).build(particles, skin); });
}

int hgrid_generation(const hgrid_grid* grid, uint64_t* out) {
  return status_of([&] { written(out, "out") = seen(grid).generation(); });
}

int hgrid_plan(hgrid_grid* grid, hgrid_plan_report* out) {
  return status_of([&] { Result(out).give(of(grid).plan()); });
}

int hgrid_level(hgrid_grid* grid, int32_t level, hgrid_level_report* out) {
  return status_of([&] { Result(out).give(of(grid).level(level)); });
}

int hgrid_work(hgrid_grid* grid, hgrid_work_report* out) {
  return status_of([&] { Result(out).give(of(grid).work()); });
}

int hgrid_validity(hgrid_grid* grid, const hgrid_particles* now, hgrid_validity_report* out) {
  return status_of([&] { Result(out).give(report_of(of(grid).validity(now))); });
}

int hgrid_wait(hgrid_grid* grid) {
  return status_of([&] { of(grid).wait(); });
}

int hgrid_count(hgrid_grid* grid, int64_t* out) {
  return status_of([&] { written(out, "out") = of(grid).count(); });
}

int hgrid_pairs(hgrid_grid* grid, int order, hgrid_pair_list* out) {
  return status_of([&] { Result(out).give(of(grid).pairs(choice<hgrid::Order>(order, "order"), nullptr)); });
}

int hgrid_pairs_into(hgrid_grid* grid, const hgrid_array* pairs, const hgrid_array* images, int64_t* count) {
  return status_of([&] {
    AnyGrid& g = of(grid);
    int64_t& size = written(count, "count");
    tell_size(size, "output", [&] { return g.pairs_into(written(pairs, "pairs"), images); });
  });
}

int hgrid_neighbours(hgrid_grid* grid, int kind, hgrid_neighbour_list* out) {
  return status_of([&] { Result(out).give(of(grid).neighbours(choice<hgrid::ListKind>(kind, "kind"), nullptr)); });
}

int hgrid_touching_pairs(hgrid_grid* grid, int order, const hgrid_predicate* predicate, hgrid_pair_list* out) {
  return status_of([&] {
    AnyGrid& g = of(grid);
    const AskedPredicate asked(predicate, g.watching.callbacks);
    Result(out).give(g.pairs(choice<hgrid::Order>(order, "order"), &asked));
  });
}

int hgrid_touching_neighbours(hgrid_grid* grid, int kind, const hgrid_predicate* predicate, hgrid_neighbour_list* out) {
  return status_of([&] {
    AnyGrid& g = of(grid);
    const AskedPredicate asked(predicate, g.watching.callbacks);
    Result(out).give(g.neighbours(choice<hgrid::ListKind>(kind, "kind"), &asked));
  });
}

int hgrid_packed_neighbours(hgrid_grid* grid, int kind, hgrid_packed_list* out) {
  return status_of([&] { Result(out).give(of(grid).packed_neighbours(choice<hgrid::ListKind>(kind, "kind"))); });
}

int hgrid_matrix(hgrid_grid* grid, int kind, const hgrid_neighbour_matrix* matrix, int64_t* longest) {
  return status_of([&] {
    AnyGrid& g = of(grid);
    int64_t& size = written(longest, "longest");
    const hgrid_neighbour_matrix m = taken(matrix, "matrix");
    tell_size(size, "width", [&] { return g.matrix(choice<hgrid::ListKind>(kind, "kind"), m); });
  });
}

int hgrid_query(hgrid_grid* grid, const hgrid_regions* regions, hgrid_neighbour_list* out) {
  return status_of([&] { Result(out).give(of(grid).query(taken(regions, "regions"))); });
}

int hgrid_between(hgrid_grid* grid, hgrid_grid* asking, hgrid_neighbour_list* out) {
  return hgrid_between_excluding(grid, asking, nullptr, nullptr, nullptr, out);
}

int hgrid_between_excluding(hgrid_grid* grid, hgrid_grid* asking, const hgrid_array* pairs, const hgrid_array* begin,
                            const hgrid_array* ids, hgrid_neighbour_list* out) {
  const auto given = [](const hgrid_array* array) { return array == nullptr ? hgrid_array{} : *array; };
  return status_of([&] { Result(out).give(of(grid).between(of(asking, "asking"), {given(pairs), given(begin), given(ids)})); });
}

int hgrid_nearest(hgrid_grid* grid, const hgrid_nearest_points* points, int32_t* ids, double* distances, int32_t* images) {
  return status_of([&] { of(grid).nearest(taken(points, "points"), ids, distances, images); });
}

int hgrid_touches(hgrid_grid* grid, const double* position, double radius, int32_t world, int* touches) {
  return status_of([&] {
    const AnyGrid& g = seen(grid);
    written(touches, "touches") = g.touches(position, radius, world);
  });
}

int hgrid_insert(hgrid_grid* grid, const double* position, double radius, int32_t world, int32_t* id) {
  return inserted(grid, id, [&](AnyGrid& g) { return g.insert(position, radius, world); });
}

int hgrid_insert_if_free(hgrid_grid* grid, const double* position, double radius, int32_t world, int32_t* id) {
  return inserted(grid, id, [&](AnyGrid& g) { return g.insert_if_free(position, radius, world); });
}

int hgrid_measure(hgrid_grid* grid, const hgrid_measured* measured) {
  return status_of([&] { of(grid).measure(taken(measured, "measured")); });
}

int hgrid_entries(hgrid_grid* grid, const hgrid_particles* now, const hgrid_entry_options* options, hgrid_entry_list* out) {
  return status_of([&] { Result(out).give(of(grid).entries(now, taken(options, "options"))); });
}

int hgrid_list_ids(hgrid_grid* grid, const hgrid_array* offsets, const hgrid_array* lists) {
  return status_of([&] { of(grid).list_ids(written(offsets, "offsets"), written(lists, "lists")); });
}

int hgrid_scratch(hgrid_grid* grid, int64_t bytes, void** out) {
  return status_of([&] { written(out, "out") = of(grid).scratch(bytes); });
}

int hgrid_keep(hgrid_grid* grid, hgrid_memory** out) {
  return status_of([&] {
    hgrid_memory*& to = written(out, "out");
    auto memory = std::make_unique<hgrid_memory>();
    memory->owner = of(grid).keep();
    if (memory->owner == nullptr) refuse("grid", "has given no list that could be kept");
    to = memory.release();
  });
}

int hgrid_allocate(hgrid_grid* grid, int64_t bytes, hgrid_memory** out, void** data) {
  return status_of([&] {
    hgrid_memory*& to = written(out, "out");
    void*& at = written(data, "data");
    auto memory = std::make_unique<hgrid_memory>();
    memory->owner = seen(grid).allocate(bytes, at);
    to = memory.release();
  });
}

void hgrid_release(hgrid_memory* memory) { delete memory; }

int hgrid_copy(hgrid_grid* grid, void* to, const void* from, int64_t bytes, int way) {
  return status_of([&] { seen(grid).copy(to, from, bytes, way); });
}

int hgrid_save(hgrid_grid* grid, const void** bytes, int64_t* size) {
  return status_of([&] { give_bytes(of(grid), bytes, size); });
}

int hgrid_restore(hgrid_grid* grid, const void* bytes, int64_t size) {
  return status_of([&] { of(grid).restore(checkpoint_of(bytes, size)); });
}
