// SPDX-License-Identifier: BSD-3-Clause
// The C API: contacts of particles of any sizes, for C99 and all languages that call C. docs/c.md has examples and the rules.
#ifndef HGRID_C_DOOR_H
#define HGRID_C_DOOR_H  // HGRID_H is MercuryDPM's

#include "hgrid_types.h"

#define HGRID_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hgrid_grid hgrid_grid;
typedef struct hgrid_verlet hgrid_verlet;
typedef struct hgrid_mesh hgrid_mesh;
typedef struct hgrid_memory hgrid_memory;
HGRID_API const char* hgrid_version(void);            ///< such as "0.2.0"
HGRID_API const char* hgrid_status_name(int status);  ///< such as "nonfinite"; "unknown" for a number that is not a status
HGRID_API const char* hgrid_instructions(void);       ///< instruction set with which hosts search, such as "AVX2"
HGRID_API int hgrid_last_error(hgrid_error* out);     ///< of this thread; code HGRID_OK: no error

/// Watches a grid on the host while it builds or searches.
typedef struct hgrid_watch {
  size_t struct_size;
  /// Called now and then, by one thread at a time, with the share of the present work that is done. Unless it returns 0, the
  /// work ends with HGRID_ERROR_STOPPED: a build leaves the grid unchanged, a search gives nothing.
  int32_t (*look)(void* context, double share);
  void* context;  ///< passed to `look`
} hgrid_watch;

/// A wall of triangles, on the host. An edge may belong to any number of triangles, and winding does not matter.
typedef struct hgrid_triangles {
  size_t struct_size;
  hgrid_array vertices;  ///< [v][3], float64 or float32
  hgrid_array corners;   ///< [t][3], int32: the vertices of each triangle; none: three vertices each, and equal ones become one
  int64_t payload;       ///< bytes per contact that follow it from call to call
} hgrid_triangles;

/// The particles that each triangle touches, sorted by id and image, in memory of the mesh.
typedef struct hgrid_wall_list {
  size_t struct_size;
  int64_t lists, size;
  const int64_t* offsets;     ///< [lists + 1], by triangle
  const int32_t* neighbours;  ///< [size]: particles
  const int32_t* images;      ///< [size][3]; null in an open box
  const double* points;       ///< [size][3]: point of the triangle nearest to the particle, shifted to the particle's side
} hgrid_wall_list;

/// The state of the list in a captured loop. Kernels of its graph must do nothing unless status[0] is `graph` and status[1] is
/// not 0, because otherwise the list lacks contacts.
typedef struct hgrid_list_guard {
  size_t struct_size;
  const int64_t* status;  ///< [2], where the grid works
  int64_t graph;
  int64_t room;  ///< entries that the list has memory for
} hgrid_list_guard;

/// A query of a grid's particles. Set at most one of `regions`, `asking`, `mesh` and `points`, or `asking` and `points` without
/// `x`. If none is set, the grid's own particles are the query.
typedef struct hgrid_question {
  size_t struct_size;
  const hgrid_predicate* predicate;  ///< takes only the contacts that it confirms; null: all
  const hgrid_regions* regions;
  hgrid_grid* asking;                  ///< a grid of query particles
  hgrid_array excluded_pairs;          ///< pairs with `asking` that are never reported, as in hgrid_particles; or none
  hgrid_array excluded_begin;          ///< the same as lists; or none
  hgrid_array excluded_ids;            ///< ids of these lists; or none
  hgrid_mesh* mesh;                    ///< a wall of this grid
  double margin;                       ///< with `mesh`: most that a particle has moved and grown since the build
  const hgrid_particles* now;          ///< the present particles of the build; for `mesh`, and for `entries` of an answer
  const hgrid_particles* asking_now;   ///< the present particles of `asking`, for `entries`
  const hgrid_nearest_points* points;  ///< points, or the particles of `asking` or of the grid, whose nearest are found
} hgrid_question;

/// The form of an answer, and memory for it. Set one of `pairs`, `lists`, `packed`, `entries`, `pairs_into` and `matrix`, or
/// only `count`. The nearest particles of `points` need `ids` and `distances`.
typedef struct hgrid_answer {
  size_t struct_size;
  int64_t* count;  ///< receives the number of contacts; with a matrix, the largest number of one line; if your memory is too
                   ///< small, the size needed; may be null
  hgrid_pair_list* pairs;
  hgrid_neighbour_list* lists;  ///< one for each query particle, region or triangle
  hgrid_packed_list* packed;
  hgrid_entry_list* entries;           ///< lists with distances, not of boxes and meshes; `options` says which
  const hgrid_entry_options* options;  ///< for `entries`
  const hgrid_array* pairs_into;       ///< as in hgrid_pairs_into
  const hgrid_array* images_into;      ///< as in hgrid_pairs_into; or null
  const hgrid_neighbour_matrix* matrix;
  int32_t* ids;       ///< as in hgrid_nearest
  double* distances;  ///< as in hgrid_nearest
  int32_t* images;    ///< as in hgrid_nearest; or null
  int32_t order;      ///< hgrid_order of `pairs`; pairs with another query are sorted
  int32_t kind;       ///< hgrid_kind of lists of the grid's own particles; lists of another query are full
} hgrid_answer;

