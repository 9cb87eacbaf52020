// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles, against brute force with equal arithmetic: ids, distances and images are equal bit for bit.
#include "hgrid/find/nearest.hpp"

#include "support/counting_new.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/nearest_cases.hpp"
#include "support/random_suite.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::index_t;
using hgrid::NearestBy;
using support::expect_error;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
using Points = std::vector<hgrid::Vec<double, 3>>;

template <class Exec>
class Nearest : public ::testing::Test {
 protected:
  static Exec exec() { return support::make_executor<Exec>(2); }
  static hgrid::Grid<Exec, 3> grid_of(const hgrid::Box3& box, const std::vector<double>& x, const std::vector<double>& r) {
    hgrid::Grid<Exec, 3> grid(exec(), box);
    grid.build(x, r);
    return grid;
  }
};
TYPED_TEST_SUITE(Nearest, support::Executors);

TYPED_TEST(Nearest, OfRandomSystems) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 500);
  for (std::uint64_t seed = first; seed < first + systems; ++seed) {
    const support::Case c = support::of_spheres(support::make_case(seed));
    ASSERT_EQ(support::check_nearest(this->exec(), c), "") << "seed " << seed << "\n" << support::to_text(c);
  }
}

// Queries more neighbors than are ordered by counting. Most of them are equally near, with ids in another order than in space.
TYPED_TEST(Nearest, OfManyEquallyNear) {
  constexpr index_t side = 12, n = side * side * side, k = 300;
  std::vector<double> x(3 * n);
  for (index_t i = 0; i < n; ++i) {
    const index_t id = (i * 701) % n;  // 701 and n have no common divisor
    x[3 * id] = i % side, x[3 * id + 1] = i / side % side, x[3 * id + 2] = i / side / side;
  }
  auto grid = this->grid_of(hgrid::Box3::open(), x, std::vector<double>(n, 0.4));
  hgrid::Nearest nearest(grid);
  const Points points{{5.5, 5.5, 5.5}};
  const auto found = nearest.of_points(points, {.k = k});
  std::vector<std::pair<double, index_t>> all;
  for (index_t i = 0; i < n; ++i) {
    const double a = 5.5 - x[3 * i], b = 5.5 - x[3 * i + 1], c = 5.5 - x[3 * i + 2];
    all.emplace_back(a * a + b * b + c * c, i);
  }
  std::ranges::sort(all);
  for (index_t e = 0; e < k; ++e) EXPECT_EQ(found.ids[e], all[e].second) << "place " << e;
}

// A loop of its own finds one nearest particle: it is the first of several. Random particles have no ties; on a lattice with
// ids in another order than in space, two to six are equally near.
TYPED_TEST(Nearest, OneIsTheFirstOfMany) {
  constexpr index_t side = 14, n = side * side * side;
  support::Random random(8);
  std::vector<double> x(3 * n), lattice(3 * n);
  Points corners, anywhere;
  for (index_t i = 0; i < n; ++i) {
    const index_t id = (i * 701) % n;  // 701 and n have no common divisor
    const index_t at[] = {i % side, i / side % side, i / side / side};
    hgrid::Vec<double, 3> corner, place;
    for (int k = 0; k < 3; ++k) {
      lattice[3 * id + k] = at[k], x[3 * id + k] = random.real(0, side - 1);
      corner[k] = at[k] + (i % 3 == k ? 0.5 : 0), place[k] = random.real(-1, side);
    }
    corners.push_back(corner), anywhere.push_back(place);
  }
  for (const bool periodic : {false, true}) {
    const auto box =
        periodic ? hgrid::Box3::periodic({-0.5, -0.5, -0.5}, {side - 0.5, side - 0.5, side - 0.5}) : hgrid::Box3::open();
    for (const auto* centres : {&x, &lattice}) {
      auto grid = this->grid_of(box, *centres, std::vector<double>(n, 0.4));
      hgrid::Nearest nearest(grid);
      hgrid::Nearest others(grid);
      const auto expect_first = [&](const auto& one, const auto& many) {
        for (std::size_t q = 0; q < one.ids.size(); ++q) {
          ASSERT_EQ(one.ids[q], many.ids[2 * q]) << "point " << q;
          ASSERT_EQ(one.distances[q], many.distances[2 * q]) << "point " << q;
          ASSERT_EQ(one.images[q], many.images[2 * q]) << "point " << q;
        }
      };
      expect_first(nearest.of_particles({.k = 1, .images = true}), others.of_particles({.k = 2, .images = true}));
      for (const Points* points : {&corners, &anywhere}) {
        expect_first(nearest.of_points(*points, {.k = 1, .images = true}), others.of_points(*points, {.k = 2, .images = true}));
        const auto near = nearest.of_points(*points, {.k = 1, .within = 0.3});
        const auto any = others.of_points(*points, {.k = 1});
        for (std::size_t q = 0; q < points->size(); ++q) ASSERT_EQ(near.ids[q], any.distances[q] <= 0.3 ? any.ids[q] : n);
      }
    }
  }
}

