// SPDX-License-Identifier: BSD-3-Clause
// Particles in all layouts, with all optional arrays, against all pairs. Choices, and reports of plans.
#include <cmath>

#include "all_pairs.hpp"

namespace {

struct Disc {
  std::array<float, 2> x;
  double mass;
  float radius;
  int clump;
};
struct Ball {
  double mass, x[3], v[3], radius;
};

/// Discs of 32 bits in structs, periodic along y only.
void test_structs() {
  System<2> system(150, 8, 0.05, 0.5, 7);
  system.vectors[1][1] = 8, system.periodic[1] = true;
  std::vector<Disc> discs(system.size());
  std::vector<int> clumps;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    discs[i] = {{{static_cast<float>(system.x[2 * i]), static_cast<float>(system.x[2 * i + 1])}},
                1,
                static_cast<float>(system.r[i]),
                static_cast<int>(i / 3)};
    system.x[2 * i] = discs[i].x[0], system.x[2 * i + 1] = discs[i].x[1], system.r[i] = discs[i].radius;
    clumps.push_back(discs[i].clump);
  }
  const std::size_t n = discs.size();
  hgrid11::Particles2 particles(hgrid11::in_structs(discs.data(), n, &Disc::x),
                                hgrid11::in_structs(discs.data(), n, &Disc::radius));
  hgrid11::GridOptions options;
  options.threads = HGRID_SERIAL;
  hgrid11::Grid2 grid(hgrid11::Box2::periodic({0, 0}, {8, 8}, {false, true}), options);
  grid.build(particles);
  const Entries all = system.pairs();
  require(entries_of(grid.pairs()) == all && !all.empty(), "discs in structs");

  Entries of_others;
  for (const Entry& e : all) {
    if (e[0] / 3 != e[1] / 3) of_others.insert(e);
  }
  grid.build(particles.group(clumps));
  require(entries_of(grid.pairs()) == of_others && of_others.size() < all.size(), "clumps");

  std::vector<std::uint8_t> status(discs.size(), 2);
  for (std::size_t i = 0; i < status.size(); i += 4) status[i] = 5;
  Entries active;
  for (const Entry& e : of_others) {
    if (e[0] % 4 != 0 && e[1] % 4 != 0) active.insert(e);
  }
  grid.build(particles.active(status, 2));
  require(entries_of(grid.pairs()) == active && active.size() < of_others.size(), "bits of a status byte");
}

/// Passes equal spheres in structs, in columns, as diameters, all with one radius, as ghosts and with bonds.
void test_layouts() {
  System<3> system(120, 7, 0.2, 0.8, 11);
  const std::size_t n = system.size();
  std::vector<Ball> balls(n);
  std::vector<double> columns[3], diameters, widened;
  for (std::size_t i = 0; i < n; ++i) {
    balls[i] = {1, {system.at(i, 0), system.at(i, 1), system.at(i, 2)}, {0, 0, 0}, system.r[i]};
    for (std::size_t k = 0; k < 3; ++k) columns[k].push_back(system.at(i, k));
    diameters.push_back(2 * system.r[i]);
  }
  const Entries all = system.pairs();
  const auto gives = [](const hgrid11::Particles3& particles, const Entries& expected, const char* what) {
    hgrid11::Grid3 grid;
    grid.build(particles);
    const hgrid11::PairList pairs = grid.pairs();
    require(!pairs.has_images() && pairs.images() == nullptr, "an open box has no images");
    require(entries_of(pairs) == expected && !expected.empty(), what);
  };
  gives({hgrid11::in_structs(balls.data(), n, &Ball::x), hgrid11::in_structs(balls.data(), n, &Ball::radius)}, all,
        "structs with arrays");
  const std::int64_t stride = sizeof(Ball) / sizeof(double);
  gives({{&balls[0].x[0], n, stride}, {&balls[0].radius, n, stride}}, all, "pointers with strides");
  gives({columns[0], columns[1], columns[2], system.r}, all, "columns");
  gives({{system.x.data(), n}, {system.r.data(), n}}, all, "pointers");
  gives({{columns[0].data(), n}, {columns[1].data(), n}, {columns[2].data(), n}, {system.r.data(), n}}, all,
        "pointers to columns");
  gives(hgrid11::Particles3(system.x, diameters).radius_scale(0.5), all, "diameters");

  std::vector<std::int32_t> bonds;  // every second pair
  Entries not_bonded, with_owned;
  for (const Entry& e : all) {
    if (not_bonded.size() * 4 <= bonds.size()) {
      not_bonded.insert(e);
    } else {
      bonds.insert(bonds.end(), {e[0], e[1]});
    }
    if (e[0] < 70) with_owned.insert(e);
  }
  gives(hgrid11::Particles3(system.x, system.r).excluded_pairs(bonds), not_bonded, "bonds");
  gives(hgrid11::Particles3(system.x, system.r).ghosts(static_cast<std::int32_t>(n) - 70), with_owned, "ghosts");

  const std::vector<double> extra(n, 0.1);
  System<3> wider = system;
  for (double& r : wider.r) r += 0.1;
  gives(hgrid11::Particles3(system.x, system.r).extra(extra), wider.pairs(), "extra distances");
  for (double& r : system.r) r = 0.5;
  gives({system.x, 0.5}, system.pairs(), "one radius for all");
}

