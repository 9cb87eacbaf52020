// SPDX-License-Identifier: BSD-3-Clause
// The C door: contacts of particles of any sizes, for C99 and all that calls C. docs/c.md has examples and the rules.
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
HGRID_API const char* hgrid_status_name(int status);  ///< such as "nonfinite"; "unknown" for a number that is none
HGRID_API const char* hgrid_instructions(void);       ///< those by which hosts search, such as "AVX2"
HGRID_API int hgrid_last_error(hgrid_error* out);     ///< of this thread; code HGRID_OK: there was none

/// Who looks on while a grid on the host builds or searches.
typedef struct hgrid_watch {
  size_t struct_size;
  /// Told now and then, by one thread at a time, the share of the work at hand that is done. Unless it returns 0, the work ends
  /// with HGRID_ERROR_STOPPED: a build leaves the grid as it was, a search gives nothing.
  int32_t (*look)(void* context, double share);
  void* context;  ///< passed on
} hgrid_watch;

/// A wall of triangles, on the host. An edge may have any number of triangles, and winding does not matter.
typedef struct hgrid_triangles {
  size_t struct_size;
  hgrid_array vertices;  ///< [v][3], float64 or float32
  hgrid_array corners;   ///< [t][3], int32: the vertices of each triangle; none: three vertices each, and equal ones are one
  int64_t payload;       ///< bytes per contact that follow it from call to call
} hgrid_triangles;

/// The particles that each triangle touches, sorted by id and image, in memory of the mesh's.
typedef struct hgrid_wall_list {
  size_t struct_size;
  int64_t lists, size;
  const int64_t* offsets;     ///< [lists + 1]: of each triangle
  const int32_t* neighbours;  ///< [size]: particles
  const int32_t* images;      ///< [size][3]; null in an open box
  const double* points;       ///< [size][3]: where the triangle is nearest to the particle, beside where the particle lies
} hgrid_wall_list;

/// Where the list of a captured loop stands: kernels of its graph must do nothing unless status[0] is `graph` and status[1] is
/// not 0, because the list then lacks contacts.
typedef struct hgrid_list_guard {
  size_t struct_size;
  const int64_t* status;  ///< [2], where the grid works
  int64_t graph;
  int64_t room;  ///< entries that the list has memory for
} hgrid_list_guard;

/// A null box is open. A grid, and what stands on it, is used by one thread at a time.
HGRID_API int hgrid_create(const hgrid_options* options, const hgrid_box* box, hgrid_grid** out);
/// The box of the builds that follow.
HGRID_API int hgrid_set_box(hgrid_grid* grid, const hgrid_box* box);
/// The box of each world, in place of one that all share; count 0: that one again.
HGRID_API int hgrid_set_boxes(hgrid_grid* grid, const hgrid_box* boxes, int64_t count);
/// Frees the grid; lists that stand on it live on. Null is fine. Never call it from a function that the grid calls.
HGRID_API void hgrid_destroy(hgrid_grid* grid);
/// Null: nobody looks on. The context must live until the next such call, or the end of the grid and its lists.
HGRID_API int hgrid_set_watch(hgrid_grid* grid, const hgrid_watch* watch);
/// Builds from arrays that are not used afterwards. Pairs up to `skin` beyond touching are listed too. A build that
/// fails leaves the grid as it was.
HGRID_API int hgrid_build(hgrid_grid* grid, const hgrid_particles* particles, double skin);
/// A number that each build changes, and that no other grid has had; 0 before the first.
HGRID_API int hgrid_generation(const hgrid_grid* grid, uint64_t* out);
HGRID_API int hgrid_plan(hgrid_grid* grid, hgrid_plan_report* out);
/// Level 0 is the finest.
HGRID_API int hgrid_level(hgrid_grid* grid, int32_t level, hgrid_level_report* out);
HGRID_API int hgrid_work(hgrid_grid* grid, hgrid_work_report* out);  ///< runs one search
/// Whether lists of the build still hold every contact of the particles as they are now.
HGRID_API int hgrid_validity(hgrid_grid* grid, const hgrid_particles* now, hgrid_validity_report* out);
HGRID_API int hgrid_wait(hgrid_grid* grid);  ///< for the stream of a grid on a device
/// The number of contacts.
HGRID_API int hgrid_count(hgrid_grid* grid, int64_t* out);
/// All contacts, in an hgrid_order.
HGRID_API int hgrid_pairs(hgrid_grid* grid, int order, hgrid_pair_list* out);
/// All contacts, sorted, into `pairs` ([room][2], int32 or int64, any strides) and `images` ([room][3], int32; null in an open
/// box); `count` receives their number. Too little room: HGRID_ERROR_CAPACITY, `count` is the number needed, nothing else is
/// written.
HGRID_API int hgrid_pairs_into(hgrid_grid* grid, const hgrid_array* pairs, const hgrid_array* images, int64_t* count);
HGRID_API int hgrid_neighbours(hgrid_grid* grid, int kind, hgrid_neighbour_list* out);  ///< of each particle; an hgrid_kind
/// Fill both for contacts only of which the predicate says that they touch, for other shapes within the spheres. In it,
/// as in a function that looks on, the grid gives hgrid_generation, hgrid_touches, hgrid_allocate, hgrid_copy, and its list
/// hgrid_verlet_neighbours and _counts; all else is HGRID_ERROR_REENTRANCY there, and then the search's, too. On a device:
/// HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_touching_pairs(hgrid_grid* grid, int order, const hgrid_predicate* predicate, hgrid_pair_list* out);
HGRID_API int hgrid_touching_neighbours(hgrid_grid* grid, int kind, const hgrid_predicate* predicate,
                                        hgrid_neighbour_list* out);
