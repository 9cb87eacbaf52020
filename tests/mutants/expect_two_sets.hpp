// SPDX-License-Identifier: BSD-3-Clause
// Contacts between the particles of two grids.
#pragma once

#include <atomic>

#include "support/asked.hpp"
#include "support/fail.hpp"
#include "support/gas.hpp"
#include "support/measured_query_cases.hpp"
#include "support/random_case.hpp"
#include "support/region_cases.hpp"
#include "support/two_sets_cases.hpp"

/// Two tiny clusters at opposite faces of a large box.
template <class Exec>
void expect_far_shifts(const Exec& exec) {
  support::Random random(3);
  std::vector<double> x[2], r[2];
  for (int n = 0; n < 80000; ++n) {
    const double side = n % 2, along = random.real(0, 1e-12);
    x[n % 2].insert(x[n % 2].end(), {side == 1 ? 1 - along : along, random.real(0, 1e-12), random.real(0, 1e-12)});
    r[n % 2].push_back(random.real(0.03e-12, 0.06e-12));
  }
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1});
  hgrid::Grid<Exec, 3> asking(exec, box), asked(exec, box), plain(exec, box, {.schedule = hgrid::Schedule::plain});
  const auto near = hgrid::particles<3>(x[0].data(), r[0].data(), 40000),
             far = hgrid::particles<3>(x[1].data(), r[1].data(), 40000);
  asking.build(far), asked.build(near), plain.build(near);
  if (support::as_listed(exec, support::asked(asked, asking)) != support::as_listed(exec, support::asked(plain, asking)))
    support::fail("two sets under a shift far larger than they are");
}