void test_reports() {
  System<3> system(400, 9, 0.02, 0.03, 5);
  system.r[0] = 2;
  hgrid11::GridOptions options;
  options.direction = hgrid11::Direction::bottom_up, options.keys = hgrid11::KeyOrder::morton;
  options.levels = {{0.05, {0.2, 0.2, 0.2}}, {2.5, {5, 5, 5}}};
  hgrid11::Grid3 grid(hgrid11::Box3::open(), options);
  require(grid.generation() == 0, "nothing was built");
  grid.build({system.x, system.r}, 0.01);
  const hgrid_plan_report plan = grid.plan();
  require(plan.particles == 400 && plan.skipped == 0 && plan.levels == 2 && plan.skin == 0.01, "the plan");
  require(plan.direction == HGRID_BOTTOM_UP && plan.keys == HGRID_MORTON && plan.periodic == 0, "what was chosen");
  require(grid.level(0).particles == 399 && grid.level(1).particles == 1 && grid.level(1).cell_size[2] == 5, "levels");
  require(grid.work().candidates >= grid.count() && grid.generation() != 0, "work");
  const hgrid11::Particles3 now(system.x, system.r);
  require(grid.valid(now), "nothing has moved");
  system.x[3 * 17] += 0.1;
  const hgrid_validity_report report = grid.validity(now);
  require(!grid.valid(now) && report.first == 17 && report.dirty == 1, "one particle has moved");

  const std::vector<unsigned char> bytes = grid.save();
  hgrid11::Grid3 other;
  other.restore(bytes);
  other.build(now, 0.01);
  require(other.plan().levels == 2 && entries_of(other.pairs()) == system.pairs(0.01), "a checkpoint");

  system.x[3] = NAN;
  grid.build(hgrid11::Particles3(system.x, system.r).nonfinite(hgrid11::NonFinite::skip));
  require(grid.plan().skipped == 1, "one is left out");
}

/// Two systems over each other, each in a box of its own.
void test_worlds() {
  System<2> first(60, 5, 0.1, 0.5, 31), second(60, 5, 0.1, 0.5, 32);
  first.repeat({{5, 0, 0}, {0, 5, 0}, {0, 0, 0}}), second.repeat({{5, 0, 0}, {1.5, 6, 0}, {0, 0, 0}});
  first.periodic[2] = second.periodic[2] = false;
  std::vector<double> x = first.x, r = first.r;
  x.insert(x.end(), second.x.begin(), second.x.end()), r.insert(r.end(), second.r.begin(), second.r.end());
  std::vector<std::int32_t> world(60, 0);
  world.resize(120, 1);
  Entries expected = first.pairs();
  for (const Entry& e : second.pairs()) expected.insert({{e[0] + 60, e[1] + 60, e[2], e[3], e[4]}});

  hgrid11::Grid2 grid;
  grid.set_boxes({hgrid11::Box2::periodic({0, 0}, {5, 5}), hgrid11::Box2::periodic({0, 0}, {5, 6}).tilted(1.5)});
  grid.build(hgrid11::Particles2(x, r).worlds(world, 2));
  require(entries_of(grid.pairs()) == expected && expected.size() > first.pairs().size(), "worlds with boxes of their own");

  const std::vector<double> at = {second.x[0], second.x[1]};
  const std::vector<std::int32_t> of_second = {1};
  std::set<int> found;
  for (const hgrid11::Neighbour n : grid.query(hgrid11::Regions2::spheres(at, 1).world(of_second))[0]) found.insert(n.id);
  require(found.count(60) == 1 && *found.begin() >= 60, "the particles of one world");
}

