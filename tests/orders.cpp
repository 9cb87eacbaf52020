// SPDX-License-Identifier: BSD-3-Clause
// Contract C6: when bytes are equal.
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::Order;
using support::Contacts;

const oracle::System& crowd() {
  static const oracle::System s = support::polydisperse(6000, 10, true);
  return s;
}

template <class Exec>
class Orders : public ::testing::Test {};
TYPED_TEST_SUITE(Orders, support::Executors);

TYPED_TEST(Orders, FixedIsTheSameForAnyThreadsAndRepeats) {
  auto one = support::built(support::make_executor<TypeParam>(1), crowd());
  const Contacts expected = support::pairs_of(one, Order::fixed);
  EXPECT_EQ(support::sorted(expected), oracle::contacts(crowd()));
  for (int threads : {1, 2, 7, 16}) {
    auto grid = support::built(support::make_executor<TypeParam>(threads), crowd());
    auto list = grid.make_pairs();
    for (int repeat = 0; repeat < 250; ++repeat) {
      if (repeat % 25 == 0) grid.build(support::UserArrays<double, 3>(crowd()).view());
      grid.find(list, {.order = Order::fixed});
      ASSERT_TRUE(support::as_listed(list) == expected) << threads << " threads, repeat " << repeat;
    }
  }
}

TYPED_TEST(Orders, SortedIsTheSameEverywhere) {
  const Contacts expected = oracle::contacts(crowd());
  for (int threads : {1, 2, 7}) {
    for (int variant = 0; variant < 16; ++variant) {
      hgrid::GridOptions options;
      options.direction = static_cast<hgrid::Direction>(variant & 1);
      options.keys = static_cast<hgrid::KeyOrder>(variant >> 1 & 1);
      options.table = static_cast<hgrid::TableKind>(variant >> 2 & 1);
      options.schedule = static_cast<hgrid::Schedule>(variant >> 3 & 1);
      auto grid = support::built(support::make_executor<TypeParam>(threads), crowd(), options);
      ASSERT_TRUE(support::pairs_of(grid, Order::sorted) == expected) << threads << " threads, variant " << variant;
      ASSERT_TRUE(support::pairs_into_own_memory<std::uint32_t>(grid) == expected);
      ASSERT_TRUE(support::rows_of(grid, hgrid::ListKind::half) == expected);
    }
  }
}

// The gather sums in an order that depends on the input only.
TYPED_TEST(Orders, GatherVisitsPartnersInAFixedOrder) {
  const auto sums = [&](int threads) {
    auto grid = support::built(support::make_executor<TypeParam>(threads), crowd());
    std::vector<std::uint64_t> hash(crowd().particles.size(), 1);
    grid.for_each_partner([&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image& m) {
      hash[i] = hash[i] * 1000003 + static_cast<std::uint64_t>(j * 27 + m.m[0] * 9 + m.m[1] * 3 + m.m[2]);
    });
    return hash;
  };
  const auto expected = sums(1);
  for (int threads : {1, 2, 7}) EXPECT_EQ(sums(threads), expected);
}

}  // namespace
