// SPDX-License-Identifier: BSD-3-Clause
// Positions in containers of all sorts give equal particles, in builds, checks and updates of lists.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>

#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"

namespace hgrid::test {
namespace {

struct Grain {
  float x, y, z, vx, vy, vz;
};

static_assert(std::is_same_v<decltype(Grid{SerialExec{}}), Grid<SerialExec, 3>>, "an executor alone says three dimensions");

struct Containers : ::testing::Test {
  static constexpr std::size_t n = 500;
  std::vector<float> flat, radii;
  std::vector<std::array<float, 3>> arrays;
  std::vector<Vec<float, 3>> vecs;
  std::vector<Grain> grains;
  Grid<SerialExec, 3> grid{SerialExec{}, Box3::open()};

  Containers() : radii(n, 0.6F) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> coordinate(0, 10);
    for (std::size_t i = 0; i < n; ++i) {
      const float x = coordinate(random), y = coordinate(random), z = coordinate(random);
      flat.insert(flat.end(), {x, y, z});
      arrays.push_back({x, y, z});
      vecs.push_back({x, y, z});
      grains.push_back({x, y, z, 7, 8, 9});
    }
  }

  template <class Positions>
  std::vector<Pair> pairs_of(const Positions& positions) {
    grid.build(positions, radii);
    EXPECT_TRUE(grid.valid(positions, radii));
    auto list = grid.make_pairs();
    grid.find(list, {.order = Order::sorted});
    return {list.pairs(), list.pairs() + list.size()};
  }
  void expect_same(const std::vector<Pair>& found, const std::vector<Pair>& expected) const {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) ASSERT_TRUE(found[k].i == expected[k].i && found[k].j == expected[k].j);
  }
};

TEST_F(Containers, OfStructsAndOfNumbers) {
  const std::vector<Pair> expected = pairs_of(flat);
  EXPECT_GT(expected.size(), 100u);
  expect_same(pairs_of(arrays), expected);
  expect_same(pairs_of(vecs), expected);
  expect_same(pairs_of(grains), expected);
  expect_same(pairs_of(std::span<const Grain>(grains)), expected);
}

TEST_F(Containers, UpdateLists) {
  VerletList list{grid, {.skin = 0.2}};
  EXPECT_TRUE(list.update(grains, radii));
  EXPECT_FALSE(list.update(grains, radii));
  grains[7].y += 1;
  EXPECT_TRUE(list.update(grains, radii));
  flat[7 * 3 + 1] += 1;
  EXPECT_FALSE(list.update(flat, radii));
}

TEST_F(Containers, OfOtherSizes) {
  arrays.pop_back();
  try {
    grid.build(arrays, radii);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::size_mismatch);
    EXPECT_NE(std::string(e.what()).find("499 positions for 500 radii"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace hgrid::test
