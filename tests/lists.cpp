// SPDX-License-Identifier: BSD-3-Clause
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ListKind;

template <class Exec>
class Lists : public ::testing::Test {};
TYPED_TEST_SUITE(Lists, support::Executors);

TYPED_TEST(Lists, RowsAreWhole) {
  const oracle::System s = support::polydisperse(3000, 20, true);
  auto grid = support::built(support::make_executor<TypeParam>(3), s);
  for (ListKind kind : {ListKind::half, ListKind::full}) {
    auto list = grid.make_list(kind);
    grid.find(list);
    ASSERT_EQ(list.lists(), 3000);
    ASSERT_EQ(list.offsets()[0], 0);
    ASSERT_EQ(list.offsets()[3000], list.size());
    const support::Contacts rows = support::as_listed(list);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    EXPECT_EQ(rows, kind == ListKind::half ? oracle::contacts(s) : oracle::from_both_sides(oracle::contacts(s)));
  }
}

// Sorts short and long rows, in more rows than are sorted at once, that hold a neighbor twice.
TYPED_TEST(Lists, RowsHoldANeighbourUnderSeveralImages) {
  oracle::System s = support::polydisperse(600, 1, true);
  for (int k = 0; k < 3; ++k) s.lo[k] = 0, s.hi[k] = 1;
  support::Random random(5);
  for (oracle::Particle& p : s.particles) {
    p.radius = random.chance(0.1) ? 0.27 : 0.02;
    for (double& x : p.x) x = random.real();
  }
  const support::Contacts half = oracle::contacts(s);
  const auto twin = [](const oracle::Contact& a, const oracle::Contact& b) { return a.i == b.i && a.j == b.j; };
  ASSERT_NE(std::adjacent_find(half.begin(), half.end(), twin), half.end());
  auto grid = support::built(support::make_executor<TypeParam>(3), s);
  EXPECT_EQ(support::rows_of(grid, ListKind::half), half);
  EXPECT_EQ(support::rows_of(grid, ListKind::full), oracle::from_both_sides(half));
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), half);
}

TYPED_TEST(Lists, KeepTheirCapacity) {
  const oracle::System large = support::polydisperse(2000, 4, true), small = support::polydisperse(1500, 4, true, 2);
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(large));
  auto pairs = grid.make_pairs();
  auto rows = grid.make_list(ListKind::full);
  const auto fill = [&](oracle::System s) {
    for (int k = 0; k < 3; ++k) s.lo[k] = large.lo[k], s.hi[k] = large.hi[k];
    grid.build(support::UserArrays<double, 3>(s).view());
    grid.find(pairs);
    grid.find(rows);
    EXPECT_EQ(support::sorted(support::as_listed(pairs)), oracle::contacts(s));
    EXPECT_EQ(support::as_listed(rows), oracle::from_both_sides(oracle::contacts(s)));
  };
  fill(large);
  const std::size_t pair_bytes = pairs.bytes(), row_bytes = rows.bytes();
  const hgrid::Pair* at = pairs.pairs();
  fill(small);
  fill(large);
  EXPECT_EQ(pairs.bytes(), pair_bytes);
  EXPECT_EQ(rows.bytes(), row_bytes);
  EXPECT_EQ(pairs.pairs(), at);
}

TYPED_TEST(Lists, MayServeGridsWithAndWithoutImages) {
  const auto exec = support::make_executor<TypeParam>(2);
  const oracle::System open = support::polydisperse(900, 3, false), periodic = support::polydisperse(300, 3, true);
  auto a = support::built(exec, open), b = support::built(exec, periodic);
  auto rows = a.make_list(ListKind::full);
  auto pairs = a.make_pairs();
  for (int turn = 0; turn < 2; ++turn) {
    a.find(rows), a.find(pairs);
    EXPECT_FALSE(rows.has_images() || pairs.has_images());
    EXPECT_EQ(support::as_listed(rows), oracle::from_both_sides(oracle::contacts(open)));
    EXPECT_EQ(support::sorted(support::as_listed(pairs)), oracle::contacts(open));
    b.find(rows), b.find(pairs);
    EXPECT_EQ(support::as_listed(rows), oracle::from_both_sides(oracle::contacts(periodic)));
    EXPECT_EQ(support::sorted(support::as_listed(pairs)), oracle::contacts(periodic));
  }
}

// A list that has room for pairs, but none for their images, has no room for pairs with images.
TYPED_TEST(Lists, AreWholeWhenImagesComeLater) {
  const auto exec = support::make_executor<TypeParam>(2);
  const oracle::System open = support::polydisperse(900, 3, false), periodic = support::polydisperse(300, 3, true);
  auto a = support::built(exec, open), b = support::built(exec, periodic);
  auto pairs = a.make_pairs();
  a.find(pairs);
  b.enqueue(pairs);
  b.wait(pairs);
  EXPECT_EQ(support::sorted(support::as_listed(pairs)), oracle::contacts(periodic));
  auto fresh = b.make_pairs();
  b.wait(fresh);  // for nothing: it lists
  EXPECT_EQ(support::sorted(support::as_listed(fresh)), oracle::contacts(periodic));
}

