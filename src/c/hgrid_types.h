// SPDX-License-Identifier: BSD-3-Clause
// Input and output types of hgrid.h. Include hgrid.h.
#ifndef HGRID_TYPES_H
#define HGRID_TYPES_H

#include "hgrid_array.h"

#ifdef __cplusplus
extern "C" {
#endif
// clang-format off
/// Functions return one of these. Unless it is HGRID_OK, no result was written, and `hgrid_last_error` says more.
enum hgrid_status {
  HGRID_OK = 0,
  HGRID_ERROR_NONFINITE = 1, HGRID_ERROR_NEGATIVE_RADIUS = 2, HGRID_ERROR_RANGE = 3,                     // particle data
  HGRID_ERROR_INVALID_BOX = 4, HGRID_ERROR_BOX_TOO_SMALL = 5, HGRID_ERROR_INVALID_LEVELS = 6,            // geometry
  HGRID_ERROR_UNSUPPORTED = 7, HGRID_ERROR_INVALID_ARGUMENT = 8, HGRID_ERROR_SIZE_MISMATCH = 9,          // use
  HGRID_ERROR_NOT_BUILT = 10, HGRID_ERROR_STALE = 11, HGRID_ERROR_REENTRANCY = 12,
  HGRID_ERROR_CAPACITY = 13, HGRID_ERROR_TOO_MANY_PARTICLES = 14, HGRID_ERROR_OUT_OF_MEMORY = 15,        // sizes
  HGRID_ERROR_ENVIRONMENT = 16, HGRID_ERROR_DEVICE = 17, HGRID_ERROR_FORMAT = 18, HGRID_ERROR_IO = 19,   // machine, files
  HGRID_ERROR_STOPPED = 20,
  HGRID_ERROR_INTERNAL = -1                                                                    // an internal fault of hgrid
};
// clang-format on

/// Choices. In options 0 is always the default.
enum hgrid_rule { HGRID_SUM = 0, HGRID_MAX = 1, HGRID_GATHER = 2 };
enum hgrid_direction { HGRID_TOP_DOWN = 1, HGRID_BOTTOM_UP = 2 };
enum hgrid_keys { HGRID_ROW_MAJOR = 1, HGRID_MORTON = 2 };
enum hgrid_table { HGRID_DENSE = 1, HGRID_COMPACTED = 2 };
enum hgrid_nonfinite { HGRID_REFUSE = 0, HGRID_SKIP = 1 };
enum hgrid_order { HGRID_FIXED = 0, HGRID_SORTED = 1 };
enum hgrid_kind { HGRID_HALF = 0, HGRID_FULL = 1 };
enum hgrid_take { HGRID_TOUCHING = 0, HGRID_CENTRES = 1 };
enum hgrid_nearest_by { HGRID_BY_CENTRES = 0, HGRID_BY_SURFACES = 1 };
enum hgrid_way { HGRID_WITHIN = 0, HGRID_TO_HOST = 1, HGRID_FROM_HOST = 2 };
enum hgrid_threads { HGRID_SERIAL = -1 };  ///< only the calling thread

/// The error of a failed call of this thread. Texts are valid until the next failure.
typedef struct hgrid_error {
  size_t struct_size;    ///< sizeof(hgrid_error); all structs with this field work alike
  const char* message;   ///< begins with the name of the code
  const char* argument;  ///< the offending argument or field; empty: none
  int64_t index;         ///< index of the first offender: particle, entry, axis, region or level; -1: none
  int64_t count;         ///< number of offenders
  int64_t needed;        ///< size that would have sufficed; -1: none
  double value;          ///< value of the first offender
  int32_t code;          ///< hgrid_status
  int32_t reserved;
} hgrid_error;

/// A level: the largest radius to insert (with extra distance and half the skin), and its cells.
typedef struct hgrid_level_spec {
  double radius_max;
  double cell_size[3];
} hgrid_level_spec;

typedef struct hgrid_options {
  size_t struct_size;
  int32_t dimension;               ///< 2 or 3
  int32_t threads;                 ///< 0: OMP_NUM_THREADS or the number of processors; HGRID_SERIAL
  int32_t rule;                    ///< hgrid_rule: which particles are in contact
  int32_t direction, keys, table;  ///< 0: chosen by the plan
  int32_t device_type, device_id;  ///< where the grid works, and its arrays are: 0 or 1 the host, 2 a CUDA device
  const hgrid_level_spec* levels;  ///< [level_count], finest first; null: planned from the radii
  int64_t level_count;
  void* stream;  ///< CUDA stream (cudaStream_t) that orders all work of the grid; null: the default one
} hgrid_options;

/// The domain. All zeros: open along all axes. In 2-D the entries of the third axis, and the tilts xz and yz, are 0.
typedef struct hgrid_box {
  size_t struct_size;
  double lo[3], hi[3];    ///< of periodic axes, whose period is hi - lo
  double tilt[3];         ///< xy, xz, yz: the box repeats along (L_x, 0, 0), (xy, L_y, 0) and (xz, yz, L_z)
  const double* vectors;  ///< [dimension][dimension]: row j is vector j; the box repeats along them from lo; hi and tilt are 0
  int32_t periodic[3];    ///< 1: the axis, or vector, is periodic
  int32_t reserved;
} hgrid_box;

/// The particles of a build. n is the length of `positions`, or of `columns`; all lengths are in one unit.
typedef struct hgrid_particles {
  size_t struct_size;
  hgrid_array positions;   ///< [n][dimension], float64 or float32, any strides
  hgrid_array columns[3];  ///< instead: x, y (and z), [n] each, of one type and stride
  hgrid_array radii;   ///< [n], of the type of the positions; stride 0: one for all; none, nor extents: all are radius_scale
  hgrid_array extra;   ///< [n], of the type of the positions: interaction distance beyond the radius; or none
  hgrid_array group;   ///< [n], int32: particles of one group >= 0 never pair; or none
  hgrid_array active;  ///< [n], uint8 or bool: a particle takes part if one of active_bits is set; or none
  hgrid_array excluded_pairs;  ///< [m][2], int32, sorted: pairs that are never reported; or none
  hgrid_array excluded_begin;  ///< [n + 1], int64, and
  hgrid_array excluded_ids;    ///< [m], int32: excluded pairs as lists; or none
  hgrid_array types;           ///< [n], int32, from 0, and
  hgrid_array cutoffs;         ///< [t][t], float64: distances by type instead of radii; or none
  hgrid_array world;           ///< [n], int32, from 0: only particles of one world pair; or none
  double radius_scale;         ///< factor of radii, or extents; 0: 1
  int32_t ghosts;              ///< how many of the last particles are ghosts, which do not pair with each other
  int32_t nonfinite;           ///< hgrid_nonfinite: NaN and infinity are errors, or such particles are left out
  int32_t worlds;              ///< number of worlds; 0: all particles are in one
  int32_t active_bits;         ///< bits of active, 1 to 255; 0: any
  hgrid_array extents;         ///< [n][dimension], like radii, and instead of them: half extents of boxes; or none
} hgrid_particles;
/// Lists its arrays except `columns`, for bindings that know them by name: each(positions) each(radii) ...
#define HGRID_ARRAYS_OF_PARTICLES(each)                                                                      \
  each(positions) each(radii) each(extra) each(group) each(active) each(excluded_pairs) each(excluded_begin) \
      each(excluded_ids) each(types) each(cutoffs) each(world) each(extents)

/// Contacts, in memory of the handle; for a grid on a device, in the device's memory.
typedef struct hgrid_pair_list {
  size_t struct_size;
  int64_t size;
  const int32_t* pairs;   ///< [size][2]: i < j, or i = j for a particle that touches its own image
  const int32_t* images;  ///< [size][3]: the distance vector is x_i - x_j - m L; null in an open box
} hgrid_pair_list;

/// A contact of spheres, for predicates: as in a list of pairs.
typedef struct hgrid_contact {
  int32_t i, j;
  int32_t image[3];  ///< zeros in an open box
} hgrid_contact;

/// A function of the caller that says which contacts touch.
typedef struct hgrid_predicate {
  size_t struct_size;
  /// Writes touch[k], 1 or 0, for each of the contacts (64 at most); all are 0 before. Called by several threads at once
  /// (docs/c.md, Threads); each contact comes once. Unless it returns 0, no further call begins, the search ends with
  /// HGRID_ERROR_STOPPED, and the grid's list is unchanged, but can no longer be kept.
  int32_t (*ask)(void* context, const hgrid_contact* contacts, int64_t count, uint8_t* touch);
  void* context;  ///< passed to `ask`
} hgrid_predicate;

/// The neighbors of each particle, or the particles of each region, sorted by id and image, in memory of the handle.
typedef struct hgrid_neighbour_list {
  size_t struct_size;
  int64_t lists, size;
  const int64_t* offsets;     ///< [lists + 1]: list i is from offsets[i] to before offsets[i + 1]
  const int32_t* neighbours;  ///< [size]
  const int32_t* images;      ///< [size][3]; null in an open box
} hgrid_neighbour_list;

/// Neighbor lists with 8 bytes per entry: 31 bits of the neighbor, then for each axis eleven bits of the image's number plus
/// 1,024. This is the image between the two particles inside the box. For positions as they were passed, the image of an entry
/// of list i with neighbor j is this image plus periods[i] - periods[j].
typedef struct hgrid_packed_list {
  size_t struct_size;
  int64_t lists, size;
  const int64_t* offsets;   ///< [lists + 1]
  const uint64_t* entries;  ///< [size]
  const int32_t* periods;   ///< [lists][3]: periods by which each particle lay outside the box; may be null if none did
  int32_t periodic;         ///< 0: the box is open, and all images are 0
  int32_t reserved;
} hgrid_packed_list;
#define HGRID_PACKED_NEIGHBOUR(entry) ((int32_t)((entry) >> 33))
#define HGRID_PACKED_IMAGE(entry, axis) ((int32_t)((entry) >> (11 * (2 - (axis))) & 2047) - 1024)

/// A matrix of the caller for the neighbors of each of n particles.
typedef struct hgrid_neighbour_matrix {
  size_t struct_size;
  hgrid_array neighbours;  ///< [n][width], int32 or int64
  hgrid_array counts;      ///< [n], of the type of neighbours: number of neighbors; or none
  hgrid_array images;      ///< [n][width][3], int32; none in an open box
  int64_t padding;         ///< written after the last neighbor: -1, or n, but no id
} hgrid_neighbour_matrix;

/// Boxes from lo to hi, rounded by a radius; without `hi` spheres, without both points. Any strides.
typedef struct hgrid_regions {
  size_t struct_size;
  hgrid_array lo;      ///< [m][dimension], float64 or float32
  hgrid_array hi;      ///< [m][dimension]; or none
  hgrid_array radius;  ///< [m]; or none
  hgrid_array world;   ///< [m], int32: world whose particles count; none: world 0
  int32_t take;        ///< hgrid_take: particles that touch a region, or whose centre is in it
  int32_t reserved;
  double radius_scale;  ///< factor of the particles' radii, extra distances included; 0: 1
  double one_radius;    ///< radius of all regions, if `radius` is none
} hgrid_regions;

/// Points, and options for their nearest particles.
typedef struct hgrid_nearest_points {
  size_t struct_size;
  hgrid_array x;       ///< [m][dimension], float64 or float32; none: the nearest others of each particle
  hgrid_array world;   ///< [m], int32: world whose particles count; none: world 0
  int32_t k;           ///< number of nearest particles for each point
  int32_t by;          ///< hgrid_nearest_by: |x_i - q|, or |x_i - q| - r_i
  int32_t is_bounded;  ///< 1: only particles within `within`
  int32_t reserved;
  double within;
} hgrid_nearest_points;

/// How much of their displacement allowance particles have used up since the build (contract C5).
typedef struct hgrid_validity_report {
  size_t struct_size;
  double excess;           ///< largest sum of a particle's displacement and growth
  double value;            ///< this sum for the first offender
  int64_t first;           ///< offender's id; -1: none
  int64_t dirty, changed;  ///< particles beyond half the skin; of another group, type or world, or gone
  int64_t present;         ///< particles that take part now
  int64_t expected;        ///< particles that took part in the build
  int32_t holds;           ///< 1: lists of the build still hold every contact
  int32_t comparable;      ///< 0: another number of particles, ghosts or worlds, or other periodic axes
} hgrid_validity_report;

typedef struct hgrid_plan_report {
  size_t struct_size;
  int64_t particles, skipped;         ///< of the build; of these left out because they were not finite
  int64_t bytes;                      ///< memory of the grid without lists
  double skin;                        ///< skin for which the plan was made
  double dense_cost, compacted_cost;  ///< predicted, of the best levels with either table; infinite: not considered
  int32_t levels, islands;
  int32_t direction, keys, table;  ///< as in hgrid_options, and never 0
  int32_t weighed;                 ///< 0: costs were not finite, so levels hold equally many particles
  int32_t threads;                 ///< threads at work; on a device threads of a reduction
  int32_t periodic;                ///< 1: lists have images
  int64_t list_bytes;              ///< memory of the list of pairs and the neighbour lists that the grid gave last
} hgrid_plan_report;

/// The counted work of a search for all contacts.
typedef struct hgrid_work_report {
  size_t struct_size;
  int64_t candidates;  ///< pairs tested
  int64_t rows;        ///< rows of cells looked up
} hgrid_work_report;

typedef struct hgrid_level_report {
  size_t struct_size;
  double radius_max;    ///< largest radius inserted (with extra distance)
  double radius_bound;  ///< largest radius, with half the skin, that would be inserted
  double cell_size[3];
  int64_t particles;
  double extent_max[3];  ///< largest half extents (with extra distance), of which radius_max is the largest; 0: spheres
} hgrid_level_report;

typedef struct hgrid_verlet_options {
  size_t struct_size;
  double skin;          ///< with choose_skin the first one, at most a mean radius; 0: a tenth of that
  int64_t payload;      ///< bytes per entry of the list that follow their pair from list to list
  int32_t kind;         ///< hgrid_kind
  int32_t choose_skin;  ///< 1: find the skin that makes the loop fastest, by measuring while it runs
  int32_t no_rebuild;   ///< 1: an update returns HGRID_ERROR_STALE where it would build again
  int32_t check_every;  ///< steps per check; 0: 1
  int32_t wrapped;      ///< 1: coordinates may be wrapped at any step, by whole vectors of the present box (contract C5)
  int32_t reserved;
} hgrid_verlet_options;

typedef struct hgrid_verlet_counters {
  size_t struct_size;
  int64_t steps, checks, builds;
  int64_t dangerous;  ///< builds that came late: a step since the last check may have missed a contact
  int64_t overtaken;  ///< builds because another caller had built the grid since
  int64_t bytes;      ///< memory of lists, check and payload
  double disorder;    ///< share of steps from slot to slot to a particle more than 4,096 ids away
  double skin;        ///< skin of the next build
  int64_t wrapped;    ///< builds because coordinates were wrapped; the option `wrapped` avoids them
} hgrid_verlet_counters;

/// Where the entries of a Verlet list were in the previous list, in memory of the handle.
typedef struct hgrid_history {
  size_t struct_size;
  int64_t size, size_before;
  const int64_t* from;  ///< [size]: entry of the previous list, or -1 for a new pair
  void* payload;        ///< [size][payload bytes], for the caller to read and write; zeros for a new pair; null without payload
} hgrid_history;

/// Pairs to be measured, and memory of the caller for their distances.
typedef struct hgrid_measured {
  size_t struct_size;
  hgrid_array positions;  ///< [n][dimension], float64 or float32, any strides
  hgrid_array pairs;      ///< [m][2], int32 or int64, any strides: ids
  hgrid_array images;     ///< [m][3], int32; or none
  hgrid_array distances;  ///< [m], float64 or float32: receives lengths; or none
  hgrid_array vectors;    ///< [m][dimension], of the type of distances: receives x_j - x_i + m L, from i to j; or none
} hgrid_measured;

/// Which entries of neighbor lists are wanted, and which of their data.
typedef struct hgrid_entry_options {
  size_t struct_size;
  int32_t kind;     ///< hgrid_kind
  int32_t all;      ///< 1: all; 0: entries nearer than r_i + r_j (by the scale and `take` of regions), or their types' cut-off
  int32_t itself;   ///< 1: each particle is an entry of its own list, too; not for a query
  int32_t swapped;  ///< 1: in ids, neighbors come before particles
  int32_t images, distances, vectors, wide_images;  ///< 1: wanted
  const hgrid_neighbour_list* list;  ///< lists to use, such as a Verlet list's, which are not checked; null: the grid's
} hgrid_entry_options;

/// The entries of the lists of all particles, or of a query, one after the other, in memory of the handle.
typedef struct hgrid_entry_list {
  size_t struct_size;
  int64_t lists, size;
  const int64_t* offsets;      ///< [lists + 1]
  const int64_t* ids;          ///< [2][size]: the particle of each entry, then its neighbor
  const int32_t* images;       ///< [size][3], zeros in an open box; null if not wanted, like the next ones
  const double* distances;     ///< [size]
  const double* vectors;       ///< [size][dimension]: x_j - x_i + m L, from the particle to its neighbor
  const int64_t* wide_images;  ///< [size][dimension]: images for codes that use 64 bits
} hgrid_entry_list;

#ifdef __cplusplus
}
#endif

#endif