// Enough points that their queries are sorted and run together, on levels with many cells. Any number of threads gives equal
// bits.
TYPED_TEST(Nearest, OfManyParticles) {
  for (const bool periodic : {false, true}) {
    support::Case c;
    c.system = support::polydisperse(20000, 20, periodic, 3);
    ASSERT_EQ((support::check_nearest<double, 3>(this->exec(), c, 40)), "");
  }
  const oracle::System s = support::polydisperse(5000, 5, true, 4);
  auto grid = support::built(this->exec(), s);
  auto serial = support::built(hgrid::SerialExec{}, s);
  hgrid::Nearest a(grid);
  hgrid::Nearest b(serial);
  Points points;
  for (const oracle::Particle& p : s.particles) points.push_back({p.x[1], p.x[2], p.x[0]});
  for (const NearestBy by : {NearestBy::centres, NearestBy::surfaces}) {
    const auto of_a = a.of_points(points, {.k = 9, .by = by, .images = true});
    const auto of_b = b.of_points(points, {.k = 9, .by = by, .images = true});
    EXPECT_TRUE(std::ranges::equal(of_a.ids, of_b.ids));
    EXPECT_TRUE(std::ranges::equal(of_a.distances, of_b.distances));
    EXPECT_TRUE(std::ranges::equal(of_a.images, of_b.images));
    for (std::size_t q = 0; q < 40; ++q) {  // one by one, so that they are not sorted
      const auto alone = b.of_points(std::span(points).subspan(q, 1), {.k = 9, .by = by});
      EXPECT_TRUE(std::ranges::equal(alone.ids, of_a.ids.subspan(9 * q, 9)));
    }
  }
}

// 11^3 particles on a lattice. For each but the middle one, others are equally near to the middle. Ids decide.
TYPED_TEST(Nearest, OfEquallyNearOnesTheFirst) {
  std::vector<double> x;
  for (int i = 0; i < 1331; ++i) x.insert(x.end(), {1.0 * (i % 11), 1.0 * (i / 11 % 11), 1.0 * (i / 121)});
  for (const bool periodic : {false, true}) {
    const auto box = periodic ? hgrid::Box3::periodic({-0.5, -0.5, -0.5}, {10.5, 10.5, 10.5}) : hgrid::Box3::open();
    auto grid = this->grid_of(box, x, std::vector<double>(1331, 0.3));
    hgrid::Nearest nearest(grid);
    const auto found = nearest.of_points(Points{{5, 5, 5}, {0.5, 0.5, 0.5}}, {.k = 4});
    EXPECT_EQ(std::vector(found.ids.begin(), found.ids.end()), (std::vector<index_t>{665, 544, 654, 664, 0, 1, 11, 12}));
    const auto others = nearest.of_particles({.k = 6});
    EXPECT_EQ(std::vector(others.ids.begin() + 6 * 665, others.ids.begin() + 6 * 666),
              (std::vector<index_t>{544, 654, 664, 666, 676, 786}));
  }
}

