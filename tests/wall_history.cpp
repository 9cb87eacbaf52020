// SPDX-License-Identifier: BSD-3-Clause
// Values of contacts with walls follow them from one query to the next, also where ids and periods change, and through a
// checkpoint.
#include <map>
#include <numeric>

#include "hgrid/loop.hpp"
#include "support/asked.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"

namespace {

using Key = std::array<std::int64_t, 5>;  // region, id, image

template <class Exec>
class WallHistory : public ::testing::Test {};
TYPED_TEST_SUITE(WallHistory, support::Executors);

std::vector<hgrid::Region<3>> walls_in(const oracle::System& s, support::Random& random) {
  std::vector<hgrid::Region<3>> walls;
  for (int q = 0; q < 20; ++q) {
    hgrid::Vec<double, 3> lo, hi;
    for (int k = 0; k < 3; ++k)
      lo[k] = random.real(s.lo[k], s.hi[k]), hi[k] = lo[k] + random.real(0, 0.4) * (s.hi[k] - s.lo[k]);
    walls.push_back(hgrid::Region<3>::box(lo, hi));
  }
  return walls;
}

template <class List>
std::vector<Key> keys_of(const List& list) {
  std::vector<Key> keys;
  for (hgrid::index_t q = 0; q < list.lists(); ++q) {
    for (hgrid::offset_t k = list.offsets()[q]; k < list.offsets()[q + 1]; ++k) {
      const hgrid::Image m = list.images() == nullptr ? hgrid::Image{} : list.images()[k];
      keys.push_back({q, list.neighbours()[k], m[0], m[1], m[2]});
    }
  }
  return keys;
}

// Returns the age of each contact, by a map with particles' first ids and first coordinates.
TYPED_TEST(WallHistory, FollowsContactsThroughNewIdsAndPeriods) {
  for (const bool renumbers : {false, true}) {
    support::Random random(7);
    support::Gas gas(400);
    const std::vector<hgrid::Region<3>> walls = walls_in(gas.s, random);
    const auto exec = support::make_executor<TypeParam>(3);
    hgrid::Grid<TypeParam, 3> grid(exec, support::box_of<3>(gas.s));
    auto list = grid.make_list(hgrid::ListKind::full), last = grid.make_list(hgrid::ListKind::full);
    hgrid::History history(exec);
    hgrid::PairArray<TypeParam, int> ages(exec);
    std::vector<hgrid::index_t> first_id(gas.s.particles.size());
    std::iota(first_id.begin(), first_id.end(), 0);
    std::vector<hgrid::Image> taken_off(gas.s.particles.size(), hgrid::Image{});  // periods, since the start
    std::map<Key, int> expected;
    int old_ones = 0;
    for (int step = 0; step < 20; ++step, gas.step(0.1)) {
      const std::size_t n = gas.s.particles.size();
      std::vector<hgrid::index_t> old_id(n);
      std::iota(old_id.begin(), old_id.end(), 0);
      std::vector<hgrid::Image> periods(n, hgrid::Image{});
      if (renumbers && step > 0) {
        for (std::size_t i = n - 1; i > 0; --i) std::swap(old_id[i], old_id[random.integer(0, static_cast<int>(i))]);
        const support::Gas before = gas;
        const auto ids = first_id;
        const auto off = taken_off;
        for (std::size_t i = 0; i < n; ++i) {
          const auto old = static_cast<std::size_t>(old_id[i]);
          gas.s.particles[i] = before.s.particles[old], first_id[i] = ids[old], taken_off[i] = off[old];
          for (int k = 0; k < 3; ++k) {
            gas.v[3 * i + k] = before.v[3 * old + k];
            periods[i][k] = random.integer(-1, 1), taken_off[i][k] += periods[i][k];
            gas.s.particles[i].x[k] -= periods[i][k] * (gas.s.hi[k] - gas.s.lo[k]);
          }
        }
      }
      grid.build(support::UserArrays<double, 3>(gas.s).view());
      std::swap(last, list);
      grid.find(list, hgrid::Regions{walls.data(), static_cast<hgrid::offset_t>(walls.size())});
      history.remap(last, list, renumbers ? hgrid::Renumbering{old_id.data(), periods.data()} : hgrid::Renumbering{});
      ages.follow(history);
      std::map<Key, int> now;
      const std::vector<Key> keys = keys_of(list);
      for (std::size_t e = 0; e < keys.size(); ++e) {
        Key key = keys[e];
        const auto i = static_cast<std::size_t>(key[1]);
        key[1] = first_id[i];
        for (std::size_t k = 0; k < 3; ++k) key[k + 2] -= taken_off[i][static_cast<int>(k)];
        const auto before = expected.find(key);
        const int age = before == expected.end() ? 0 : before->second;
        ASSERT_EQ(ages.data()[e], age) << "step " << step << ", entry " << e;
        old_ones += age > 2;
        ages.data()[e] = now[key] = age + 1;
      }
      expected = now;
      if (step == 11) {  // interrupted
        const auto saved_list = hgrid::save(grid, list), saved_ages = hgrid::save(ages);
        std::swap(ages, *std::make_unique<hgrid::PairArray<TypeParam, int>>(exec));
        list = grid.make_list(hgrid::ListKind::full);
        hgrid::restore(grid, list, saved_list), hgrid::restore(ages, saved_ages);
        EXPECT_EQ(keys_of(list), keys);
      }
    }
    EXPECT_GT(old_ones, 1000);
  }
}

TYPED_TEST(WallHistory, AListOfParticlesIsNoListOfWalls) {
  const oracle::System s = support::polydisperse(100, 2, true);
  auto grid = support::built(support::make_executor<TypeParam>(1), s);
  auto list = grid.make_list(hgrid::ListKind::full);
  grid.find(list);
  const auto all = hgrid::Region<3>::box({s.lo[0], s.lo[1], s.lo[2]}, {s.hi[0], s.hi[1], s.hi[2]});
  hgrid::History history(grid.exec());
  auto walls = support::asked(grid, hgrid::Regions{&all, 1});
  const auto size = walls.size();
  EXPECT_EQ(support::expect_error(hgrid::ErrorCode::invalid_argument, [&] { history.remap(list, walls); }).argument, "before");
  support::expect_error(hgrid::ErrorCode::format, [&] { hgrid::restore(grid, walls, hgrid::save(grid)); });
  EXPECT_EQ(walls.size(), size) << "as it was";
}

}  // namespace