/// Creates a grid. A null box is open. A grid, and the lists and meshes made from it, must be used by one thread at a time.
HGRID_API int hgrid_create(const hgrid_options* options, const hgrid_box* box, hgrid_grid** out);
/// Sets the box of later builds.
HGRID_API int hgrid_set_box(hgrid_grid* grid, const hgrid_box* box);
/// Sets the box of each world, instead of one that all share; count 0: all share one again.
HGRID_API int hgrid_set_boxes(hgrid_grid* grid, const hgrid_box* boxes, int64_t count);
/// Frees the grid; its lists live on. Null is allowed. Never call it from a callback of the grid.
HGRID_API void hgrid_destroy(hgrid_grid* grid);
/// Sets the watch; null: none. The context must live until the next such call, or the end of the grid and its lists.
HGRID_API int hgrid_set_watch(hgrid_grid* grid, const hgrid_watch* watch);
/// Builds from arrays that are not used afterwards. Pairs up to `skin` beyond touching are listed too. A build that fails
/// leaves the grid unchanged.
HGRID_API int hgrid_build(hgrid_grid* grid, const hgrid_particles* particles, double skin);
/// Gives a number that each build changes, and that no other grid has had; 0 before the first build.
HGRID_API int hgrid_generation(const hgrid_grid* grid, uint64_t* out);
HGRID_API int hgrid_plan(hgrid_grid* grid, hgrid_plan_report* out);
/// Reports a level; 0 is the finest.
HGRID_API int hgrid_level(hgrid_grid* grid, int32_t level, hgrid_level_report* out);
HGRID_API int hgrid_work(hgrid_grid* grid, hgrid_work_report* out);  ///< runs one search
/// Reports whether lists of the build still hold every contact of the present particles.
HGRID_API int hgrid_validity(hgrid_grid* grid, const hgrid_particles* now, hgrid_validity_report* out);
HGRID_API int hgrid_wait(hgrid_grid* grid);  ///< waits for the stream of a grid on a device
/// Finds the contacts of any query, in any form; a null question is hgrid_question of zeros. The rules of the functions for one
/// query and form hold here, too. In a contact (i, j), i belongs to the query, and j is a particle of the grid. For regions and
/// meshes a predicate may be called twice for a contact. A form that a query does not have: HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_find(hgrid_grid* grid, const hgrid_question* question, const hgrid_answer* answer);
/// Gives the number of contacts.
HGRID_API int hgrid_count(hgrid_grid* grid, int64_t* out);
/// Lists all contacts, in an hgrid_order.
HGRID_API int hgrid_pairs(hgrid_grid* grid, int order, hgrid_pair_list* out);
/// Writes all contacts, sorted, into `pairs` ([room][2], int32 or int64, any strides) and `images` ([room][3], int32; null in
/// an open box); `count` receives their number. Too little room: HGRID_ERROR_CAPACITY, `count` is the number needed, nothing
/// else is written.
HGRID_API int hgrid_pairs_into(hgrid_grid* grid, const hgrid_array* pairs, const hgrid_array* images, int64_t* count);
HGRID_API int hgrid_neighbours(hgrid_grid* grid, int kind, hgrid_neighbour_list* out);  ///< of each particle; an hgrid_kind
/// List only the contacts for which the predicate says that they touch, for other shapes within the spheres. In the predicate,
/// and in a watch, these calls are allowed: hgrid_generation, hgrid_touches, hgrid_allocate, hgrid_copy,
/// hgrid_verlet_neighbours and _counts. All others give HGRID_ERROR_REENTRANCY there, and then the search gives it, too. On a
/// device: HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_touching_pairs(hgrid_grid* grid, int order, const hgrid_predicate* predicate, hgrid_pair_list* out);
HGRID_API int hgrid_touching_neighbours(hgrid_grid* grid, int kind, const hgrid_predicate* predicate,
                                        hgrid_neighbour_list* out);
/// Lists all neighbors packed. A box whose vectors have tilts of dozens of periods: HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_packed_neighbours(hgrid_grid* grid, int kind, hgrid_packed_list* out);
/// Writes the neighbors as a matrix; `longest` receives the largest number of neighbors, also if the width is too small.
HGRID_API int hgrid_matrix(hgrid_grid* grid, int kind, const hgrid_neighbour_matrix* matrix, int64_t* longest);
HGRID_API int hgrid_query(hgrid_grid* grid, const hgrid_regions* regions, hgrid_neighbour_list* out);  ///< particles in each
                                                                                                       ///< region