/// Distances by type in place of radii, and exclusions as lists.
void test_cutoffs() {
  System<3> system(90, 6, 0.6, 0.6, 17);
  const std::vector<double> table = {1.2, 0.5, 0.5, 0.9};
  std::vector<std::int32_t> types;
  for (std::size_t i = 0; i < system.size(); ++i) types.push_back(i % 2);
  Entries expected;
  const std::vector<System<3>::Shift> images = system.shifts();
  for (std::size_t i = 0; i < system.size(); ++i) {
    for (std::size_t j = i + 1; j < system.size(); ++j) {
      const double reach = table[static_cast<std::size_t>(2 * types[i] + types[j])];
      system.for_each_near(i, j, reach, images, [&](const std::array<int, 3>&) {
        expected.insert({{static_cast<int>(i), static_cast<int>(j), 0, 0, 0}});
      });
    }
  }
  hgrid11::Grid3 grid;
  hgrid11::Particles3 particles(system.x, system.r);
  grid.build(particles.cutoffs(types, table.data(), 2));
  require(entries_of(grid.pairs()) == expected && expected.size() < system.pairs().size(), "cut-offs by type");
  const hgrid11::Kept<hgrid11::NeighbourList> lists = grid.keep(grid.neighbours());
  grid.build(particles.excluded_lists({lists.offsets(), lists.lists() + 1}, {lists.neighbours(), lists.size()}));
  require(grid.count() == 0, "all pairs are excluded");
}

/// Boxes in the place of spheres, from either constructor, with skin and diameters, and one box for all.
void test_extents() {
  System<3> system(120, 7, 0.2, 0.8, 13);
  std::vector<double> halves, sides;
  for (std::size_t k = 0; k < system.x.size(); ++k) halves.push_back(0.2 + 0.05 * static_cast<double>(k % 11));
  for (const double half : halves) sides.push_back(2 * half);
  const auto expected = [&](const std::vector<double>& half, double skin) {
    Entries all;
    for (std::size_t i = 0; i < system.size(); ++i) {
      for (std::size_t j = i + 1; j < system.size(); ++j) {
        bool overlap = true;
        for (std::size_t k = 0; k < 3; ++k) {
          const double reach = half[(3 * i + k) % half.size()] + half[(3 * j + k) % half.size()] + skin;
          overlap = overlap && std::fabs(system.at(i, k) - system.at(j, k)) <= reach;
        }
        if (overlap) all.insert({{static_cast<int>(i), static_cast<int>(j), 0, 0, 0}});
      }
    }
    return all;
  };
  const auto gives = [](const hgrid11::Particles3& particles, double skin, const Entries& all, const char* what) {
    hgrid11::Grid3 grid;
    grid.build(particles, skin);
    require(entries_of(grid.pairs()) == all && all.size() > 20, what);
    require(grid.valid(particles) && grid.level(0).extent_max[2] > 0, "levels of boxes");
  };
  gives(hgrid11::Particles3(system.x).extents(halves), 0, expected(halves, 0), "boxes");
  gives(hgrid11::Particles3(system.x, system.r).extents(halves), 0.1, expected(halves, 0.1),
        "boxes, and their radii are forgotten");
  gives(hgrid11::Particles3(system.x, 0.0).radius_scale(0.5).extents(sides), 0, expected(halves, 0), "whole sides");
  const std::vector<double> one = {0.9, 0.3, 0.5};
  gives(hgrid11::Particles3(system.x).extents({one.data(), system.size(), 0}), 0, expected(one, 0), "one box for all");
}

}  // namespace

void test_inputs() {
  test_extents();
  test_worlds();
  test_cutoffs();
  test_structs();
  test_layouts();
  test_reports();
}
