// SPDX-License-Identifier: BSD-3-Clause
// The C API in C99: pairs of five spheres in a periodic box, an error, neighbors, boxes, a wall, and a list in a time loop.
#include <hgrid.h>

#include <math.h>
#include <stdio.h>

enum { n = 5 };

static int report(const char* what) {
  hgrid_error error = {.struct_size = sizeof error};
  hgrid_last_error(&error);
  printf("%s fails: %s\n", what, error.message);
  return 1;
}

// [docs: pairs]
static int list_pairs(hgrid_grid* grid, const hgrid_particles* particles) {
  if (hgrid_build(grid, particles, 0.0) != HGRID_OK) return report("the build");  // levels are planned at the first one
  hgrid_pair_list list = {.struct_size = sizeof list};
  if (hgrid_pairs(grid, HGRID_SORTED, &list) != HGRID_OK) return report("the list");
  for (int64_t k = 0; k < list.size; ++k) {  // x_i - x_j - m L is the distance vector
    printf("pair %d %d, image %d %d %d\n", (int)list.pairs[2 * k], (int)list.pairs[2 * k + 1], (int)list.images[3 * k],
           (int)list.images[3 * k + 1], (int)list.images[3 * k + 2]);
  }
  return list.size == 3 ? 0 : 1;
}
// [docs: end]

static int list_neighbours(hgrid_grid* grid) {
  hgrid_neighbour_list list = {.struct_size = sizeof list};
  if (hgrid_neighbours(grid, HGRID_FULL, &list) != HGRID_OK) return report("the neighbour list");
  for (int64_t i = 0; i < list.lists; ++i) {
    printf("neighbours of %d:", (int)i);
    for (int64_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) printf(" %d", (int)list.neighbours[k]);
    printf("\n");
  }
  return list.lists == n && list.size == 6 ? 0 : 1;
}

// A build that fails leaves the grid as it was.
// Adds the overlaps up.
static int measure(hgrid_grid* grid, const hgrid_particles* particles, const double* r) {
  double overlaps = 0;
  // [docs: entries]
  const hgrid_entry_options options = {.struct_size = sizeof options, .kind = HGRID_HALF, .all = 1, .distances = 1, .vectors = 1};
  hgrid_entry_list list = {.struct_size = sizeof list};
  if (hgrid_entries(grid, particles, &options, &list) != HGRID_OK) return report("the distances");
  for (int64_t k = 0; k < list.size; ++k) {  // vectors + 3 k leads from i to j
    const int64_t i = list.ids[k], j = list.ids[list.size + k];
    const double overlap = r[i] + r[j] - list.distances[k];
    if (overlap > 0) overlaps += overlap;  // with a skin other entries have a gap
  }
  // [docs: end]
  printf("overlaps: %g\n", overlaps);
  return list.size == 3 && overlaps > 0.49 && overlaps < 0.51 ? 0 : 1;
}

static int show_error(hgrid_grid* grid, const hgrid_particles* particles, double* x) {
  const double before = x[3 * 2 + 1];
  x[3 * 2 + 1] = NAN;
  // [docs: error]
  const int status = hgrid_build(grid, particles, 0.0);
  hgrid_error error = {.struct_size = sizeof error};
  hgrid_last_error(&error);
  printf("%s: particle %d has %g in its %s\n", hgrid_status_name(status), (int)error.index, error.value, error.argument);
  // [docs: end]
  x[3 * 2 + 1] = before;
  int64_t count = 0;
  if (hgrid_count(grid, &count) != HGRID_OK) return report("the count");
  return status == HGRID_ERROR_NONFINITE && error.index == 2 && isnan(error.value) && count == 3 ? 0 : 1;
}