/// Lists contacts between two sets: for each particle of `asking`, the particles of `grid` that touch it, by the rule of both.
/// The mean of both skins counts. Both must work at one place, in equal boxes. Exclusions of a build hold within its own set.
HGRID_API int hgrid_between(hgrid_grid* grid, hgrid_grid* asking, hgrid_neighbour_list* out);
/// Lists contacts between two sets without some pairs, such as bonds between the sets: i of `asking`, j of `grid`. As in
/// hgrid_particles the pairs are `pairs`, or `begin` and `ids`; the others are null.
HGRID_API int hgrid_between_excluding(hgrid_grid* grid, hgrid_grid* asking, const hgrid_array* pairs, const hgrid_array* begin,
                                      const hgrid_array* ids, hgrid_neighbour_list* out);
/// Finds the k nearest particles of each point, in order, ties by id, each in its nearest image. `ids` and `distances` have
/// room for m * k, and `images` for m * k * dimension, or it is null; without `x`, m is the number of particles. Missing ones
/// have the number of particles as id, and an infinite distance. On a device: HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_nearest(hgrid_grid* grid, const hgrid_nearest_points* points, int32_t* ids, double* distances,
                            int32_t* images);
/// Tests whether one more particle would touch a particle of the last build, an inserted one, or an image of itself: 1 or 0.
/// `position` has one number per dimension; `radius` is scaled, and includes the extra distance; `world` is 0 without worlds.
/// Only radii count: no skin, groups, ghosts, exclusions or cut-offs. On a device: HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_touches(hgrid_grid* grid, const double* position, double radius, int32_t world, int* touches);
/// Inserts a particle, even if it touches others. Ids continue after the build's. The next build forgets it: pass it all
/// particles.
HGRID_API int hgrid_insert(hgrid_grid* grid, const double* position, double radius, int32_t world, int32_t* id);
/// Inserts a particle unless it touches another; then `id` receives -1.
HGRID_API int hgrid_insert_if_free(hgrid_grid* grid, const double* position, double radius, int32_t world, int32_t* id);
/// Computes distances and vectors of pairs, into the caller's memory, in the box of the last build; if a list built the grid
/// since, in the box that was set last. An id that is not a particle: HGRID_ERROR_RANGE.
HGRID_API int hgrid_measure(hgrid_grid* grid, const hgrid_measured* measured);
/// Lists the entries of neighbor lists with their distances, from the present particles. Their number must be the build's. If
/// worlds had boxes of their own in the build, their number must be equal, too, also with inactive particles. Entries at a
/// distance of exactly r_i + r_j are not nearer. A type or world out of range: HGRID_ERROR_RANGE.
HGRID_API int hgrid_entries(hgrid_grid* grid, const hgrid_particles* now, const hgrid_entry_options* options,
                            hgrid_entry_list* out);
