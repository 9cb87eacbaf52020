// SPDX-License-Identifier: BSD-3-Clause
// Levels of particles with extents: by the axes along which they are long, and without regard to the odd ones.
#include <gtest/gtest.h>

#include "support/boxes.hpp"
#include "support/executors.hpp"
#include "support/random.hpp"

namespace {

using support::all_pairs;
using support::Boxes;
using support::dear_candidates;

template <class Exec>
class ExtentLevels : public ::testing::Test {
 protected:
  using Grid = hgrid::Grid<Exec, 3>;
  static Exec exec() { return support::make_executor<Exec>(2); }
};
TYPED_TEST_SUITE(ExtentLevels, support::Executors);

// A thousand times as long as they are wide, along each of the axes, and as flat.
TYPED_TEST(ExtentLevels, LongAndFlatOnesLieOnLevelsOfTheirOwn) {
  for (const bool flat : {false, true}) {
    support::Random random(5);
    Boxes b;
    for (int i = 0; i < 6000; ++i) {
      const int axis = random.integer(0, 2);
      for (int k = 0; k < 3; ++k) b.x.push_back(random.real(0, 1000)), b.h.push_back((k == axis) == flat ? 0.1 : 100);
    }
    hgrid::GridOptions options;
    options.costs = dear_candidates;
    typename TestFixture::Grid grid(this->exec(), hgrid::Box3::open(), options);
    grid.build(b.view());
    const auto levels = grid.levels();
    ASSERT_GE(levels.size(), 3u);
    for (const hgrid::LevelReport& level : levels) {
      EXPECT_EQ(std::count(level.extent_max, level.extent_max + 3, 100), flat ? 2 : 1);
      EXPECT_EQ(level.radius_max, 100);
    }
    auto list = grid.make_pairs();
    grid.find(list, {.order = hgrid::Order::sorted});
    EXPECT_EQ(support::difference("pairs", support::as_listed(this->exec(), list), all_pairs(b, 0, 0)), "");
    const hgrid::WorkCount work = grid.work();
    EXPECT_LT(work.candidates, 6000 * 200) << "of 18 million pairs";
  }
}

// Levels follow when sizes change, and a single giant does not take the others to its level.
TYPED_TEST(ExtentLevels, AGiantIsAlone) {
  support::Random random(6);
  Boxes b;
  for (int i = 0; i < 3 * 20000; ++i) b.x.push_back(random.real(0, 100)), b.h.push_back(1);
  typename TestFixture::Grid grid(this->exec());
  grid.build(b.view());
  EXPECT_EQ(grid.levels().size(), 1u);
  for (std::size_t k = 0; k < 3; ++k) b.h[3 * 777 + k] = k == 1 ? 0.01 : 300;
  grid.build(b.view());
  const auto levels = grid.levels();
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].particles + levels[1].particles, 20000);
  EXPECT_EQ(std::min(levels[0].particles, levels[1].particles), 1);
}

// One odd extent, from rounding, or one giant takes no levels from the many others.
TYPED_TEST(ExtentLevels, OddOnesChangeNoOthersLevels) {
  const auto candidates = [&](double odd) {
    support::Random random(9);
    Boxes b;
    for (int i = 0; i < 30000; ++i) {
      const double h = std::pow(1 - random.real() * (1 - 1e-6), -1.0 / 3);  // to 100
      for (int k = 0; k < 3; ++k) b.x.push_back(random.real(0, 150)), b.h.push_back(h);
    }
    if (odd > 0) b.h[3 * 100 + 1] = odd;
    typename TestFixture::Grid grid(this->exec());
    grid.build(b.view());
    return static_cast<double>(grid.work().candidates);
  };
  const double usual = candidates(0);
  EXPECT_LT(candidates(1e-14), 1.5 * usual);
  EXPECT_LT(candidates(1e10), 1.5 * usual);
}

// Far clusters are searched as if they were near each other.
TYPED_TEST(ExtentLevels, FarClustersCostAsMuchAsOne) {
  for (const double apart : {0.0, 1e4, 1e6}) {
    support::Random random(10);
    Boxes b;
    for (int i = 0; i < 20000; ++i) {
      const double h = std::pow(1 - random.real() * (1 - 1e-4), -1.0 / 3);  // to 20
      for (int k = 0; k < 3; ++k) b.x.push_back(random.real(0, 120) + apart * (i % 2)), b.h.push_back(h);
    }
    typename TestFixture::Grid grid(this->exec());
    grid.build(b.view());
    EXPECT_LT(grid.work().candidates, 100 * 20000) << apart;
  }
}

}  // namespace
