// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles through the C API: equal to the C++ library's, into the caller's memory.
#include "hgrid/hgrid.hpp"
#include "hgrid/queries.hpp"
#include "support/c_door_errors.hpp"
#include "support/random.hpp"

namespace {

using support::CDoorErrors;
using support::sized;

template <int D, class Real>
void expect_the_same(bool periodic) {
  support::Random random(12);
  constexpr int n = 500, m = 200, k = 7;
  std::vector<double> x, r;
  for (int i = 0; i < D * n; ++i) x.push_back(random.real(0, 30));
  for (int i = 0; i < n; ++i) r.push_back(random.real(0.1, 1));
  const auto particles = hgrid::particles<D>(x.data(), r.data(), n);
  auto options = sized<hgrid_options>();
  options.dimension = D;
  auto box = sized<hgrid_box>();
  hgrid::Vec<double, D> hi;
  for (int a = 0; a < D; ++a) hi[a] = box.hi[a] = 30, box.periodic[a] = periodic;
  support::DoorGrid door;
  ASSERT_EQ(hgrid_create(&options, &box, &door.grid), HGRID_OK);
  hgrid::Grid<hgrid::OpenMPExec, D> grid(hgrid::OpenMPExec{},
                                         periodic ? hgrid::Box<D>::periodic({}, hi) : hgrid::Box<D>::open());
  const hgrid_particles given = support::c_particles(particles, false);
  ASSERT_EQ(hgrid_build(door.grid, &given, 0), HGRID_OK);
  grid.build(particles);
  hgrid::Nearest nearest(grid);
  std::vector<Real> at;
  std::vector<hgrid::Vec<double, D>> points(m);
  for (auto& point : points) {
    for (int a = 0; a < D; ++a) at.push_back(static_cast<Real>(random.real(-10, 40))), point[a] = at.back();
  }
  auto asked = sized<hgrid_nearest_points>();
  asked.k = k;
  for (const bool of_points : {true, false}) {
    if (of_points) {
      asked.x = hgrid_array_2d(at.data(), std::is_same_v<Real, float> ? HGRID_FLOAT32 : HGRID_FLOAT64, m, D);
    } else {
      asked.x = {}, asked.by = HGRID_BY_SURFACES, asked.is_bounded = 1, asked.within = 3;
    }
    const hgrid::NearestOptions same{.k = k,
                                     .by = of_points ? hgrid::NearestBy::centres : hgrid::NearestBy::surfaces,
                                     .within = of_points ? HUGE_VAL : 3,
                                     .images = true};
    const auto expected = of_points ? nearest.of_points(points, same) : nearest.of_particles(same);
    std::vector<std::int32_t> ids(expected.ids.size()), images(D * ids.size());
    std::vector<double> distances(ids.size());
    ASSERT_EQ(hgrid_nearest(door.grid, &asked, ids.data(), distances.data(), images.data()), HGRID_OK);
    EXPECT_TRUE(std::ranges::equal(ids, expected.ids));
    EXPECT_TRUE(std::ranges::equal(distances, expected.distances));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (int a = 0; a < D; ++a) ASSERT_EQ(images[D * i + static_cast<std::size_t>(a)], expected.images[i][a]);
    }
    EXPECT_EQ(hgrid_nearest(door.grid, &asked, ids.data(), distances.data(), nullptr), HGRID_OK);
  }
}

TEST(CDoorNearest, AreThoseOfTheLibrary) {
  for (const bool periodic : {false, true}) {
    expect_the_same<2, double>(periodic), expect_the_same<3, float>(periodic);
  }
}

TEST_F(CDoorErrors, Nearest) {
  double x[3] = {50, 5, 5};
  std::int32_t ids[4] = {77, 77, 77, 77};
  double distances[4];
  auto asked = sized<hgrid_nearest_points>();
  asked.k = 1, asked.x = hgrid_array_2d(x, HGRID_FLOAT64, 1, 3);
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT;
  expect(HGRID_ERROR_NOT_BUILT, hgrid_nearest(empty_.grid, &asked, ids, distances, nullptr));
  expect(bad, hgrid_nearest(nullptr, &asked, ids, distances, nullptr), "grid");
  expect(bad, hgrid_nearest(door_.grid, nullptr, ids, distances, nullptr), "points");
  expect(bad, hgrid_nearest(door_.grid, &asked, nullptr, distances, nullptr), "ids");
  expect(bad, hgrid_nearest(door_.grid, &asked, ids, nullptr, nullptr), "distances");
  const auto expect_bad = [&](int status, const char* argument, auto change) {
    hgrid_nearest_points other = asked;
    change(other);
    expect(status, hgrid_nearest(door_.grid, &other, ids, distances, nullptr), argument);
  };
  expect_bad(bad, "k", [](auto& p) { p.k = 0; });
  expect_bad(bad, "by", [](auto& p) { p.by = 2; });
  expect_bad(bad, "is_bounded", [](auto& p) { p.is_bounded = 2; });
  expect_bad(bad, "within", [](auto& p) { p.is_bounded = 1, p.within = support::nan; });
  expect_bad(HGRID_ERROR_SIZE_MISMATCH, "x", [](auto& p) { p.x.shape[1] = 2; });
  const std::int32_t world = 0;
  expect_bad(bad, "world", [&](auto& p) { p.x = {}, p.world = hgrid_array_1d(&world, HGRID_INT32, 1); });
  x[1] = support::nan;
  expect_bad(HGRID_ERROR_NONFINITE, "points", [](auto&) {});
  EXPECT_EQ(ids[0], 77);
}

}  // namespace
