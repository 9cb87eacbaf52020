// SPDX-License-Identifier: BSD-3-Clause
// Counts of contacts that are known for real packings.
#include "support/real_data.hpp"

#include "support/executors.hpp"

namespace {

template <class Exec>
class RealData : public ::testing::Test {};
TYPED_TEST_SUITE(RealData, support::Executors);

template <class Real, class Exec>
void expect_count(const support::Table& table, hgrid::offset_t expected) {
  const std::vector<Real> xyz(table.xyz.begin(), table.xyz.end()), radius(table.radius.begin(), table.radius.end());
  for (int threads : {1, 2, 7}) {
    for (int variant = 0; variant < 16; ++variant) {
      hgrid::GridOptions options;
      options.direction = static_cast<hgrid::Direction>(variant & 1);
      options.keys = static_cast<hgrid::KeyOrder>(variant >> 1 & 1);
      options.table = static_cast<hgrid::TableKind>(variant >> 2 & 1);
      options.schedule = static_cast<hgrid::Schedule>(variant >> 3 & 1);
      hgrid::Grid<Exec, 3> grid(support::make_executor<Exec>(threads), hgrid::Box3::open(), options);
      grid.build(xyz, radius);
      ASSERT_EQ(grid.count(), expected) << threads << " threads, variant " << variant;
    }
  }
}

TYPED_TEST(RealData, RotatingDrum) {
  const support::Table table = support::read_table("drum-38k.txt", true);
  if (table.radius.empty()) GTEST_SKIP() << "no drum-38k.txt in " << support::data_folder();
  ASSERT_EQ(table.radius.size(), 38000u);
  expect_count<double, TypeParam>(table, 80316);
  expect_count<float, TypeParam>(table, 80299);
}

TYPED_TEST(RealData, PackingWithAnIntruder) {
  const support::Table table = support::read_table("penetration-25k-intruder.csv", false);
  if (table.radius.empty()) GTEST_SKIP() << "no penetration-25k-intruder.csv in " << support::data_folder();
  ASSERT_EQ(table.radius.size(), 25001u);
  expect_count<double, TypeParam>(table, 53876);
  expect_count<float, TypeParam>(table, 53869);
}

}  // namespace
