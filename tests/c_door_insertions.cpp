// SPDX-License-Identifier: BSD-3-Clause
// Particles inserted through the C API: results, ids and errors equal the C++ library's.
#include "hgrid/hgrid.hpp"
#include "hgrid/queries.hpp"
#include "support/c_door_errors.hpp"
#include "support/random.hpp"

namespace {

using support::CDoorErrors;
using support::sized;
using support::verdict_of;
using support::verdict_of_door;

/// Draws particles of the grid's sizes, much larger or smaller ones, and now and then an invalid one.
template <int D>
void expect_the_same(bool periodic) {
  support::Random random(11);
  constexpr int n = 500;
  std::vector<double> x, r;
  for (int i = 0; i < D * n; ++i) x.push_back(random.real(0, 30));
  for (int i = 0; i < n; ++i) r.push_back(random.real(0.1, 1));
  const auto particles = hgrid::particles<D>(x.data(), r.data(), n);
  auto options = sized<hgrid_options>();
  options.dimension = D;
  auto box = sized<hgrid_box>();
  hgrid::Vec<double, D> hi;
  for (int k = 0; k < D; ++k) hi[k] = box.hi[k] = 30, box.periodic[k] = periodic;
  support::DoorGrid door;
  ASSERT_EQ(hgrid_create(&options, &box, &door.grid), HGRID_OK);
  hgrid::Grid<hgrid::OpenMPExec, D> grid(hgrid::OpenMPExec{},
                                         periodic ? hgrid::Box<D>::periodic({}, hi) : hgrid::Box<D>::open());
  hgrid::Insertions insertions(grid);
  int touching = 0, inserted = 0, refused = 0;
  for (int round = 0; round < 2; ++round) {
    const hgrid_particles given = support::c_particles(particles, false);
    ASSERT_EQ(hgrid_build(door.grid, &given, 0.1), HGRID_OK);
    grid.build(particles, {.skin = 0.1});
    for (int call = 0; call < 1000; ++call) {
      hgrid::Vec<double, D> at;
      for (int k = 0; k < D; ++k) at[k] = random.real(-10, 40);
      double radius = random.log_real(1e-3, 10);
      if (random.chance(0.05)) (random.chance(0.5) ? at[D - 1] : radius) = random.chance(0.5) ? support::nan : -1e16;
      const hgrid::index_t world = random.chance(0.02) ? 1 : 0;
      int touches = 77;
      bool expected = false;
      const auto asked = verdict_of([&] { expected = insertions.touches(at, radius, world); });
      EXPECT_TRUE(asked == verdict_of_door(hgrid_touches(door.grid, at.v, radius, world, &touches))) << asked.message;
      EXPECT_EQ(touches, asked.status == HGRID_OK ? expected : 77);
      std::int32_t id = 77;
      hgrid::index_t expected_id = 77;
      const bool if_free = random.chance(0.8);
      const auto verdict = verdict_of([&] {
        expected_id =
            if_free ? insertions.insert_if_free(at, radius, world).value_or(-1) : insertions.insert(at, radius, world);
      });
      const int status = if_free ? hgrid_insert_if_free(door.grid, at.v, radius, world, &id)
                                 : hgrid_insert(door.grid, at.v, radius, world, &id);
      EXPECT_TRUE(verdict == verdict_of_door(status)) << verdict.message;
      EXPECT_EQ(id, expected_id);
      touching += touches == 1, inserted += id >= n && id != 77, refused += status != HGRID_OK;
    }
  }
  EXPECT_GT(touching, 300);
  EXPECT_GT(inserted, 300);
  EXPECT_GT(refused, 30);
}

TEST(CDoorInsertions, AreThoseOfTheLibrary) {
  for (const bool periodic : {false, true}) expect_the_same<2>(periodic), expect_the_same<3>(periodic);
}

TEST_F(CDoorErrors, Insertions) {
  const double x[3] = {50, 5, 5};
  int touches = 77;
  std::int32_t id = 77;
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT;
  expect(HGRID_ERROR_NOT_BUILT, hgrid_touches(empty_.grid, x, 1, 0, &touches));
  expect(HGRID_ERROR_NOT_BUILT, hgrid_insert(empty_.grid, x, 1, 0, &id));
  expect(HGRID_ERROR_NOT_BUILT, hgrid_insert_if_free(empty_.grid, x, 1, 0, &id));
  expect(bad, hgrid_touches(nullptr, x, 1, 0, &touches), "grid");
  expect(bad, hgrid_insert(nullptr, x, 1, 0, &id), "grid");
  expect(bad, hgrid_insert_if_free(nullptr, x, 1, 0, &id), "grid");
  expect(bad, hgrid_touches(door_.grid, nullptr, 1, 0, &touches), "position");
  expect(bad, hgrid_insert(door_.grid, nullptr, 1, 0, &id), "position");
  expect(bad, hgrid_insert_if_free(door_.grid, nullptr, 1, 0, &id), "position");
  expect(bad, hgrid_touches(door_.grid, x, 1, 0, nullptr), "touches");
  expect(bad, hgrid_insert(door_.grid, x, 1, 0, nullptr), "id");
  expect(bad, hgrid_insert_if_free(door_.grid, x, 1, 0, nullptr), "id");
  EXPECT_EQ(expect(HGRID_ERROR_NEGATIVE_RADIUS, hgrid_insert(door_.grid, x, -1, 0, &id), "radii").index, 4);
  EXPECT_EQ(touches, 77);
  EXPECT_EQ(id, 77);
  EXPECT_EQ(hgrid_insert(door_.grid, x, 0.5, 0, &id), HGRID_OK);
  EXPECT_EQ(id, 4) << "nothing was inserted before";
}

}  // namespace