// Two systems, one of them without contacts, in one list and two grids.
TYPED_TEST(Lists, WaitIsForTheContactsOfTheGridAsItIs) {
  const oracle::System some = support::polydisperse(60, 2, true, 3), other = support::polydisperse(90, 2, true, 5);
  oracle::System none = some;
  for (oracle::Particle& p : none.particles) p.radius = 1e-9;
  const support::Contacts of_some = oracle::contacts(some), of_other = oracle::contacts(other);
  ASSERT_FALSE(of_some.empty());
  ASSERT_GT(of_other.size(), of_some.size());
  auto grid = support::built(support::make_executor<TypeParam>(2), some);
  auto list = grid.make_pairs();
  const auto waited = [&] {
    grid.wait(list);
    return support::sorted(support::as_listed(list));
  };
  EXPECT_EQ(waited(), of_some) << "nothing was enqueued";
  grid.enqueue(list);
  EXPECT_EQ(waited(), of_some);
  EXPECT_EQ(waited(), of_some);
  grid.build(support::UserArrays<double, 3>(none).view());
  grid.find(list);
  EXPECT_EQ(waited(), support::Contacts{}) << "the list was filled anew";
  grid.enqueue(list);
  grid.build(support::UserArrays<double, 3>(some).view());
  EXPECT_EQ(waited(), of_some) << "the grid was built anew";
  auto second = support::built(support::make_executor<TypeParam>(2), other);
  for (const hgrid::Order order : {hgrid::Order::fixed, hgrid::Order::sorted}) {
    second.enqueue(list);
    grid.find(list, {.order = order});
    second.wait(list);
    EXPECT_EQ(support::sorted(support::as_listed(list)), of_other) << "another grid filled the list";
  }
  grid.enqueue(list);
  second.enqueue(list);
  EXPECT_EQ(waited(), of_some) << "another grid enqueued";
}

TYPED_TEST(Lists, MayBeFilledAfterAMove) {
  const oracle::System s = support::polydisperse(300, 3, true);
  const support::Contacts contacts = oracle::contacts(s);
  auto grid = support::built(support::make_executor<TypeParam>(2), s);
  auto pairs = grid.make_pairs();
  auto rows = grid.make_list(ListKind::half);
  grid.find(pairs);
  grid.find(rows);
  grid.enqueue(pairs);
  auto taken = std::move(pairs);
  auto taken_rows = std::move(rows);
  EXPECT_EQ(support::as_listed(taken_rows), contacts);
  grid.wait(taken);
  EXPECT_EQ(support::sorted(support::as_listed(taken)), contacts);
  EXPECT_EQ(pairs.size(), 0);
  EXPECT_EQ(rows.size() + rows.lists(), 0);
  grid.wait(pairs);
  EXPECT_EQ(support::sorted(support::as_listed(pairs)), contacts);
  auto again = std::move(pairs);
  grid.enqueue(pairs);
  grid.wait(pairs);
  EXPECT_EQ(support::as_listed(pairs), support::as_listed(again));
  grid.find(rows);
  EXPECT_EQ(support::as_listed(rows), contacts);
}

TYPED_TEST(Lists, OwnMemoryTooSmallGetsTheSizeNeeded) {
  const oracle::System s = support::polydisperse(500, 3, true);
  auto grid = support::built(support::make_executor<TypeParam>(2), s);
  const hgrid::offset_t n = grid.count();
  ASSERT_GT(n, 10);
  std::vector<std::int32_t> first(n, -7), second(n, -7);
  std::vector<hgrid::Image> image(n, hgrid::Image{{-7, -7, -7}});
  for (hgrid::offset_t room : {hgrid::offset_t{0}, n / 2, n - 1}) {
    try {
      grid.find(hgrid::PairColumns<std::int32_t>{first.data(), second.data(), 1, image.data(), room});
      ADD_FAILURE();
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), hgrid::ErrorCode::capacity);
      EXPECT_EQ(e.detail().needed, n);
    }
    EXPECT_EQ(std::count(first.begin() + room, first.end(), -7), n - room);
    EXPECT_EQ(std::count(second.begin() + room, second.end(), -7), n - room);
  }
  EXPECT_EQ(grid.find(hgrid::PairColumns<std::int32_t>{first.data(), second.data(), 1, image.data(), n}), n);
}

TYPED_TEST(Lists, OwnMemoryMustBeThere) {
  auto grid = support::built(support::make_executor<TypeParam>(2), support::polydisperse(500, 3, true));
  std::vector<std::int32_t> ids(2 * grid.count());
  const auto expect_refused = [&](std::int32_t* first, std::int32_t* second) {
    try {
      grid.find(hgrid::PairColumns<std::int32_t>{first, second, 1, nullptr, grid.count()});
      ADD_FAILURE();
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), hgrid::ErrorCode::invalid_argument);
    }
  };
  expect_refused(nullptr, nullptr);
  expect_refused(ids.data(), ids.data() + grid.count());  // a periodic box without room for images
}