// For a particle just half a period away the first image counts, and it is there once.
TYPED_TEST(Nearest, OneImageOfEach) {
  auto grid = this->grid_of(hgrid::Box3::periodic({0, 0, 0}, {4, 4, 4}), {1, 1, 1, 3, 3, 3}, {0.5, 0.5});
  hgrid::Nearest nearest(grid);
  const auto found = nearest.of_points(Points{{1, 1, 1}, {9, 1, 1}}, {.k = 3, .images = true});
  EXPECT_EQ(std::vector(found.ids.begin(), found.ids.end()), (std::vector<index_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(found.distances[1], std::sqrt(12.0));
  EXPECT_EQ(found.images[1], (hgrid::Image{{-1, -1, -1}}));
  EXPECT_EQ(found.images[3], (hgrid::Image{{2, 0, 0}}));
  EXPECT_EQ(found.distances[2], HUGE_VAL);
}

// A giant is nearer than small ones by its surface, however far away its centre is.
TYPED_TEST(Nearest, BySurfaces) {
  std::vector<double> x{1000, 0, 0}, r{999};
  for (int i = 0; i < 1000; ++i)
    x.insert(x.end(), {-2 - 0.1 * (i % 10), 0.1 * (i / 10 % 10), 0.1 * (i / 100)}), r.push_back(0.05);
  auto grid = this->grid_of(hgrid::Box3::open(), x, r);
  hgrid::Nearest nearest(grid);
  const auto found = nearest.of_points(Points{{0, 0, 0}, {500, 0, 0}}, {.k = 2, .by = NearestBy::surfaces});
  EXPECT_EQ(std::vector(found.ids.begin(), found.ids.end()), (std::vector<index_t>{0, 1, 0, 1}));
  EXPECT_EQ(found.distances[0], 1);
  EXPECT_EQ(found.distances[1], 2 - 0.05);
  EXPECT_EQ(found.distances[2], -499) << "inside";
  for (const double within : {-1.0, -1e300, -std::numeric_limits<double>::infinity()})
    EXPECT_EQ(nearest.of_points(Points{{0, 0, 0}}, {.by = NearestBy::surfaces, .within = within}).ids[0], 1001);
}

// Points far outside, duplicates, two clusters with a gas between: boxes find particles that cells cannot.
TYPED_TEST(Nearest, InVoidsAndFarOutside) {
  support::Random random(3);
  support::Case c;
  for (int i = 0; i < 6000; ++i) {
    oracle::Particle p{.radius = i % 100 == 0 ? 1 : 1e-3};
    const double cluster = i % 3 == 0 ? 0 : 1e5, wide = i % 100 == 0 ? 1e4 : 1;
    for (double& at : p.x) at = cluster + wide * random.real();
    c.system.particles.push_back(p);
    if (i % 7 == 0) c.system.particles.push_back(p);
  }
  for (c.seed = 1; c.seed < 6; ++c.seed) ASSERT_EQ((support::check_nearest<double, 3>(this->exec(), c, 40)), "");
  auto grid = support::built(this->exec(), c.system);
  hgrid::Nearest nearest(grid);
  for (const double far : {1e6, -1e10, 1e15}) {
    const Points points(1, {far, -far, far});
    const auto found = nearest.of_points(points, {.k = 3});
    const oracle::detail::Lattices lattices(c.system);
    oracle::Particle at;
    for (int k = 0; k < 3; ++k) at.x[k] = points[0][k];
    const auto expected = support::nearest_of<3>(c.system, lattices, lattices.store_all(), {at}, 3, false, HUGE_VAL);
    for (std::size_t e = 0; e < 3; ++e) EXPECT_EQ(found.ids[e], expected[e].id);
  }
}

TYPED_TEST(Nearest, OfAnotherGridInTheSameSpace) {
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {10, 10, 10});
  auto grid = this->grid_of(box, {1, 1, 1, 3, 1, 1}, {0.5, 0.5}), asking = this->grid_of(box, {9, 1, 1}, {0.1});
  hgrid::Nearest nearest(grid);
  const auto found = nearest.of_grid(asking, {.k = 3, .images = true});
  EXPECT_EQ(std::vector(found.ids.begin(), found.ids.end()), (std::vector<index_t>{0, 1, 2}));
  EXPECT_EQ(found.images[0], (hgrid::Image{{1, 0, 0}}));
  const auto own = nearest.of_grid(grid, {.k = 2});
  EXPECT_EQ(std::vector(own.ids.begin(), own.ids.end()), (std::vector<index_t>{0, 1, 1, 0})) << "each is its own nearest";
  auto wider = this->grid_of(hgrid::Box3::periodic({0, 0, 0}, {11, 10, 10}), {9, 1, 1}, {0.1});
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { nearest.of_grid(wider); }).argument, "asking");
  hgrid::Grid<TypeParam, 3> worlds(this->exec(), box), none(this->exec(), box);
  const double x[] = {9, 1, 1}, r[] = {0.1};
  auto view = hgrid::particles<3>(x, r, 1);
  const index_t world = 0;
  view.worlds = {&world, 2};
  worlds.build(view);
  EXPECT_EQ(expect_error(ErrorCode::size_mismatch, [&] { nearest.of_grid(worlds); }).count, 2);
  expect_error(ErrorCode::not_built, [&] { nearest.of_grid(none); });
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { nearest.of_grid(asking, {.k = 0}); }).argument, "k");
}

