// SPDX-License-Identifier: BSD-3-Clause
// hgrid from C++11: pairs and neighbors of five spheres in a periodic box, an error, and a list in a time loop.
#include <hgrid11.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

// [docs: body]
struct Body {  // a struct of an existing code
  double x[3], v[3], radius;
};
// [docs: end]

static int list_pairs() {
  // [docs: pairs]
  const std::vector<double> x = {0.5, 5, 5, 9.5, 5, 5, 2, 5, 5, 5, 5, 5, 7.5, 5, 5};  // particle by particle
  const std::vector<double> r = {1, 0.3, 0.6, 2, 0.6};
  const hgrid11::Box3 box = hgrid11::Box3::periodic({0, 0, 0}, {10, 10, 10});
  hgrid11::Grid3 grid(box);
  grid.build({x, r});  // levels are planned at the first one
  for (const hgrid11::Pair p : grid.pairs()) {
    const double dx = x[3 * p.i] - x[3 * p.j] - box.shift(p.image)[0];
    std::printf("pair %d %d, image %d, %g apart\n", p.i, p.j, p.image[0], std::fabs(dx));
  }
  // [docs: end]

  // [docs: entries]
  double overlaps = 0;
  for (const hgrid11::Entry<3> e : grid.entries({x, r})) {  // e.vector leads from i to j
    const double overlap = r[e.i] + r[e.j] - e.distance;
    if (overlap > 0) overlaps += overlap;  // with a skin other entries have a gap
  }
  // [docs: end]
  std::printf("overlaps: %g\n", overlaps);

  // [docs: neighbours]
  const hgrid11::NeighbourList list = grid.neighbours(hgrid11::ListKind::full);
  for (int i = 0; i < list.lists(); ++i) {
    std::printf("neighbours of %d:", i);
    for (const hgrid11::Neighbour n : list[i]) std::printf(" %d", n.id);
    std::printf("\n");
  }
  // [docs: end]
  return grid.count() == 3 && list.size() == 6 && std::fabs(overlaps - 0.5) < 1e-12 ? 0 : 1;
}

static int show_error() {
  hgrid11::Grid3 grid;
  std::vector<double> x(3 * 5, 1.0), r(5, 0.5);
  x[3 * 2 + 1] = NAN;
  // [docs: error]
  try {
    grid.build({x, r});
  } catch (const hgrid11::Error& e) {  // a std::runtime_error
    std::printf("%s: particle %d has %g in its %s\n", name_of(e.code()), static_cast<int>(e.index()), e.value(),
                e.argument().c_str());
    return e.code() == hgrid11::ErrorCode::nonfinite && e.index() == 2 ? 0 : 1;
  }
  // [docs: end]
  return 1;
}

// Body 2 leaves body 0 and comes to body 3. Each pair counts the steps for which it has been listed.
static int run_loop(std::vector<Body> bodies) {
  int steps_of_contact_3_4 = 0, builds = 0;
  // [docs: loop]
  const std::size_t n = bodies.size();
  const hgrid11::Particles3 particles(hgrid11::in_structs(bodies.data(), n, &Body::x),
                                      hgrid11::in_structs(bodies.data(), n, &Body::radius));
  hgrid11::Grid3 grid(hgrid11::Box3::periodic({0, 0, 0}, {10, 10, 10}));
  hgrid11::VerletOptions options;
  options.skin = 0.2;
  hgrid11::VerletList3 list(grid, options);
  hgrid11::PairArray<int> steps;  // a follower: a value for each entry, which stays with its pair, and is 0 for a new one
  for (int step = 0; step < 20; ++step) {
    bodies[2].x[0] += 0.05;
    builds += list.update(particles, steps);  // reuses the memory, where the bodies have moved
    const hgrid11::NeighbourList pairs = list.neighbours();
    for (int i = 0; i < pairs.lists(); ++i) {
      for (const hgrid11::Neighbour j : pairs[i]) {
        ++steps[j.entry];
        if (i == 3 && j.id == 4) steps_of_contact_3_4 = steps[j.entry];
      }
    }
  }
  // [docs: end]
  std::printf("20 steps, %d builds, contact 3 4 was there for %d steps\n", builds, steps_of_contact_3_4);
  return builds > 1 && builds < 20 && steps_of_contact_3_4 == 20 ? 0 : 1;
}

// A plane below two balls. One of them reaches it.
static int list_walls() {
  const std::vector<double> x = {2, 2, 0.4, 7, 7, 3}, r = {0.5, 0.5};
  // [docs: walls]
  hgrid11::Grid3 grid(hgrid11::Box3::periodic({0, 0, 0}, {10, 10, 0}, {true, true, false}));
  grid.build({x, r});
  hgrid11::Mesh floor(grid, {0, 0, 0, 10, 0, 0, 0, 10, 0, 10, 10, 0}, {0, 1, 2, 1, 3, 2});  // vertices, and three of them each
  hgrid11::PairArray<double> slips;  // a value for each contact, which stays with its ball
  const hgrid11::WallList contacts = floor.contacts({x, r}, 0, slips);
  for (std::int64_t t = 0; t < contacts.lists(); ++t) {
    for (const hgrid11::Neighbour ball : contacts[t]) {
      const double* const at = contacts.point(ball.entry);  // nearest to the ball
      std::printf("ball %d is %g above the floor, slip %g\n", ball.id, x[3 * ball.id + 2] - at[2], slips[ball.entry]);
    }
  }
  // [docs: end]
  return contacts.size() == 1 ? 0 : 1;
}

int main() {
  const double x[5] = {0.5, 9.5, 2, 5, 7.5}, r[5] = {1, 0.3, 0.6, 2, 0.6};
  std::vector<Body> bodies;
  for (int i = 0; i < 5; ++i) bodies.push_back({{x[i], 5, 5}, {0, 0, 0}, r[i]});
  return list_pairs() || show_error() || list_walls() || run_loop(bodies);
}