/// Expects one call of a predicate for each contact, also where there are more than the lists expect.
template <class Exec>
void expect_asked_once(const Exec& exec) {
  support::Random random(4);
  std::vector<double> x(3 * 400);
  for (double& coordinate : x) coordinate = random.real();
  const std::vector<double> r(400, 0.25);
  hgrid::Grid<Exec, 3> asking(exec), asked(exec);
  asking.build(x, r), asked.build(x, r);
  auto list = asked.make_list(hgrid::ListKind::full);
  std::atomic<hgrid::offset_t> calls{0};
  asked.find(list, asking, hgrid::only([&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { return ++calls, true; }));
  if (list.size() < 64 * 400 || calls != list.size()) support::fail("a predicate is called twice for a contact");
}

/// Queries systems (worlds) whose boxes are of very different sizes with many points.
template <class Exec>
void expect_spheres(const Exec& exec) {
  const std::vector<double> x{50, 50, 50, 0.2, 0.2, 0.2}, r{3, 0.05};
  const std::vector<hgrid::index_t> world{0, 1};
  hgrid::Grid<Exec, 3> grid(exec);
  grid.set_boxes({hgrid::Box3::periodic({0, 0, 0}, {100, 100, 100}), hgrid::Box3::periodic({0, 0, 0}, {0.5, 0.5, 0.5})});
  auto view = hgrid::particles<3>(x.data(), r.data(), 2);
  view.worlds = {world.data(), 2};
  grid.build(view);
  std::vector<hgrid::Region<3>> points(100, hgrid::Region<3>::point({0.2, 0.2, 0.2}));
  for (std::size_t q = 0; q < 100; ++q) points[q].world = static_cast<hgrid::index_t>(q % 2);
  if (support::asked(grid, hgrid::Regions{points.data(), 100, hgrid::Take::centres}).size() != 50)
    support::fail("points in worlds of all sizes");
}

/// Two tables of cut-offs, and exclusions between two sets of different sizes, with cut-offs and without.
template <class Exec>
void expect_held_back(const Exec& exec) {
  const std::vector<double> x{0, 0, 0, 0.7, 0, 0, 0.9, 0, 0}, r{0.5, 0.5, 0.5}, wide{1}, narrow{0.8};
  const std::vector<hgrid::index_t> type{0, 0, 0};
  const hgrid::Pair excluded{0, 1};
  const auto built = [&](hgrid::index_t count, const std::vector<double>& table) {
    hgrid::Grid<Exec, 3> grid(exec);
    auto view = hgrid::particles<3>(x.data(), r.data(), count);
    if (!table.empty()) view.cutoffs = {type.data(), table.data(), 1};
    grid.build(view);
    return grid;
  };
  using Tables = std::pair<std::vector<double>, std::vector<double>>;
  for (const auto& [first, second] : {Tables{wide, narrow}, Tables{narrow, wide}, Tables{}}) {
    auto asking = built(1, first), asked = built(3, second);
    const hgrid::offset_t all = first.empty() ? 3 : 2;
    if (support::asked(asked, asking).size() != all) support::fail("two tables of cut-offs");
    const hgrid::Excluding bonds(asked, asking, hgrid::Exclusions::in_pairs(&excluded, 1));
    if (support::asked(asked, bonds).size() != all - 1) support::fail("a pair of two sets that is excluded");
  }
}

/// Skins that differ where the larger of two radii counts: columns of single precision have the skin of one grid only.
template <class Exec>
void expect_skins(const Exec& exec) {
  support::Random random(4);
  std::vector<double> x[2], r[2];
  for (int n = 0; n < 8000; ++n) {
    for (int k = 0; k < 3; ++k) x[n % 2].push_back(random.real(0, 1));
    r[n % 2].push_back(random.real(0.02, 0.04));
  }
  const auto listed = [&](hgrid::Schedule schedule, double of_asking, double of_asked) {
    const hgrid::GridOptions options{.schedule = schedule, .rule = hgrid::Rule::max};
    hgrid::Grid<Exec, 3> asking(exec, hgrid::Box3::open(), options), asked(exec, hgrid::Box3::open(), options);
    asking.build(hgrid::particles<3>(x[0].data(), r[0].data(), 4000), {.skin = of_asking});
    asked.build(hgrid::particles<3>(x[1].data(), r[1].data(), 4000), {.skin = of_asked});
    return support::as_listed(exec, support::asked(asked, asking));
  };
  for (const double skin : {0.0, 0.02}) {
    if (listed(hgrid::Schedule::fast, skin, 0.02 - skin) != listed(hgrid::Schedule::plain, skin, 0.02 - skin))
      support::fail("two sets whose skins differ");
  }
}

/// Checks random systems cut in two, or queried by spheres; sets so near to each other that whole lists are found; grids that
/// cannot be compared.
template <class Exec>
void expect_two_sets(const Exec& exec) {
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const support::Case c = support::make_case(seed);
    std::string difference;
    if (c.choice[support::dimension] == 0) {
      difference = support::check_two_sets<double, 2>(exec, c) +
                   support::check_regions<double, 2>(exec, support::of_spheres(c), true) +
                   support::check_measured_queries<double, 2>(exec, c);
    } else {
      difference = support::check_two_sets<double, 3>(exec, c) +
                   support::check_regions<double, 3>(exec, support::of_spheres(c), true) +
                   support::check_measured_queries<double, 3>(exec, c);
    }
    if (!difference.empty()) support::fail("two sets in system " + std::to_string(seed) + ": " + difference);
  }
  oracle::System whole = support::polydisperse(1500, 2, true, 5);
  for (std::size_t i = 0; i < whole.particles.size(); ++i) {
    whole.particles[i].radius *= 3.5, whole.particles[i].group = static_cast<int>(i % 5) - 1;
    if (i % 11 == 0) whole.particles[i].x[i % 3] += whole.hi[0];
  }
  support::Random random(7);
  const support::TwoSets sets = support::cut(whole, random);
  auto asking = support::built(exec, sets.asking), asked = support::built(exec, sets.asked);
  std::atomic<std::size_t> asked_for{0};  // before the grid knows lengths of lists
  asked.count(asking, hgrid::only([&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { return ++asked_for > 0; }));
  if (support::as_listed(exec, support::asked(asked, asking)) != sets.expected) support::fail("two sets that are near");
  if (Exec::on_host && asked_for != sets.expected.size()) support::fail("a predicate between two sets is not asked once");
  expect_far_shifts(exec), expect_skins(exec), expect_spheres(exec), expect_held_back(exec);
  oracle::System wider = sets.asking;
  wider.hi[0] *= 1.5;
  auto elsewhere = support::built(exec, wider);
  try {
    asked.count(elsewhere);
    support::fail("two boxes that differ");
  } catch (const hgrid::Error& e) {
    if (e.code() != hgrid::ErrorCode::invalid_argument) throw;
  }
}
