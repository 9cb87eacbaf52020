// SPDX-License-Identifier: BSD-3-Clause
// The functions of hgrid.h except Verlet lists and meshes: check arguments, call the C++ library, write results.
#include <algorithm>
#include <string_view>

#include "c/handles.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  // fields of questions and answers that are not named are 0

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

/// An argument that may not be null, and its name.
using Required = std::pair<const void*, const char*>;

// Asks a question, and writes the number of contacts, or the size needed of the caller's memory.
void find(hgrid_grid* grid, const hgrid_question& question, const hgrid_answer& answer,
          std::initializer_list<Required> required) {
  AnyGrid& g = of(grid);
  for (const auto& [argument, name] : required) {
    if (argument == nullptr) refuse(name, "is null");
  }
  const auto check = [](const auto* out) { out == nullptr ? void() : check_struct(out, "out"); };
  check(answer.pairs), check(answer.lists), check(answer.packed), check(answer.entries);
  try {
    const offset_t n = g.find(question, answer);
    if (answer.count != nullptr) *answer.count = n;
  } catch (const Error& error) {
    const std::string_view memory = error.detail().argument;
    const bool is_small = error.code() == ErrorCode::capacity && (memory == "output" || memory == "width");
    if (is_small && answer.count != nullptr) *answer.count = error.detail().needed;
    throw;
  }
}
int found(hgrid_grid* grid, const hgrid_question& question, const hgrid_answer& answer,
          std::initializer_list<Required> required) {
  return status_of([&] { find(grid, question, answer, required); });
}
constexpr hgrid_question own{};  // the grid's own particles are the query

void require_at_most_one(const char* name, std::initializer_list<const void*> choices) {
  const auto given = std::ranges::count_if(choices, [](const void* choice) { return choice != nullptr; });
  if (given > 1) refuse(name, "names several; take one at a time", static_cast<double>(given));
}

// Checks what the functions of one question each cannot confuse.
void require_fitting(const hgrid_question& q, const hgrid_answer& a) {
  require_at_most_one("question", {q.regions, q.asking, q.mesh});
  require_at_most_one("question", {q.regions, q.points, q.mesh});  // with `asking`, the points are its particles
  require_at_most_one("answer", {q.points, a.pairs, a.lists, a.packed, a.entries, a.pairs_into, a.matrix});
  const bool excludes = is_given(q.excluded_pairs) || is_given(q.excluded_begin) || is_given(q.excluded_ids);
  if (excludes && q.asking == nullptr) refuse("excluded_pairs", "are between the grid and `asking`, which is null");
  const void* const forms[] = {q.points, a.count, a.pairs, a.lists, a.packed, a.entries, a.pairs_into, a.matrix};
  if (std::ranges::count(forms, nullptr) == std::ssize(forms)) refuse("answer", "names nothing that is wanted");
  if (q.points == nullptr && a.ids != nullptr) refuse("ids", "are of the nearest particles of `points`, which are null");
  if (q.points != nullptr && excludes) refuse("excluded_pairs", "are of contacts, and the nearest particles are none");
  if (q.points != nullptr && q.predicate != nullptr) refuse("predicate", "is for contacts, and the nearest particles are none");
}

}  // namespace
}  // namespace hgrid::c

using namespace hgrid::c;

int hgrid_last_error(hgrid_error* out) {
  return status_of([&] {
    check_struct(out, "out");
    give(*out, kept());
  });
}

int hgrid_create(const hgrid_options* options, const hgrid_box* box, hgrid_grid** out) {
  return status_of([&] {
    hgrid_grid*& to = written(out, "out");
    to = new hgrid_grid{make_grid(taken(options, "options"), box)};
  });
}

int hgrid_set_box(hgrid_grid* grid, const hgrid_box* box) { return call(grid, &AnyGrid::set_box, box); }

int hgrid_set_boxes(hgrid_grid* grid, const hgrid_box* boxes, int64_t count) {
  return call(grid, &AnyGrid::set_boxes, boxes, count);
}

void hgrid_destroy(hgrid_grid* grid) { delete grid; }

int hgrid_set_watch(hgrid_grid* grid, const hgrid_watch* watch) { return call(grid, &AnyGrid::watch, watch); }

int hgrid_build(hgrid_grid* grid, const hgrid_particles* particles, double skin) {
  return call(grid, &AnyGrid::build, particles, skin);
}

int hgrid_generation(const hgrid_grid* grid, uint64_t* out) { return answer(out, "out", grid, &AnyGrid::generation); }

int hgrid_plan(hgrid_grid* grid, hgrid_plan_report* out) { return report(out, grid, &AnyGrid::plan); }

int hgrid_level(hgrid_grid* grid, int32_t level, hgrid_level_report* out) { return report(out, grid, &AnyGrid::level, level); }

int hgrid_work(hgrid_grid* grid, hgrid_work_report* out) { return report(out, grid, &AnyGrid::work); }

int hgrid_validity(hgrid_grid* grid, const hgrid_particles* now, hgrid_validity_report* out) {
  return report(out, grid, &AnyGrid::validity, now);
}

int hgrid_wait(hgrid_grid* grid) { return call(grid, &AnyGrid::wait); }