/// Writes the list of each entry of a neighbor list: from its offsets ([lists + 1], int64), into `lists` ([size], int32).
/// Offsets are not checked, except that the last one is compared with the size.
HGRID_API int hgrid_list_ids(hgrid_grid* grid, const hgrid_array* offsets, const hgrid_array* lists);
/// Gives zeroed memory where the grid works, valid until the next such call: for languages that cannot allocate there.
HGRID_API int hgrid_scratch(hgrid_grid* grid, int64_t bytes, void** out);
/// Gives the caller the list that the grid made last (pairs, neighbors, particles of regions, entries). Its memory then lives
/// until it is released, independent of the grid, which fills another one. Without a list: HGRID_ERROR_INVALID_ARGUMENT.
HGRID_API int hgrid_keep(hgrid_grid* grid, hgrid_memory** out);
/// Allocates memory for the caller where the grid works, uninitialised.
HGRID_API int hgrid_allocate(hgrid_grid* grid, int64_t bytes, hgrid_memory** out, void** data);
/// Frees memory. May be called from any thread, also after the grid is gone. Null is allowed.
HGRID_API void hgrid_release(hgrid_memory* memory);
/// Copies within memory where the grid works, to the host or from it (an hgrid_way), in the order of its work. A copy to or
/// from the host is done when this returns.
HGRID_API int hgrid_copy(hgrid_grid* grid, void* to, const void* from, int64_t bytes, int way);
/// Gives the checkpoint of options, box and plan, in memory of the handle on the host, until the next such call. Particles are
/// not included.
HGRID_API int hgrid_save(hgrid_grid* grid, const void** bytes, int64_t* size);
/// Gives a grid the state of a checkpoint; build it then. HGRID_ERROR_FORMAT for bytes that are not a checkpoint, or damaged,
/// or forged to a state that no grid can have: the grid is then unchanged.
HGRID_API int hgrid_restore(hgrid_grid* grid, const void* bytes, int64_t size);
/// Creates a list for a time loop. From then on build the grid with this list only.
HGRID_API int hgrid_verlet_create(hgrid_grid* grid, const hgrid_verlet_options* options, hgrid_verlet** out);
HGRID_API void hgrid_verlet_destroy(hgrid_verlet* list);
/// Call at each step, after the particles have moved: builds again if the list may miss a contact. `widened`, or null, are the
/// particles with margins in `extra`; `rebuilt`, or null, receives 1 if the list is new.
HGRID_API int hgrid_verlet_update(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened, int* rebuilt);
/// Builds at once, for instance because pairs were excluded, which updates do not notice.
HGRID_API int hgrid_verlet_build(hgrid_verlet* list, const hgrid_particles* particles);
/// Captures an update in a CUDA graph. It neither waits nor allocates: at each replay the device checks the particles, and
/// builds the list again, in its own memory, if it must. Call hgrid_verlet_wait before. If nothing is captured, it is
/// hgrid_verlet_update. Too little memory: HGRID_ERROR_REENTRANCY. A list with a payload: HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_verlet_enqueue_update(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened);
/// Waits for replays, reads what they did, and does what they could not. The list then has memory for a graph, and for half as
/// many entries more. `capture` receives 1 if the update must be captured, at first or again; on the host 0. Returns the errors
/// of a replay's particles.
HGRID_API int hgrid_verlet_wait(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened, int* capture);
/// Gives the guard for graphs that are captured until hgrid_verlet_wait reports that another capture is needed.
HGRID_API int hgrid_verlet_guard(hgrid_verlet* list, hgrid_list_guard* out);
/// Gives the list. Images are for the positions that were passed to the last update, also with the option `wrapped`.
HGRID_API int hgrid_verlet_neighbours(hgrid_verlet* list, hgrid_neighbour_list* out);
/// Gives, with the option `wrapped`, by how many vectors of the box each particle was wrapped since the list was made, as of
/// the last update: x + periods L is the unwrapped position. [lists][3]; null without the option.
HGRID_API int hgrid_verlet_periods(hgrid_verlet* list, const int32_t** periods);
/// Gives where entries stood in the previous list. After an update that failed in its search: HGRID_ERROR_STALE, unless you
/// asked before, or there is a payload.
HGRID_API int hgrid_verlet_history(hgrid_verlet* list, hgrid_history* out);
/// Copies values of the caller from the entries of the previous list to the present list: from `before` ([size_before][k]) to
/// `now` ([size][k]) of any one type. New pairs get `fresh`, one number of that type on the host; null: zeros.
HGRID_API int hgrid_verlet_carry(hgrid_verlet* list, const hgrid_array* before, const hgrid_array* now, const void* fresh);
HGRID_API int hgrid_verlet_counts(hgrid_verlet* list, hgrid_verlet_counters* out);
/// Gives the checkpoint of list, payload and grid, like hgrid_save. A restored list continues with equal lists at equal steps.
/// In its history all pairs are new, but have their payload.
HGRID_API int hgrid_verlet_save(hgrid_verlet* list, const void** bytes, int64_t* size);
HGRID_API int hgrid_verlet_restore(hgrid_verlet* list, const void* bytes, int64_t size);

/// Creates a wall for a grid of three dimensions, in its box. Vertices that lie whole periods apart count as one.
HGRID_API int hgrid_mesh_create(hgrid_grid* grid, const hgrid_triangles* triangles, hgrid_mesh** out);
HGRID_API void hgrid_mesh_destroy(hgrid_mesh* mesh);
/// Gives the vertices ([count][3]) where the grid works: to move the wall, write new positions there, between two calls.
HGRID_API int hgrid_mesh_vertices(hgrid_mesh* mesh, double** vertices, int64_t* count);
/// Lists the contacts of particles with the wall, one where several triangles meet. `now` are the present particles of the
/// grid's build; each has moved and grown by at most `margin` since. The list is valid until the next call. A vertex that has
/// moved by half a period or more since the last call, such as a wrapped one: HGRID_ERROR_RANGE.
HGRID_API int hgrid_mesh_contacts(hgrid_mesh* mesh, const hgrid_particles* now, double margin, hgrid_wall_list* out);
/// Gives where contacts were in the previous list; a particle that rolls to the next triangle continues there.
HGRID_API int hgrid_mesh_history(hgrid_mesh* mesh, hgrid_history* out);
/// Copies values like hgrid_verlet_carry, from the contacts of the previous call to the last one's.
HGRID_API int hgrid_mesh_carry(hgrid_mesh* mesh, const hgrid_array* before, const hgrid_array* now, const void* fresh);

#ifdef __cplusplus
}
#endif

#endif
