// SPDX-License-Identifier: BSD-3-Clause
// Enqueued lists: their contents before and after the wait.
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ListKind;

template <class Exec>
class EnqueuedLists : public ::testing::Test {};
TYPED_TEST_SUITE(EnqueuedLists, support::Executors);

// Enqueued lists are whole or empty, and count the entries that they need; the grid's own memory may be too small as well.
TYPED_TEST(EnqueuedLists, HaveAllNeighboursOrNone) {
  const oracle::System s = support::polydisperse(700, 3, true);
  const support::Contacts half = oracle::contacts(s), full = oracle::from_both_sides(half);
  for (const auto kind : {ListKind::half, ListKind::full}) {
    const support::Contacts& expected = kind == ListKind::half ? half : full;
    const auto n = static_cast<hgrid::offset_t>(expected.size());
    auto grid = support::built(support::make_executor<TypeParam>(2), s);
    auto list = grid.make_list(kind);
    grid.enqueue(list);
    EXPECT_EQ(*list.found(), n) << "which has no room";
    EXPECT_EQ(list.size(), 0);
    grid.wait(list);
    EXPECT_EQ(support::as_listed(list), expected);
    grid.enqueue(list);
    EXPECT_EQ(*list.found(), n);
    EXPECT_EQ(list.size(), 0) << "until it is waited for";
    grid.wait(list);
    EXPECT_EQ(support::as_listed(list), expected);
    auto other = grid.make_list(kind);
    grid.enqueue(other);
    EXPECT_EQ(*other.found(), n);
    EXPECT_EQ(other.capacity(), 0);
    ASSERT_EQ(other.lists(), 700);
    for (int i = 0; i <= 700; ++i) ASSERT_EQ(other.offsets()[i], 0) << i;
    grid.wait(other);
    EXPECT_EQ(support::as_listed(other), expected);
  }
}

TYPED_TEST(EnqueuedLists, WaitForTheGridAsItIs) {
  const oracle::System some = support::polydisperse(60, 2, true, 3);
  oracle::System none = some;
  for (oracle::Particle& p : none.particles) p.radius = 1e-9;
  const support::Contacts of_some = oracle::contacts(some);
  ASSERT_FALSE(of_some.empty());
  auto grid = support::built(support::make_executor<TypeParam>(2), some);
  auto list = grid.make_list(ListKind::half);
  auto in_order = grid.make_pairs();
  const auto expect_waited = [&](const support::Contacts& expected, const char* why) {
    grid.wait(list);
    EXPECT_EQ(support::as_listed(list), expected) << why;
    grid.wait(in_order);
    EXPECT_EQ(support::sorted(support::as_listed(in_order)), expected) << why;
  };
  const auto enqueue = [&] {
    grid.enqueue(list);
    grid.enqueue(in_order, {.order = hgrid::Order::sorted});
  };
  expect_waited(of_some, "nothing was enqueued");
  enqueue();
  grid.build(support::UserArrays<double, 3>(none).view());
  expect_waited({}, "the grid was built anew");
  enqueue();
  grid.build(support::UserArrays<double, 3>(some).view());
  grid.find(list);
  expect_waited(of_some, "the list was filled anew");
  enqueue();
  auto taken = std::move(list);
  EXPECT_EQ(list.lists(), 0);
  grid.wait(taken);
  EXPECT_EQ(support::as_listed(taken), of_some);
  enqueue();
  expect_waited(of_some, "its memory was moved away");
  EXPECT_EQ(support::as_listed(in_order), of_some) << "in the order that was asked for";
}

// A row of a matrix that is too short holds the first neighbors, and the number of all is reported.
TYPED_TEST(EnqueuedLists, CountWhatAMatrixCannotHold) {
  const oracle::System s = support::polydisperse(700, 3, true);
  const support::Contacts full = oracle::from_both_sides(oracle::contacts(s));
  auto grid = support::built(support::make_executor<TypeParam>(2), s);
  hgrid::offset_t longest = 7, width = 400;
  std::vector<std::int64_t> ids(700 * width, 5), counts(700, 5);
  std::vector<hgrid::Image> images(700 * width);
  hgrid::NeighbourMatrix<std::int64_t> matrix{ids.data(), 700, width, counts.data(), images.data()};
  grid.enqueue(matrix, &longest);
  EXPECT_EQ(longest, -1);
  EXPECT_EQ(ids, std::vector<std::int64_t>(700 * width, -1));
  EXPECT_EQ(counts, std::vector<std::int64_t>(700, 0));
  const hgrid::offset_t most = grid.find(matrix);
  const std::vector<std::int64_t> expected_ids = ids, expected_counts = counts;
  ASSERT_GT(most, 2);
  for (width = 400; width > 0; width = width == 400 ? most - 1 : 0) {
    std::fill(ids.begin(), ids.end(), 5), std::fill(counts.begin(), counts.end(), 5);
    matrix.width = width;
    grid.enqueue(matrix, &longest);
    EXPECT_EQ(longest, most);
    EXPECT_EQ(counts, expected_counts);
    for (hgrid::offset_t i = 0; i < 700; ++i) {
      for (hgrid::offset_t k = 0; k < width; ++k) ASSERT_EQ(ids[i * width + k], expected_ids[i * 400 + k]) << i;
    }
  }
  matrix.particles = 699;
  const auto code_of = [&] {
    try {
      grid.enqueue(matrix, &longest);
    } catch (const hgrid::Error& e) {
      return e.code();
    }
    return hgrid::ErrorCode::io;  // none
  };
  EXPECT_EQ(code_of(), hgrid::ErrorCode::size_mismatch);
  matrix.particles = 700, matrix.width = 400, matrix.images = nullptr;
  EXPECT_EQ(code_of(), hgrid::ErrorCode::invalid_argument);
}

}  // namespace