TYPED_TEST(Nearest, OfNothing) {
  auto grid = this->grid_of(hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1}), {}, {});
  hgrid::Nearest nearest(grid);
  const auto found = nearest.of_points(Points{{2, 0.5, 0.5}}, {.k = 2});
  EXPECT_EQ(std::vector(found.ids.begin(), found.ids.end()), (std::vector<index_t>{0, 0}));
  EXPECT_EQ(found.distances[1], HUGE_VAL);
  EXPECT_TRUE(nearest.of_particles({.k = 5}).ids.empty());
  EXPECT_TRUE(nearest.of_points({}).ids.empty());
  grid.build(std::vector<double>{0.5, 0.5, 0.5}, std::vector<double>{0.1});
  EXPECT_EQ(nearest.of_particles().ids[0], 1) << "there is no other";
  EXPECT_EQ(nearest.of_points(Points{{0.9, 0.5, 0.5}}).ids[0], 0);
}

TYPED_TEST(Nearest, Errors) {
  hgrid::Grid<TypeParam, 3> empty(this->exec());
  hgrid::Nearest none(empty);
  expect_error(ErrorCode::not_built, [&] { none.of_points(Points{{0, 0, 0}}); });
  expect_error(ErrorCode::not_built, [&] { none.of_particles(); });
  auto grid = this->grid_of(hgrid::Box3::periodic({0, 0, 0}, {10, 10, 10}), {1, 1, 1, 2, 2, 2}, {1, 1});
  hgrid::Nearest nearest(grid);
  const auto before = nearest.of_points(Points{{1, 1, 1}}, {.k = 2});
  for (const index_t k : {0, -1}) {
    EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { nearest.of_points(Points{{1, 1, 1}}, {.k = k}); }).value, k);
    EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { nearest.of_particles({.k = k}); }).argument, "k");
  }
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { nearest.of_particles({.within = not_a_number}); }).argument,
            "within");
  const auto expect = [&](ErrorCode code, const hgrid::Vec<double, 3>& bad, double value) {
    const auto detail = expect_error(code, [&] { nearest.of_points(Points{{1, 1, 1}, bad, bad}); });
    EXPECT_EQ(detail.argument, "points");
    EXPECT_EQ(detail.index, 1);
    EXPECT_EQ(detail.count, 2);
    EXPECT_TRUE(detail.value == value || std::isnan(value)) << detail.value;
  };
  expect(ErrorCode::nonfinite, {0, not_a_number, 0}, not_a_number);
  expect(ErrorCode::nonfinite, {0, 0, -HUGE_VAL}, -HUGE_VAL);
  expect(ErrorCode::range_error, {0, 2e15, 0}, 2e15);
  expect(ErrorCode::range_error, {0, 1e12, 0}, 1e12);
  const std::vector<index_t> worlds{0, 1};
  EXPECT_EQ(expect_error(ErrorCode::size_mismatch,
                         [&] {
                           nearest.of_points(Points{{1, 1, 1}}, {}, worlds);
                         })
                .argument,
            "worlds");
  EXPECT_EQ(expect_error(ErrorCode::range_error, [&] { nearest.of_points(Points(2), {}, worlds); }).index, 1);
  const hgrid::Error::Detail much =
      expect_error(ErrorCode::capacity, [&] { nearest.of_points(Points(1000), {.k = INT32_MAX}); });
  EXPECT_EQ(much.argument, "k");
  EXPECT_EQ(before.ids[0], 0) << "as it was";
  EXPECT_EQ(before.ids[1], 1);
}

// Fails each allocation once: earlier results stay, and the next call gives new ones.
TYPED_TEST(Nearest, MemoryRunsOut) {
  const oracle::System s = support::polydisperse(6000, 5, true, 4);
  auto grid = support::built(this->exec(), s);
  hgrid::Nearest nearest(grid);
  Points points;
  for (const oracle::Particle& p : s.particles) points.push_back({p.x[1], p.x[2], p.x[0]});
  support::Allocations& allocations = support::Allocations::get();
  int failures = 0;
  for (std::int64_t ahead = 0;; ++ahead) {
    allocations.fail_at = allocations.count + ahead;
    try {
      nearest.of_points(points, {.k = 2, .images = true});
      allocations.fail_at = -1;
      break;
    } catch (const hgrid::Error& e) {
      allocations.fail_at = -1;
      EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
      ++failures;
    }
  }
  EXPECT_GT(failures, 5);
}

}  // namespace
