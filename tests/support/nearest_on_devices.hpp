// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles on a device: equal to the hosts' bit for bit, and features that only devices have.
#pragma once

#include "hgrid/queries.hpp"
#include "support/gas.hpp"
#include "support/nearest_cases.hpp"

namespace support {

using PointsToAsk = std::vector<hgrid::Vec<double, 3>>;

/// Returns points at other places than the particles.
inline PointsToAsk turned_over(const oracle::System& s) {
  PointsToAsk points;
  for (const oracle::Particle& p : s.particles) points.push_back({p.x[1], p.x[2], p.x[0]});
  return points;
}

/// A grid on a device, with the particles that it was built of.
template <class Exec>
class GridThere {
 public:
  GridThere(const Exec& exec, const oracle::System& s) : exec_(exec), grid(exec, box_of<3>(s)) { build(s); }
  void build(const oracle::System& s) {
    const UserArrays<double, 3> arrays(s);
    const auto particles = placed(exec_, arrays.view());
    grid.build(particles.view());
    exec_.wait();
  }

 private:
  Exec exec_;

 public:
  hgrid::Grid<Exec, 3> grid;
};

template <class Exec>
FoundNearest of_points(const Exec& exec, hgrid::Nearest<Exec, 3>& nearest, const PointsToAsk& points,
                       const hgrid::NearestOptions& options) {
  const auto x = there(exec, points);
  return {exec, nearest.of_points(span_of(x), options)};
}

/// Searches from enough points that they are sorted, or from a few of them.
template <class Exec>
void expect_nearest_as_on_hosts(const Exec& exec, const oracle::System& s, const PointsToAsk& points) {
  const hgrid::SerialExec host;
  GridThere device(exec, s);
  auto grid = built(host, s);
  hgrid::Nearest nearest(device.grid);
  hgrid::Nearest expected(grid);
  for (const auto by : {hgrid::NearestBy::centres, hgrid::NearestBy::surfaces}) {
    for (const hgrid::index_t k : {1, 9, 70}) {
      const hgrid::NearestOptions options{.k = k, .by = by, .images = k > 1};
      ASSERT_EQ(of_points(exec, nearest, points, options), FoundNearest(host, expected.of_points(points, options)));
      ASSERT_EQ(FoundNearest(exec, nearest.of_particles(options)), FoundNearest(host, expected.of_particles(options)));
    }
  }
  EXPECT_GT(nearest.bytes(), 9 * points.size() * 12);
}

/// Draws two clusters with few particles between, and points in the void and far outside; or a periodic box whose particles are
/// in one corner: cells find few of them.
template <class Exec>
void expect_nearest_in_voids(const Exec& exec, int particles) {
  Random random(3);
  oracle::System s, corner;
  for (int i = 0; i < particles; ++i) {
    oracle::Particle p{.radius = i % 100 == 0 ? 1 : 1e-3};
    const double cluster = i % 3 == 0 ? 0 : 1e5, wide = i % 100 == 0 ? 1e4 : 1;
    for (double& at : p.x) at = cluster + wide * random.real();
    s.particles.push_back(p);
    if (i % 7 == 0) s.particles.push_back(p);
    for (double& at : p.x) at = random.real(0.9, 1);
    corner.particles.push_back({.x = {p.x[0], p.x[1], p.x[2]}, .radius = 1e-3});
  }
  PointsToAsk points{{5e4, 5e4, 5e4}, {1e6, -1e6, 1e6}, {-1e10, 1e10, 0}, {1e15, -1e15, 1e15}};
  for (int q = 0; q < 20; ++q) points.push_back({random.real(0, 1e5), random.real(0, 1e5), random.real(0, 1e5)});
  expect_nearest_as_on_hosts(exec, s, points);
  for (int k = 0; k < 3; ++k) corner.periodic[k] = true, corner.lo[k] = 0, corner.hi[k] = 1;
  for (auto& x : points) x = {random.real(), random.real(), random.real()};
  points.push_back({0.1, 0.1, 0.1}), points.push_back({0.45, 0.45, 0.45});
  expect_nearest_as_on_hosts(exec, corner, points);
}

/// Expects that bad points are named, and so is the error that a build reports late; earlier results stay.
template <class Exec>
void expect_errors_of_nearest(const Exec& exec) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  oracle::System s;
  for (int k = 0; k < 3; ++k) s.periodic[k] = true, s.lo[k] = 0, s.hi[k] = 10;
  for (const double at : {1.0, 2.0}) s.particles.push_back({.x = {at, at, at}, .radius = 1});
  hgrid::Grid<Exec, 3> empty(exec);
  hgrid::Nearest none(empty);
  expect_error(hgrid::ErrorCode::not_built, [&] { none.of_particles(); });
  GridThere device(exec, s);
  hgrid::Nearest nearest(device.grid);
  const auto good = there(exec, PointsToAsk{{1, 1, 1}});
  const auto before = nearest.of_points(span_of(good), {.k = 2});
  const FoundNearest expected(exec, before);
  EXPECT_EQ(expected.ids, (std::vector<hgrid::index_t>{0, 1}));
  const auto expect_bad = [&](hgrid::ErrorCode code, const hgrid::Vec<double, 3>& bad) {
    const auto detail = expect_error(code, [&] { of_points(exec, nearest, {{1, 1, 1}, bad, bad}, {.k = 5}); });
    EXPECT_EQ(detail.argument, "points");
    EXPECT_EQ(detail.index, 1);
    EXPECT_EQ(detail.count, 2);
  };
  expect_bad(hgrid::ErrorCode::nonfinite, {0, nan, 0});
  expect_bad(hgrid::ErrorCode::range_error, {0, 0, 1e12});
  expect_error(hgrid::ErrorCode::invalid_argument, [&] { nearest.of_particles({.k = 0}); });
  const auto too_many = exec.memory_limit() == SIZE_MAX ? hgrid::ErrorCode::out_of_memory : hgrid::ErrorCode::capacity;
  expect_error(too_many, [&] { of_points(exec, nearest, PointsToAsk(1000), {.k = INT32_MAX}); });
  s.particles[1].x[0] = nan;
  device.build(s);
  EXPECT_EQ(expect_error(hgrid::ErrorCode::nonfinite, [&] { nearest.of_points(span_of(good), {.k = 2}); }).index, 1);
  expect_error(hgrid::ErrorCode::not_built, [&] { nearest.of_particles(); });
  EXPECT_EQ(FoundNearest(exec, before), expected) << "as it was";
  s.particles.clear();
  device.build(s);
  EXPECT_EQ(of_points(exec, nearest, {{1, 1, 1}}, {.k = 2}).ids, (std::vector<hgrid::index_t>{0, 0}));
  EXPECT_TRUE(nearest.of_particles({.k = 3}).ids.empty());
}

}  // namespace support