// Sphere 2 leaves sphere 0 and comes to sphere 3. Each contact counts the steps for which it has been listed.
static int run_loop(hgrid_grid* grid, const hgrid_particles* particles, double* x) {
  int steps_of_contact_3_4 = 0;
  // [docs: loop]
  hgrid_verlet* list = NULL;
  const hgrid_verlet_options options = {.struct_size = sizeof options, .skin = 0.2, .payload = sizeof(int)};
  if (hgrid_verlet_create(grid, &options, &list) != HGRID_OK) return report("making the list");
  int builds = 0;
  for (int step = 0; step < 20; ++step) {
    x[3 * 2] += 0.05;
    int rebuilt;
    hgrid_neighbour_list pairs = {.struct_size = sizeof pairs};
    hgrid_history history = {.struct_size = sizeof history};
    if (hgrid_verlet_update(list, particles, NULL, &rebuilt) != HGRID_OK || hgrid_verlet_neighbours(list, &pairs) != HGRID_OK ||
        hgrid_verlet_history(list, &history) != HGRID_OK) {
      hgrid_verlet_destroy(list);
      return report("the update");
    }
    builds += rebuilt;
    int* steps = history.payload;  // one for each entry of the list: it follows its pair, and is 0 for a new one
    for (int64_t k = 0; k < pairs.size; ++k) ++steps[k];
    steps_of_contact_3_4 = steps[pairs.offsets[4] - 1];
  }
  hgrid_verlet_destroy(list);
  // [docs: end]
  printf("20 steps, %d builds, contact 3 4 was there for %d steps\n", builds, steps_of_contact_3_4);
  return builds > 1 && builds < 20 && steps_of_contact_3_4 == 20 ? 0 : 1;
}

// A floor of two triangles whose common edge lies below sphere 0: it has one contact.
static int list_walls(hgrid_grid* grid, const hgrid_particles* particles, const double* r) {
  if (hgrid_build(grid, particles, 0.0) != HGRID_OK) return report("the build");
  // [docs: walls]
  const double points[] = {0, 4, 4.2, 1, 4, 4.2, 0, 6, 4.2,   // three for each triangle, as in STL: equal ones become one
                           1, 4, 4.2, 1, 6, 4.2, 0, 6, 4.2};
  const hgrid_triangles triangles = {.struct_size = sizeof triangles,
                                     .vertices = hgrid_array_2d(points, HGRID_FLOAT64, 6, 3),
                                     .payload = sizeof(double)};  // such as a spring, which follows its contact
  hgrid_mesh* wall = NULL;
  if (hgrid_mesh_create(grid, &triangles, &wall) != HGRID_OK) return report("making the wall");
  hgrid_wall_list contacts = {.struct_size = sizeof contacts};
  const double margin = 0;  // or half the skin: no particle has moved farther since the build
  if (hgrid_mesh_contacts(wall, particles, margin, &contacts) != HGRID_OK) return report("the contacts");
  for (int64_t k = 0; k < contacts.size; ++k) {
    printf("wall and particle %d at z = %g\n", (int)contacts.neighbours[k], contacts.points[3 * k + 2]);
  }
  // [docs: end]
  const int is_right = contacts.size == 1 && contacts.neighbours[0] == 0 && r[0] > 0.8;
  hgrid_mesh_destroy(wall);
  return is_right ? 0 : 1;
}

// Lists boxes as long as the spheres, and flat.
static int list_boxes(hgrid_grid* grid, const double* x) {
  // [docs: boxes]
  const double half[3 * n] = {1, 0.1, 0.1, 0.3, 0.1, 0.1, 0.6, 0.1, 0.1, 2, 0.1, 0.1, 0.6, 0.1, 0.1};  // along x, y and z
  const hgrid_particles boxes = {.struct_size = sizeof boxes,
                                 .positions = hgrid_array_2d(x, HGRID_FLOAT64, n, 3),
                                 .extents = hgrid_array_2d(half, HGRID_FLOAT64, n, 3)};
  // [docs: end]
  return list_pairs(grid, &boxes);
}

int main(void) {
  // [docs: arrays]
  double x[3 * n] = {0.5, 5, 5, 9.5, 5, 5, 2, 5, 5, 5, 5, 5, 7.5, 5, 5};  // particle by particle
  const double r[n] = {1, 0.3, 0.6, 2, 0.6};
  const hgrid_options options = {.struct_size = sizeof options, .dimension = 3};
  const hgrid_box box = {.struct_size = sizeof box, .hi = {10, 10, 10}, .periodic = {1, 1, 1}};
  hgrid_grid* grid = NULL;
  if (hgrid_create(&options, &box, &grid) != HGRID_OK) return report("making the grid");
  const hgrid_particles particles = {.struct_size = sizeof particles,
                                     .positions = hgrid_array_2d(x, HGRID_FLOAT64, n, 3),
                                     .radii = hgrid_array_1d(r, HGRID_FLOAT64, n)};
  // [docs: end]
  const int failed = list_pairs(grid, &particles) || list_neighbours(grid) || measure(grid, &particles, r) || show_error(grid, &particles, x) ||
                     list_boxes(grid, x) || list_walls(grid, &particles, r) || run_loop(grid, &particles, x);
  hgrid_destroy(grid);
  return failed;
}