int hgrid_find(hgrid_grid* grid, const hgrid_question* question, const hgrid_answer* answer) {
  return status_of([&] {
    const hgrid_question q = question == nullptr ? own : taken(question, "question");
    const hgrid_answer a = taken(answer, "answer");
    require_fitting(q, a);
    find(grid, q, a, {});
  });
}

int hgrid_count(hgrid_grid* grid, int64_t* out) { return found(grid, own, {.count = out}, {{out, "out"}}); }

int hgrid_pairs(hgrid_grid* grid, int order, hgrid_pair_list* out) {
  return found(grid, own, {.pairs = out, .order = order}, {{out, "out"}});
}

int hgrid_pairs_into(hgrid_grid* grid, const hgrid_array* pairs, const hgrid_array* images, int64_t* count) {
  return found(grid, own, {.count = count, .pairs_into = pairs, .images_into = images}, {{count, "count"}, {pairs, "pairs"}});
}

int hgrid_neighbours(hgrid_grid* grid, int kind, hgrid_neighbour_list* out) {
  return found(grid, own, {.lists = out, .kind = kind}, {{out, "out"}});
}

int hgrid_touching_pairs(hgrid_grid* grid, int order, const hgrid_predicate* predicate, hgrid_pair_list* out) {
  return found(grid, {.predicate = predicate}, {.pairs = out, .order = order}, {{predicate, "predicate"}, {out, "out"}});
}

int hgrid_touching_neighbours(hgrid_grid* grid, int kind, const hgrid_predicate* predicate, hgrid_neighbour_list* out) {
  return found(grid, {.predicate = predicate}, {.lists = out, .kind = kind}, {{predicate, "predicate"}, {out, "out"}});
}

int hgrid_packed_neighbours(hgrid_grid* grid, int kind, hgrid_packed_list* out) {
  return found(grid, own, {.packed = out, .kind = kind}, {{out, "out"}});
}

int hgrid_matrix(hgrid_grid* grid, int kind, const hgrid_neighbour_matrix* matrix, int64_t* longest) {
  return found(grid, own, {.count = longest, .matrix = matrix, .kind = kind}, {{longest, "longest"}, {matrix, "matrix"}});
}

int hgrid_query(hgrid_grid* grid, const hgrid_regions* regions, hgrid_neighbour_list* out) {
  return found(grid, {.regions = regions}, {.lists = out}, {{regions, "regions"}, {out, "out"}});
}

int hgrid_between(hgrid_grid* grid, hgrid_grid* asking, hgrid_neighbour_list* out) {
  return found(grid, {.asking = asking}, {.lists = out}, {{asking, "asking"}, {out, "out"}});
}

int hgrid_between_excluding(hgrid_grid* grid, hgrid_grid* asking, const hgrid_array* pairs, const hgrid_array* begin,
                            const hgrid_array* ids, hgrid_neighbour_list* out) {
  hgrid_question question{.asking = asking};
  if (pairs != nullptr) question.excluded_pairs = *pairs;
  if (begin != nullptr) question.excluded_begin = *begin;
  if (ids != nullptr) question.excluded_ids = *ids;
  return found(grid, question, {.lists = out}, {{asking, "asking"}, {out, "out"}});
}

int hgrid_nearest(hgrid_grid* grid, const hgrid_nearest_points* points, int32_t* ids, double* distances, int32_t* images) {
  return found(grid, {.points = points}, {.ids = ids, .distances = distances, .images = images}, {{points, "points"}});
}

int hgrid_entries(hgrid_grid* grid, const hgrid_particles* now, const hgrid_entry_options* options, hgrid_entry_list* out) {
  return found(grid, {.now = now}, {.entries = out, .options = options}, {{out, "out"}});
}

int hgrid_touches(hgrid_grid* grid, const double* position, double radius, int32_t world, int* touches) {
  return answer(touches, "touches", grid, &AnyGrid::touches, position, radius, world);
}

int hgrid_insert(hgrid_grid* grid, const double* position, double radius, int32_t world, int32_t* id) {
  return answer(id, "id", grid, &AnyGrid::insert, position, radius, world, false);
}

int hgrid_insert_if_free(hgrid_grid* grid, const double* position, double radius, int32_t world, int32_t* id) {
  return answer(id, "id", grid, &AnyGrid::insert, position, radius, world, true);
}

int hgrid_measure(hgrid_grid* grid, const hgrid_measured* measured) { return call(grid, &AnyGrid::measure, measured); }

int hgrid_list_ids(hgrid_grid* grid, const hgrid_array* offsets, const hgrid_array* lists) {
  return call(grid, &AnyGrid::list_ids, offsets, lists);
}

int hgrid_scratch(hgrid_grid* grid, int64_t bytes, void** out) { return answer(out, "out", grid, &AnyGrid::scratch, bytes); }

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
  return call(grid, &AnyGrid::copy, to, from, bytes, way);
}

int hgrid_save(hgrid_grid* grid, const void** bytes, int64_t* size) { return saved(grid, bytes, size); }

int hgrid_restore(hgrid_grid* grid, const void* bytes, int64_t size) { return restored(grid, bytes, size); }

#pragma GCC diagnostic pop