template <class Integer, class Grid>
void expect_matrix(Grid& grid, ListKind kind, hgrid::offset_t beyond, bool counted) {
  auto list = grid.make_list(kind);
  grid.find(list);
  const hgrid::offset_t n = list.lists();
  hgrid::offset_t longest = 0;
  for (hgrid::offset_t i = 0; i < n; ++i) longest = std::max(longest, list.offsets()[i + 1] - list.offsets()[i]);
  const hgrid::offset_t width = longest + beyond;
  std::vector<Integer> neighbours(static_cast<std::size_t>(n * width), 77), counts(static_cast<std::size_t>(n), 77);
  std::vector<hgrid::Image> images(neighbours.size(), hgrid::Image{{7, 7, 7}});
  const hgrid::NeighbourMatrix<Integer> matrix{neighbours.data(), n, width, counted ? counts.data() : nullptr,
                                               list.has_images() || beyond > 0 ? images.data() : nullptr};
  ASSERT_EQ(grid.find(matrix, {.kind = kind}), longest);
  for (hgrid::offset_t i = 0; i < n; ++i) {
    const hgrid::offset_t begin = list.offsets()[i], here = list.offsets()[i + 1] - begin;
    ASSERT_EQ(counts[static_cast<std::size_t>(i)], static_cast<Integer>(counted ? here : 77));
    for (hgrid::offset_t k = 0; k < width; ++k) {
      const auto at = static_cast<std::size_t>(i * width + k);
      ASSERT_EQ(neighbours[at], k < here ? static_cast<Integer>(list.neighbours()[begin + k]) : static_cast<Integer>(-1));
      if (matrix.images == nullptr) continue;
      ASSERT_EQ(images[at], k < here && list.has_images() ? list.images()[begin + k] : hgrid::Image{});
    }
  }
}

TYPED_TEST(Lists, AMatrixHasTheLists) {
  for (const bool periodic : {false, true}) {
    auto grid = support::built(support::make_executor<TypeParam>(3), support::polydisperse(2000, 10, periodic));
    for (const ListKind kind : {ListKind::half, ListKind::full}) {
      expect_matrix<std::int32_t>(grid, kind, 0, true);
      expect_matrix<std::uint32_t>(grid, kind, 3, false);
      expect_matrix<std::int64_t>(grid, kind, 1, true);
    }
  }
}

TYPED_TEST(Lists, AMatrixThatDoesNotFitStaysAsItWas) {
  auto grid = support::built(support::make_executor<TypeParam>(2), support::polydisperse(500, 10, true));
  std::vector<std::int32_t> ids(500 * 200, 77);
  std::vector<hgrid::Image> images(ids.size());
  const auto code = [&](const hgrid::NeighbourMatrix<std::int32_t>& matrix, hgrid::offset_t needed) {
    try {
      grid.find(matrix);
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.detail().needed, needed);
      EXPECT_EQ(std::count(ids.begin(), ids.end(), 77), static_cast<std::ptrdiff_t>(ids.size()));
      return e.code();
    }
    return hgrid::ErrorCode::stopped;
  };
  const hgrid::offset_t width = grid.find(hgrid::NeighbourMatrix<std::int32_t>{ids.data(), 500, 200, nullptr, images.data()});
  ASSERT_GT(width, 1);
  std::fill(ids.begin(), ids.end(), 77);
  EXPECT_EQ(code({ids.data(), 500, width - 1, nullptr, images.data()}, width), hgrid::ErrorCode::capacity);
  EXPECT_EQ(code({ids.data(), 499, width, nullptr, images.data()}, 500), hgrid::ErrorCode::size_mismatch);
  EXPECT_EQ(code({ids.data(), 500, width, nullptr, nullptr}, -1), hgrid::ErrorCode::invalid_argument);
  EXPECT_EQ(code({nullptr, 500, width, nullptr, images.data()}, -1), hgrid::ErrorCode::invalid_argument);
}

TYPED_TEST(Lists, EmptySystems) {
  for (bool periodic : {false, true}) {
    oracle::System s = support::polydisperse(1, 1, periodic);
    auto one = support::built(support::make_executor<TypeParam>(2), s);
    EXPECT_EQ(one.count(), 0);
    s.particles[0].active = false;
    auto inactive = support::built(support::make_executor<TypeParam>(2), s);
    EXPECT_EQ(inactive.count(), 0);
    s.particles.clear();
    auto none = support::built(support::make_executor<TypeParam>(2), s);
    EXPECT_EQ(none.count(), 0);
    auto rows = none.make_list();
    none.find(rows);
    EXPECT_EQ(rows.lists(), 0);
    EXPECT_EQ(rows.offsets()[0], 0);
    EXPECT_EQ(support::pairs_of(none, hgrid::Order::sorted).size(), 0u);
    EXPECT_EQ(none.find(hgrid::PairColumns<std::int32_t>{}), 0);
    EXPECT_EQ(none.find(hgrid::NeighbourMatrix<std::int32_t>{}), 0);
    EXPECT_EQ(support::visited_contacts(none).size() + support::visited_partners(none).size(), 0u);
    EXPECT_EQ(none.work().candidates, 0);
  }
}

}  // namespace
