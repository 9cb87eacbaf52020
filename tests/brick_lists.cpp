// SPDX-License-Identifier: BSD-3-Clause
// Neighbor lists that bricks find whole, in random systems of any density: hosts choose bricks only where there are many
// neighbors.
#include "support/brick_rows.hpp"
#include "support/packings.hpp"
#include "support/random_suite.hpp"

namespace {

using hgrid::ListKind;

template <class Real, int D>
support::Outcome run(const hgrid::OpenMPExec& exec, const support::Case& c) {
  auto grid = support::grid_in<hgrid::Grid<hgrid::OpenMPExec, D>>(exec, c.system, support::options_of(c));
  const support::UserArrays<Real, D> arrays(c.system, c.choice[support::layout], c.choice[support::exclusions]);
  grid.build(arrays.view(), {.skin = c.system.skin});
  const bool gathers = c.system.rule == oracle::Rule::gather;
  const support::Contacts listed = support::listed_in(c.system);
  const auto difference = [&](ListKind kind, const support::Contacts& expected) {
    const auto rows = support::rows_by_bricks(exec, grid.view(), grid.particle_count(), kind, c.seed % 3);
    return rows ? support::difference(kind == ListKind::full ? "full rows" : "half rows", *rows, expected) : "";
  };
  support::Outcome outcome;
  outcome.contacts = listed.size();
  outcome.occupied_cells = support::occupied_cells(exec, grid.view());
  outcome.difference = difference(ListKind::full, gathers ? listed : oracle::from_both_sides(listed));
  if (!gathers) outcome.difference += difference(ListKind::half, listed);
  return outcome;
}

support::Outcome run_any(const support::Case& c) {
  const hgrid::OpenMPExec exec(static_cast<int>(1 + c.seed % 3));
  try {
    if (c.choice[support::dimension] == 0) {
      return c.choice[support::real] == 0 ? run<double, 2>(exec, c) : run<float, 2>(exec, c);
    }
    return c.choice[support::real] == 0 ? run<double, 3>(exec, c) : run<float, 3>(exec, c);
  } catch (const hgrid::Error& e) {
    return {std::string("unexpected error: ") + e.what() + "\n"};
  }
}

TEST(BrickLists, OfRandomSystems) {
  support::expect_random_systems(2000, [](const support::Case& c) { return run_any(support::of_spheres(c)); });
}

// One particle touches more than a brick has room for, so its list is found in pieces; so are its neighbors' lists, in a box so
// small that most neighbors are there under several images.
TEST(BrickLists, InPieces) {
  for (const bool periodic : {false, true}) {
    SCOPED_TRACE(periodic);
    oracle::System s;
    support::Random random(5);
    const int n = hgrid::detail::Brick<3>::room + 1000;
    for (int k = 0; k < 3; ++k) s.periodic[k] = periodic, s.hi[k] = periodic ? 1 : 0;
    for (int i = 0; i < n; ++i) {
      s.particles.push_back({.x = {random.real(), random.real(), random.real()}, .radius = 0.01});
    }
    s.particles[static_cast<std::size_t>(n / 2)].radius = periodic ? 0.6 : 2;
    const hgrid::OpenMPExec exec(2);
    auto grid = support::built(exec, s);
    const support::Contacts half = oracle::contacts(s);
    ASSERT_GT(half.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(support::rows_by_bricks(exec, grid.view(), n, ListKind::half, 0), half);
    EXPECT_EQ(support::rows_by_bricks(exec, grid.view(), n, ListKind::full, 0), oracle::from_both_sides(half));
    EXPECT_EQ(support::rows_of(grid, ListKind::full), oracle::from_both_sides(half));
  }
}

// A particle touches itself in a box so skewed that some images around it have no code. Where the larger radius counts, these
// images are candidates, and none of them touches.
TEST(BrickLists, OfOneAmongImagesWithoutCodes) {
  int coded = 0;
  for (double tilt = 2; tilt < 8; tilt += 0.37) {
    for (double radius = 1; radius < 2.45; radius += 0.05) {
      oracle::System s;
      for (int k = 0; k < 3; ++k) s.periodic[k] = true, s.hi[k] = 1;
      s.tilt[1] = tilt, s.rule = oracle::Rule::max;
      s.particles.push_back({.x = {0.3, 0.5, 0.9}, .radius = radius});
      auto grid = support::built(hgrid::SerialExec{}, s);
      const auto rows = support::rows_by_bricks(hgrid::SerialExec{}, grid.view(), 1, ListKind::half, 0);
      if (!rows) continue;
      ++coded;
      EXPECT_EQ(*rows, oracle::contacts(s)) << "tilt " << tilt << " radius " << radius;
    }
  }
  EXPECT_GT(coded, 100);
}

}  // namespace