/// All neighbours packed. A box whose vectors have tilts of dozens of periods: HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_packed_neighbours(hgrid_grid* grid, int kind, hgrid_packed_list* out);
/// As a matrix; `longest` receives how many the particle with the most has, also where the width is too small.
HGRID_API int hgrid_matrix(hgrid_grid* grid, int kind, const hgrid_neighbour_matrix* matrix, int64_t* longest);
HGRID_API int hgrid_query(hgrid_grid* grid, const hgrid_regions* regions, hgrid_neighbour_list* out);  ///< particles of each
/// Contacts between two sets: for each particle of `asking`, those of `grid` that touch it, by the rule of both. Half the skin
/// of either grid counts. Both work at the same place, in boxes that are equal. Exclusions are those of a set for itself.
HGRID_API int hgrid_between(hgrid_grid* grid, hgrid_grid* asking, hgrid_neighbour_list* out);
/// The same without some pairs, such as those of bonds between the sets: i of those who ask, j of this grid. As in
/// hgrid_particles they are `pairs`, or `begin` and `ids`; the others are null.
HGRID_API int hgrid_between_excluding(hgrid_grid* grid, hgrid_grid* asking, const hgrid_array* pairs, const hgrid_array* begin,
                                      const hgrid_array* ids, hgrid_neighbour_list* out);
/// The k nearest particles of each point, in order, equally near ones by id, of each its nearest image. `ids` and `distances`
/// have room for m * k, and `images` for m * k * dimension, or it is null; without `x`, m is the number of particles. Missing
/// ones have the number of particles as id, and an infinite distance. On a device: HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_nearest(hgrid_grid* grid, const hgrid_nearest_points* points, int32_t* ids, double* distances,
                            int32_t* images);
/// Whether one more particle would touch one of the last build, one inserted since, or an image of itself: 1 or 0. `position`
/// has as many numbers as the grid has dimensions; `radius` is scaled, and has the extra distance in it; `world` is 0 where
/// there are none. Radii alone count: no skin, groups, ghosts, exclusions or cut-offs. On a device: HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_touches(hgrid_grid* grid, const double* position, double radius, int32_t world, int* touches);
/// Inserts it, whatever it touches. Ids go on after those of the build; the next build forgets them: pass it all particles.
HGRID_API int hgrid_insert(hgrid_grid* grid, const double* position, double radius, int32_t world, int32_t* id);
/// The same unless it touches; then `id` receives -1.
HGRID_API int hgrid_insert_if_free(hgrid_grid* grid, const double* position, double radius, int32_t world, int32_t* id);
/// Distances and vectors of pairs, into memory of the caller's, in the box of the last build; if a list built the grid since,
/// in the box that was set last. An id that is none: HGRID_ERROR_RANGE.
HGRID_API int hgrid_measure(hgrid_grid* grid, const hgrid_measured* measured);
/// The entries of neighbour lists with their distances, by the particles as they are now, which must be as many as in the
/// build, and of as many worlds, inactive particles too, as had boxes of their own in the build. Entries at a distance of just
/// r_i + r_j are not nearer. A type or world that is none: HGRID_ERROR_RANGE.
HGRID_API int hgrid_entries(hgrid_grid* grid, const hgrid_particles* now, const hgrid_entry_options* options,
                            hgrid_entry_list* out);
/// The list of each entry of a neighbour list: of its offsets ([lists + 1], int64), into `lists` ([size], int32). Offsets are
/// trusted to be those of such a list: only the last one is compared with the size.
HGRID_API int hgrid_list_ids(hgrid_grid* grid, const hgrid_array* offsets, const hgrid_array* lists);
/// Memory where the grid works, of the handle's until the next such call, all zeros: for languages that have none there to pass
/// as theirs.
HGRID_API int hgrid_scratch(hgrid_grid* grid, int64_t bytes, void** out);
/// Makes the list that the grid gave last (pairs, neighbours, particles of regions, entries) the caller's. Its memory then
/// lives until it is released, whatever becomes of the grid, which fills another one. Without a list it is
/// HGRID_ERROR_INVALID_ARGUMENT.
HGRID_API int hgrid_keep(hgrid_grid* grid, hgrid_memory** out);
/// Memory of the caller's where the grid works, not set to anything.
HGRID_API int hgrid_allocate(hgrid_grid* grid, int64_t bytes, hgrid_memory** out, void** data);
/// From any thread, also when the grid has gone. Null is fine.
HGRID_API void hgrid_release(hgrid_memory* memory);
/// Copies within memory where the grid works, to the host or from it (an hgrid_way), in the order of its work. A copy to
/// or from the host is done when this returns.
HGRID_API int hgrid_copy(hgrid_grid* grid, void* to, const void* from, int64_t bytes, int way);
/// The checkpoint of options, box and plan, in memory of the handle's on the host, until the next such call. Particles are not
/// in it.
HGRID_API int hgrid_save(hgrid_grid* grid, const void** bytes, int64_t* size);
/// Gives a grid the state of a checkpoint; build it then. HGRID_ERROR_FORMAT for bytes that are none, or damaged, or no state
/// of a grid because somebody forged them: it is then as it was.
HGRID_API int hgrid_restore(hgrid_grid* grid, const void* bytes, int64_t size);
/// A list for a time loop. The grid is the list's own from then on: build it with this list only.
HGRID_API int hgrid_verlet_create(hgrid_grid* grid, const hgrid_verlet_options* options, hgrid_verlet** out);
HGRID_API void hgrid_verlet_destroy(hgrid_verlet* list);
/// At each step, after the particles have moved: builds again where the list may miss a contact. `widened`, or null, are the
/// same particles with margins in `extra`; `rebuilt`, or null, receives 1 if the list is a new one.
HGRID_API int hgrid_verlet_update(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened, int* rebuilt);
/// Builds at once, for instance because pairs were excluded, which updates do not see.
HGRID_API int hgrid_verlet_build(hgrid_verlet* list, const hgrid_particles* particles);
/// An update that is captured in a CUDA graph, and neither waits nor allocates: at each replay the device checks the particles,
/// and builds the list again, in its own memory, where it must. Call hgrid_verlet_wait before. Where nothing is captured it is
/// hgrid_verlet_update. Too little memory: HGRID_ERROR_REENTRANCY. A list with a payload: HGRID_ERROR_UNSUPPORTED.
HGRID_API int hgrid_verlet_enqueue_update(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened);
/// Waits for replays, learns what they did, and does what they could not; the list has memory for a graph then, and for half as
/// many entries more. `capture` receives 1 if the update must be captured, at first or again; on the host 0. Errors of a
/// replay's particles come here.
HGRID_API int hgrid_verlet_wait(hgrid_verlet* list, const hgrid_particles* now, const hgrid_particles* widened, int* capture);
/// The guard of the graphs that are captured until hgrid_verlet_wait asks for another capture.
HGRID_API int hgrid_verlet_guard(hgrid_verlet* list, hgrid_list_guard* out);
HGRID_API int hgrid_verlet_neighbours(hgrid_verlet* list, hgrid_neighbour_list* out);
/// Where entries stood in the list before. Once an update has failed in its search it is HGRID_ERROR_STALE, unless somebody
/// asked before, or there is a payload.
HGRID_API int hgrid_verlet_history(hgrid_verlet* list, hgrid_history* out);
/// Values of the caller's, brought from the entries of the list before to those of this one: from `before` ([size_before][k])
/// to `now` ([size][k]) of any one type. Those of a new pair are `fresh`, one number of that type on the host; null: zeros.
HGRID_API int hgrid_verlet_carry(hgrid_verlet* list, const hgrid_array* before, const hgrid_array* now, const void* fresh);
HGRID_API int hgrid_verlet_counts(hgrid_verlet* list, hgrid_verlet_counters* out);
/// The checkpoint of list, payload and grid, as for a grid. A restored list goes on with the same lists at the same steps. Its
/// history is that of a first list: all pairs are new, but have their payload.
HGRID_API int hgrid_verlet_save(hgrid_verlet* list, const void** bytes, int64_t* size);
HGRID_API int hgrid_verlet_restore(hgrid_verlet* list, const void* bytes, int64_t size);

/// A wall for a grid of three dimensions, in its box. Vertices that lie whole periods apart are one.
HGRID_API int hgrid_mesh_create(hgrid_grid* grid, const hgrid_triangles* triangles, hgrid_mesh** out);
HGRID_API void hgrid_mesh_destroy(hgrid_mesh* mesh);
/// The vertices ([count][3]) where the grid works: a wall that moves writes new positions there, between two calls.
HGRID_API int hgrid_mesh_vertices(hgrid_mesh* mesh, double** vertices, int64_t* count);
/// The contacts of particles with the wall, one where several triangles meet. `now` are the particles of the grid's build as
/// they are now; each has moved and grown by at most `margin` since. The list is valid until the next call. A vertex that has
/// moved by half a period or more since the last call, as one that was wrapped: HGRID_ERROR_RANGE.
HGRID_API int hgrid_mesh_contacts(hgrid_mesh* mesh, const hgrid_particles* now, double margin, hgrid_wall_list* out);
/// Where contacts stood in the list before; a particle that rolls to the next triangle goes on there.
HGRID_API int hgrid_mesh_history(hgrid_mesh* mesh, hgrid_history* out);
/// Does what hgrid_verlet_carry does, from the contacts of the call before to those of the last one.
HGRID_API int hgrid_mesh_carry(hgrid_mesh* mesh, const hgrid_array* before, const hgrid_array* now, const void* fresh);

#ifdef __cplusplus
}
#endif

#endif
